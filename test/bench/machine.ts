import { readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { cpuSecondsOfTrees, tickSeconds } from "./processes.ts";

/** The time of all CPUs since the machine started, in ticks (proc(5)). */
export interface CpuTicks {
  all: number;
  /** What programs had, and what the kernel did for them. */
  busy: number;
  /** What the host gave to other machines. */
  stolen: number;
}

export interface MachineState {
  /** The average load of the last minute. */
  load: number;
  cpu: CpuTicks;
  /** What this process and all that it has started had of it. */
  ownTicks: number;
}

export function cpuTicks(stat = readFileSync("/proc/stat", "utf8")): CpuTicks {
  const [first = ""] = stat.split("\n", 1);
  // The two that follow are parts of others.
  const ticks = first.split(/ +/).slice(1, 9).map(Number);
  const [user = 0, nice = 0, system = 0] = ticks;
  return {
    all: ticks.reduce((sum, each) => sum + each, 0),
    busy: user + nice + system,
    stolen: ticks[7] ?? 0,
  };
}

export function machineState(): MachineState {
  return {
    load: loadavg()[0] ?? 0,
    cpu: cpuTicks(),
    ownTicks: cpuSecondsOfTrees([process.pid]) / tickSeconds,
  };
}

/** On what machine a bench ran, and what else that did meanwhile. */
export function machineLine(before: MachineState, after: MachineState): string {
  const all = after.cpu.all - before.cpu.all;
  const busy = after.cpu.busy - before.cpu.busy;
  const others = busy - (after.ownTicks - before.ownTicks);
  const percent = (ticks: number) => `${((100 * Math.max(ticks, 0)) / Math.max(all, 1)).toFixed(0)} %`;
  return (
    `machine: ${cpus().length} cores, ${cpus()[0]?.model.trim()}, Node ${process.versions.node}; ` +
    `load ${before.load.toFixed(2)} before, ${after.load.toFixed(2)} after; of its CPU time other programs had ` +
    `${percent(others)}, other machines of the host ${percent(after.cpu.stolen - before.cpu.stolen)}`
  );
}
