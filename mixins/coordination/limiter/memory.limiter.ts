import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import type { Limiter, OpenLimiter } from "./limiter.ts";
import { byRate, SlidingWindow, WindowLogs } from "./sliding-window.ts";

/** The limiter of a single process. `now` gives milliseconds and never goes back, even if the wall clock does. */
export function memoryLimiter(now: () => number = () => performance.now()): OpenLimiter & { keys(): number } {
  const logs = new WindowLogs();
  return {
    ...byRate(rate => new SlidingWindow(rate, logs, now)),
    acquire: slots(),
    /** Keys in memory. */
    keys: () => logs.size,
    close: async () => undefined,
  };
}

/** Concurrency slots of this process; a key without a taken slot uses no memory. */
export function slots(): Limiter["acquire"] {
  const taken = new Map<string, Set<string>>();
  return async (key, max, holder = randomUUID()) => {
    const holders = taken.get(key) ?? new Set();
    if (holders.size >= max && !holders.has(holder)) return null;
    taken.set(key, holders.add(holder));
    return () => {
      holders.delete(holder);
      if (holders.size === 0 && taken.get(key) === holders) taken.delete(key);
    };
  };
}
