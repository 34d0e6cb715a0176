import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { showProgress } from "../../mixins/runtime/show-progress.ts";
import { withoutBrowser } from "../support/start-args.ts";
import { until } from "../support/until.ts";
import { startHelper } from "./child.ts";
import { type Cost, quantile } from "./growth.ts";
import { asAdmin, asKey, timesOf } from "./lists.bench.ts";
import { fillStore, masterSecret, ownKey, type Sizes } from "./lists.fill.ts";
import { cpuSeconds, kilobytes } from "./processes.ts";
import { type Program, startProgram } from "./program.ts";
import type { Stalls } from "./stalls.ts";

export const sizesFor = (sources: number): Sizes => ({
  keys: sources / 100,
  owners: Math.ceil(sources / 500),
  sources,
  ownSources: Math.ceil(sources / 200),
  states: true,
  deliveries: sources / 10,
  scrapes: sources / 50,
  crawls: Math.ceil(sources / 500),
  joins: Math.ceil(sources / 500),
  usageDays: 30,
});

/** The maintenance that follows a start is over when the main thread neither worked nor waited for a processor so long. */
const quietMs = 5_000;
const quietShare = 0.1;
/** On a machine that is busy with other work, it always waits. */
const mostQuietChecks = 24;
const idleMs = 20_000;
const rounds = 20;

/** Costs of a service with many sources and a hundredth as many keys: its start, its idling, its polls and lists. */
export async function sourceCosts(folder: string, sources: number): Promise<Cost[]> {
  const own = await showProgress("Filling the store", () => fillStore(folder, sizesFor(sources)));
  const bytes = statSync(join(folder, "magpie.db")).size / sources;
  const costs = await serviceCosts(folder, own);
  // Last: the events that these polls find would be delivered.
  costs.push(...(await pollCosts(folder, sources)));
  return [
    { name: "bytes on disk of a source, its state and its subscription", value: bytes, unit: "B" },
    ...costs,
  ];
}

/** `own` is the id of the key that asks. */
export async function serviceCosts(folder: string, own: string): Promise<Cost[]> {
  const file = join(folder, "stalls.json");
  const began = performance.now();
  const program = await startProgram(["--import", "./test/bench/stalls.ts"], {
    ...withoutBrowser,
    DATA_DIR: folder,
    MASTER_SECRET: masterSecret,
    LOG_LEVEL: "error",
    SANDBOX_POST_EVERY: "off",
    STALLS: file,
  });
  try {
    const ready: Cost[] = [
      { name: "start until ready", value: performance.now() - began, unit: "ms" },
      { name: "start until ready, CPU", value: cpuSeconds([program.pid]) * 1000, unit: "ms" },
    ];
    return [...ready, ...(await idleCosts(program, file)), ...(await listCosts(program, own, file))];
  } finally {
    await program.stop();
  }
}

async function idleCosts({ pid }: Program, file: string): Promise<Cost[]> {
  // The modules that it loads are no matter of the size: what follows is measured.
  await stallsOf(pid, file);
  process.kill(pid, "SIGUSR2");
  await untilQuiet(pid);
  const stalls = await stallsOf(pid, file);
  const cpu = cpuSeconds([pid]);
  await delay(idleMs);
  const idle = cpuSeconds([pid]) - cpu;
  return [
    ...stallCosts("maintenance after the start", stalls),
    { name: "idle CPU of a second", value: (idle / idleMs) * 1_000_000, unit: "ms" },
    {
      name: "memory of the service, anonymous",
      value: kilobytes(pid, "status", "RssAnon") / 1024,
      unit: "MB",
    },
  ];
}

async function untilQuiet(pid: number): Promise<void> {
  for (let check = 0; check < mostQuietChecks; check += 1) {
    const before = mainThread(pid);
    await delay(quietMs);
    const { runMs, waitMs } = mainThread(pid);
    if (runMs - before.runMs + waitMs - before.waitMs < quietMs * quietShare) return;
  }
}

/** How long the main thread has run and waited for a processor (Documentation/scheduler/sched-stats.rst of Linux). */
function mainThread(pid: number): { runMs: number; waitMs: number } {
  const [run = 0, wait = 0] = readFileSync(`/proc/${pid}/schedstat`, "latin1").split(" ").map(Number);
  return { runMs: run / 1e6, waitMs: wait / 1e6 };
}

async function listCosts(program: Program, own: string, file: string): Promise<Cost[]> {
  process.kill(program.pid, "SIGUSR2");
  const costs: Cost[] = [];
  for (const path of asKey)
    costs.push(...(await listCost(program, `key   ${path}`, path, { "x-api-key": ownKey })));
  for (const path of asAdmin) {
    const headers = { "x-admin-key": program.adminKey };
    costs.push(...(await listCost(program, `admin ${path}`, path.replace("{own}", own), headers)));
  }
  return [...costs, ...stallCosts("lists", await stallsOf(program.pid, file))];
}

async function listCost(
  program: Program,
  name: string,
  path: string,
  headers: Record<string, string>,
): Promise<Cost[]> {
  const { runMs } = mainThread(program.pid);
  const times = await timesOf(program, path, headers, rounds);
  const each = (mainThread(program.pid).runMs - runMs) / rounds;
  return [
    { name: `${name}, CPU`, value: each, unit: "ms" },
    { name: `${name}, median`, value: quantile(times, 0.5), unit: "ms" },
    { name: `${name}, p99`, value: quantile(times, 0.99), unit: "ms" },
  ];
}

/** Ends the measurement in the service. */
async function stallsOf(pid: number, file: string): Promise<Stalls> {
  rmSync(file, { force: true });
  process.kill(pid, "SIGUSR2");
  await until("stalls are written", () => existsSync(file) && statSync(file).size > 0);
  return JSON.parse(readFileSync(file, "utf8"));
}

function stallCosts(what: string, { longestMs, longestCpuMs }: Stalls): Cost[] {
  return [
    { name: `longest stall, ${what}`, value: longestMs, unit: "ms" },
    { name: `longest stall, ${what}, CPU`, value: longestCpuMs, unit: "ms" },
  ];
}

export async function pollCosts(folder: string, sources: number): Promise<Cost[]> {
  const helper = await startHelper<number, Cost[], string>("million.polls.process.ts", [folder]);
  try {
    return await helper.ask(sources);
  } finally {
    await helper.stop();
  }
}
