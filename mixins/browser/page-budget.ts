import { type ProcessUsage, sum } from "./process-usage.ts";

/** What the pages of a browser may use. */
export interface PageBudget {
  /** Memory of all processes of the browser. */
  maxMemoryMb: number;
  /** Processor time of a renderer, of all its threads. */
  maxPageCpuMs: number;
}

/** Processor time after which a page yields to all others. */
const yieldAfterCpuMs = 3000;

/** The pool replaces a renderer that has used more between two jobs, so that each job has most of the time. */
export function isUsedUp(cpuMs: number, { maxPageCpuMs }: PageBudget): boolean {
  return cpuMs > maxPageCpuMs / 3;
}

/** What to do after a measurement of the browsers. */
export interface Verdict {
  /** Renderers that get a lower priority than the others. */
  yielding: number[];
  /** Renderers to end, each with the error message of its job. */
  ended: Map<number, string>;
  /** All together use more memory than they may. */
  isOver: boolean;
  /** The renderer to end in that case; undefined when ending a page would not help. */
  toBlame: number | undefined;
}

/** Processor time since the last look that makes a page the cause of the memory that the browser's own process uses. */
const busyMs = 50;

/**
 * Judges by what each process uses. A page may use half of the memory. When all together use more than they may, the
 * heaviest page is to blame. When no page has a fifth of the total, the page that has computed most since the last look
 * is to blame, since what a page sends in floods piles up in the browser's own process.
 */
export function judge(processes: ProcessUsage[], { maxMemoryMb, maxPageCpuMs }: PageBudget): Verdict {
  const renderers = processes.filter(({ isRenderer }) => isRenderer);
  const totalMb = sum(processes);
  const [heaviest] = renderers.toSorted((a, b) => b.memoryMb - a.memoryMb);
  const [busiest] = renderers.toSorted((a, b) => b.recentCpuMs - a.recentCpuMs);
  const isHeavy = heaviest !== undefined && heaviest.memoryMb > totalMb / 5;
  const isBusy = busiest !== undefined && busiest.recentCpuMs > busyMs;
  const pages = (isSo: (use: ProcessUsage) => boolean) => renderers.filter(isSo).map(({ pid }) => pid);
  return {
    yielding: pages(({ cpuMs }) => cpuMs > yieldAfterCpuMs),
    ended: new Map([
      ...pages(({ cpuMs }) => cpuMs > maxPageCpuMs).map(pid => [pid, tooLong] as const),
      ...pages(({ memoryMb }) => memoryMb > maxMemoryMb / 2).map(pid => [pid, tooLarge] as const),
    ]),
    isOver: totalMb > maxMemoryMb,
    toBlame: isHeavy ? heaviest.pid : isBusy ? busiest.pid : undefined,
  };
}

const tooLong = "The page computes for longer than a page may.";
export const tooLarge = "The page uses more memory than a page may.";
