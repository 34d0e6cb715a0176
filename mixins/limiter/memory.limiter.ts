import { performance } from "node:perf_hooks";
import { byRate } from "./by-rate.ts";
import type { OpenLimiter } from "./limiter.ts";
import { SlidingWindow } from "./sliding-window.ts";
import { slots } from "./slots.ts";
import { WindowLogs } from "./window-logs.ts";

/** The limiter of a single process. `now` gives milliseconds and never goes back, whatever the wall clock does. */
export function memoryLimiter(now: () => number = () => performance.now()): OpenLimiter & { keys(): number } {
  const logs = new WindowLogs();
  return {
    consume: byRate(rate => new SlidingWindow(rate, logs, now)),
    acquire: slots(),
    /** Keys that are held in memory. */
    keys: () => logs.size,
    close: async () => undefined,
  };
}
