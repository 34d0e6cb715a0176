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

/**
 * What a page may make the processes compute that all pages of a browser share: this part of the time, and so much beyond.
 * An ordinary page takes some 40 ms of them.
 */
const sharedPart = 0.2;
const maxSharedMs = 1000;
/** What they have yet to compute waits in their memory. The picture of a long page takes 250 MB for a moment. */
const msPerMb = 2.5;

/**
 * Charges each renderer of a browser with what the shared processes computed since the last sample, by its part of what all
 * renderers computed. History entries, console messages, cookies and channels cost a page little, and the browser much.
 */
export function chargeShared(processes: ProcessUsage[], elapsedMs: number): void {
  const renderers = processes.filter(({ isRenderer }) => isRenderer);
  // A browser that has just started computes for itself.
  const others = processes.filter(({ isRenderer, isNew }) => !isRenderer && !isNew);
  const shared = recent(others) + msPerMb * others.reduce((total, { grownMb }) => total + grownMb, 0);
  const all = recent(renderers);
  for (const renderer of renderers) {
    const part = all === 0 ? 0 : renderer.recentCpuMs / all;
    renderer.sharedMs = Math.max(0, renderer.sharedMs + part * shared - sharedPart * elapsedMs);
  }
}

function recent(processes: ProcessUsage[]): number {
  return processes.reduce((total, { recentCpuMs }) => total + recentCpuMs, 0);
}

/** What to do after a sample of the browsers. */
export interface Verdict {
  /** Renderers that get a lower priority than the others. */
  yielding: number[];
  /** Renderers to end, each with the error message of its job. */
  ended: Map<number, string>;
  /** The ended pages that keep their browsers busy. */
  floods: number[];
  /** All together use more memory than they may. */
  isOver: boolean;
  /** The renderer to end in that case; undefined when ending a page would not help. */
  toBlame: number | undefined;
}

/** Processor time since the last sample that makes a page the cause of the memory that the browser's own process uses. */
const busyMs = 50;

/**
 * Judges by what each process uses. A page may use half of the memory. When all together use more than they may, the
 * heaviest page is to blame. When no page has a fifth of the total, the page that has computed most since the last sample
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
  const [flood] = renderers.toSorted((a, b) => b.sharedMs - a.sharedMs);
  const floods = flood !== undefined && flood.sharedMs > maxSharedMs ? [flood.pid] : [];
  return {
    floods,
    yielding: pages(({ cpuMs }) => cpuMs > yieldAfterCpuMs),
    ended: new Map([
      ...pages(({ cpuMs }) => cpuMs > maxPageCpuMs).map(pid => [pid, tooLong] as const),
      ...floods.map(pid => [pid, tooMuchForOthers] as const),
      ...pages(({ memoryMb }) => memoryMb > maxMemoryMb / 2).map(pid => [pid, tooLarge] as const),
    ]),
    isOver: totalMb > maxMemoryMb,
    toBlame: isHeavy ? heaviest.pid : isBusy ? busiest.pid : undefined,
  };
}

const tooLong = "The page computes for longer than a page may.";
const tooMuchForOthers = "The page keeps the browser busy that shows the pages of others, too.";
export const tooLarge = "The page uses more memory than a page may.";
