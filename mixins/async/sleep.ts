import { setTimeout as sleep } from "node:timers/promises";

/** Waits; ends early, and without an error, when the signal fires. */
export async function sleepUntilAborted(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
