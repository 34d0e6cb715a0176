import { setTimeout as delay } from "node:timers/promises";
import { type Bench, type Outcome, verdict } from "./compare.ts";
import { type MemoryLoad, memoryLoads } from "./memory-loads.ts";
import { kilobytes, megabytesOfTrees } from "./processes.ts";

const idleBarMb = 200;
const loadBarMb = 350;
const againBar = 1.3;
const lookEveryMs = 250;
/** A start, and what it warms, is over by then, and its garbage is collected. */
const settleMs = 20_000;
const minuteMs = 60_000;

/**
 * Memory of the program without its browser (PSS): after a start, there with the browser as well, at most under each load, and the least within a minute
 * after it. A word chooses the loads whose names hold it.
 */
export const memory: Bench = async (word = "") => {
  const outcomes: Outcome[] = [];
  for (const [name, open] of Object.entries(memoryLoads))
    if (name.includes(word)) outcomes.push(...outcomesOf(name, await measure(open)));
  return outcomes;
};

interface Memory {
  idleMb: number;
  /** With the browser, which a start warms where there is memory for it. */
  idleWithBrowserMb: number;
  peakMb: number;
  againMb: number;
}

async function measure(open: () => Promise<MemoryLoad>): Promise<Memory> {
  const load = await open();
  try {
    await delay(settleMs);
    const idleMb = megabytes(load);
    const idleWithBrowserMb = megabytesOfTrees([load.pid]);
    let peakMb = idleMb;
    const timer = setInterval(() => {
      peakMb = Math.max(peakMb, megabytes(load));
    }, lookEveryMs);
    await load.work().finally(() => clearInterval(timer));
    return { idleMb, idleWithBrowserMb, peakMb, againMb: await leastWithinAMinute(load, againBar * idleMb) };
  } finally {
    await load.close();
  }
}

async function leastWithinAMinute(load: MemoryLoad, enough: number): Promise<number> {
  const until = performance.now() + minuteMs;
  let least = megabytes(load);
  while (least > enough && performance.now() < until) {
    await delay(lookEveryMs);
    least = Math.min(least, megabytes(load));
  }
  return least;
}

/** Of the process itself: its children are the browser's. */
function megabytes({ pid }: MemoryLoad): number {
  return kilobytes(pid, "smaps_rollup", "Pss") / 1024;
}

function outcomesOf(name: string, { idleMb, idleWithBrowserMb, peakMb, againMb }: Memory): Outcome[] {
  const again = againMb / idleMb;
  const withBrowser = `${idleWithBrowserMb.toFixed(0)} MB with the browser that a start warms`;
  return [
    verdict(`memory: idle ${idleMb.toFixed(0)} MB (${withBrowser}) before ${name}`, idleMb, "<=", idleBarMb),
    verdict(`memory: ${name}: at most ${peakMb.toFixed(0)} MB`, peakMb, "<=", loadBarMb),
    verdict(
      `memory: within a minute after ${name}: ${againMb.toFixed(0)} MB, ${again.toFixed(2)} of idle`,
      again,
      "<=",
      againBar,
    ),
  ];
}
