import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";

const resolutionMs = 10;

/** Milliseconds for which the loop of this process was held at most during some work, and the result of the work. */
export async function longestHold<Result>(
  work: () => Promise<Result>,
): Promise<{ heldMs: number; result: Result }> {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  try {
    const result = await work();
    // The histogram learns of a hold at the turn behind it.
    await sleep(2 * resolutionMs);
    return { heldMs: delays.max / 1e6, result };
  } finally {
    delays.disable();
  }
}
