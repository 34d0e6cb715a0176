import { performance } from "node:perf_hooks";
import type { Limiter, Rate, Verdict } from "./limiter.ts";
import { SlidingWindow, SlidingWindowRes } from "./sliding-window.ts";
import { slots } from "./slots.ts";
import { WindowLogs } from "./window-logs.ts";

const ratesKept = 1000;

/** The limiter of a single process. `now` gives milliseconds and never goes back, whatever the wall clock does. */
export function memoryLimiter(now: () => number = () => performance.now()): Limiter & { keys(): number } {
  const logs = new WindowLogs();
  const windows = new Map<string, SlidingWindow>();
  return {
    consume: (key, rate) => consume(windowOf(windows, rate, logs, now), key),
    acquire: slots(),
    /** Keys that are held in memory. */
    keys: () => logs.size,
  };
}

/** One limiter for each rate in use; they hold no counts, so they can be forgotten at any time. */
function windowOf(
  windows: Map<string, SlidingWindow>,
  rate: Rate,
  logs: WindowLogs,
  now: () => number,
): SlidingWindow {
  const name = `${rate.limit}/${rate.windowMs}`;
  const known = windows.get(name);
  if (known) return known;
  if (windows.size >= ratesKept) windows.clear();
  const window = new SlidingWindow(rate, logs, now);
  windows.set(name, window);
  return window;
}

/** rate-limiter-flexible rejects with its answer when the request is refused. */
async function consume(window: SlidingWindow, key: string): Promise<Verdict> {
  try {
    return verdict(true, (await window.consume(key)) as SlidingWindowRes);
  } catch (refusal) {
    if (refusal instanceof SlidingWindowRes) return verdict(false, refusal);
    throw refusal;
  }
}

function verdict(allowed: boolean, answer: SlidingWindowRes): Verdict {
  return {
    allowed,
    remaining: answer.remainingPoints,
    retryAfterMs: answer.msBeforeNext,
    resetMs: answer.resetMs,
  };
}
