import { type EventLoopUtilization, performance } from "node:perf_hooks";
import type { Middleware } from "moleculer";
import { GarbageCollector } from "./garbage.ts";

/** How often it is checked whether the process is idle. */
const checkEveryMs = 5_000;
/** The part of that time in which an idle process may have worked. */
const idleShare = 0.05;

/**
 * Gives memory back while the process has next to nothing to do: after its start, and after work that has left garbage.
 * The pause, some tens of milliseconds, then delays nobody.
 */
export function giveBackMemory(): Middleware {
  const garbage = new GarbageCollector();
  let timer: NodeJS.Timeout | undefined;
  let last: EventLoopUtilization;
  const check = () => {
    const now = performance.eventLoopUtilization();
    if (performance.eventLoopUtilization(now, last).utilization < idleShare) garbage.collectIfWorthIt();
    last = now;
  };
  return {
    name: "IdleMemory",
    async started() {
      last = performance.eventLoopUtilization();
      timer = setInterval(check, checkEveryMs).unref();
    },
    async stopped() {
      clearInterval(timer);
    },
  };
}
