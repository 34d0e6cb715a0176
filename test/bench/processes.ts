import { readdirSync, readFileSync } from "node:fs";

/** Of the kernel's tables, in seconds (Linux' USER_HZ, 100 on every platform that Node runs on). */
export const tickSeconds = 0.01;

/** CPU seconds, user and system, that processes have used so far, with all their threads. */
export function cpuSeconds(pids: number[]): number {
  return sum(pids.map(pid => times(pid).own));
}

/** The same with everything that they have started, whether it lives or has ended. */
export function cpuSecondsOfTrees(pids: number[]): number {
  const trees = pids.flatMap(pid => [pid, ...descendants(pid)]);
  return sum(trees.map(pid => times(pid).own + times(pid).ended));
}

/** Children of a process and theirs. */
export function descendants(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc"))
    if (/^\d+$/.test(name)) parents.set(Number(name), parentOf(Number(name)));
  const below = (id: number): number[] =>
    [...parents].filter(([, parent]) => parent === id).flatMap(([child]) => [child, ...below(child)]);
  return below(pid);
}

/** Memory in MB that processes and all that they have started hold; what several share counts once (the kernel's PSS). */
export function megabytesOfTrees(pids: number[]): number {
  const trees = pids.flatMap(pid => [pid, ...descendants(pid)]);
  return sum(trees.map(pid => kilobytes(pid, "smaps_rollup", "Pss"))) / 1024;
}

/** A figure of a file of the kernel about a process, in the unit that stands there; 0 when it has ended. */
export function kilobytes(pid: number, file: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(readProc(pid, file))?.[1] ?? 0);
}

function parentOf(pid: number): number {
  return Number(statOf(pid)[1]);
}

/** Of proc(5): utime and stime, and those of children that have ended and were waited for. */
function times(pid: number): { own: number; ended: number } {
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = statOf(pid).slice(11, 15).map(Number);
  return { own: (user + system) * tickSeconds, ended: (endedUser + endedSystem) * tickSeconds };
}

/** What follows the name, which may hold anything: the state, the parent, and so on. */
function statOf(pid: number): string[] {
  const stat = readProc(pid, "stat");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    // It has ended meanwhile.
    return "";
  }
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
