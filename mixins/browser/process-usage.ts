import { readdirSync, readFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

/** A process of a browser, and what it uses. */
export interface ProcessUsage {
  pid: number;
  /** It shows pages, of one context only, since contexts never share a renderer. */
  isRenderer: boolean;
  /** Processor time since its start, of all its threads. */
  cpuMs: number;
  /** Milliseconds of it since the last sample. */
  recentCpuMs: number;
  /** It was not there at the last sample. */
  isNew: boolean;
  /** What the page of a renderer made the shared processes compute, beyond its due (see page-budget.ts). */
  sharedMs: number;
  /** Memory that no file backs: its own, and what it shares with other processes of the browser. */
  memoryMb: number;
  /** The most of it at any sample, this one too. */
  peakMb: number;
  /** Megabytes above any sample before: memory that was given back and is taken again is no growth. */
  grownMb: number;
}

/** The browser yields to Magpie, its pages to the browser, and a page that has computed for long to the other pages. */
const niceness = { browser: 2, page: 5, busyPage: 19 };
const kernelTicksMs = 10;

/** The processes of a group; none where the system has no /proc. `before` are those of the last sample. */
export function processesOf(group: number, before: ProcessUsage[] = []): ProcessUsage[] {
  forgetGroups();
  return processIds().flatMap(pid => {
    if ((groups.get(pid) ?? group) !== group) return [];
    const stat = fieldsOf(readProc(pid, "stat"));
    groups.set(pid, Number(stat[groupField]));
    if (Number(stat[groupField]) !== group) return [];
    return [
      useOf(
        pid,
        stat,
        before.find(each => each.pid === pid),
      ),
    ];
  });
}

/** How long a process counts as one of the group that it was seen in: most of a machine's are of other groups. */
const keepGroupsMs = 5000;
const groups = new Map<number, number>();
let forgottenAt = performance.now();

/** The kernel gives the number of an ended process to another one. */
function forgetGroups(): void {
  if (performance.now() - forgottenAt < keepGroupsMs) return;
  forgottenAt = performance.now();
  groups.clear();
}

export function memoryOf(group: number): number {
  return sum(processesOf(group));
}

export function sum(processes: Pick<ProcessUsage, "memoryMb">[]): number {
  return Math.round(processes.reduce((total, { memoryMb }) => total + memoryMb, 0));
}

/**
 * Lowers the priority of a process, thread by thread, since Linux gives each thread its own. Chromium raises its own
 * priority where it may, so each sample repeats this.
 */
export function lowerPriority({ pid, isRenderer }: ProcessUsage, isBusy: boolean): void {
  const wanted = isBusy ? niceness.busyPage : isRenderer ? niceness.page : niceness.browser;
  for (const thread of threadsOf(pid))
    try {
      if (getPriority(thread) < wanted) setPriority(thread, wanted);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
}

// Fields of /proc/<pid>/stat from the third one, which follows the name in parentheses (proc(5)).
const groupField = 2;
const userTimeField = 11;
const systemTimeField = 12;

function useOf(pid: number, stat: string[], before?: ProcessUsage): ProcessUsage {
  const status = readProc(pid, "status") ?? "";
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
  const memoryMb = (kilobytes("RssAnon") + kilobytes("RssShmem")) / 1024;
  const cpuMs = (Number(stat[userTimeField]) + Number(stat[systemTimeField])) * kernelTicksMs;
  return {
    pid,
    // A renderer is forked from another kind of process, and stays one.
    isRenderer: before?.isRenderer || (readProc(pid, "cmdline")?.includes("--type=renderer") ?? false),
    cpuMs,
    recentCpuMs: cpuMs - (before?.cpuMs ?? 0),
    isNew: before === undefined,
    sharedMs: before?.sharedMs ?? 0,
    memoryMb,
    peakMb: Math.max(memoryMb, before?.peakMb ?? 0),
    grownMb: Math.max(0, memoryMb - (before?.peakMb ?? 0)),
  };
}

/** The name in the second field may hold blanks and parentheses. */
function fieldsOf(stat = ""): string[] {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function processIds(): number[] {
  return namesIn("/proc").filter(Number.isInteger);
}

function threadsOf(pid: number): number[] {
  return namesIn(`/proc/${pid}/task`);
}

function namesIn(folder: string): number[] {
  try {
    return readdirSync(folder).map(Number);
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** A process may end at any moment, and may be another user's; some systems have no /proc. */
function isGone(error: unknown): boolean {
  const { code, info } = error as NodeJS.ErrnoException & { info?: { code?: string } };
  return ["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(info?.code ?? code ?? "");
}
