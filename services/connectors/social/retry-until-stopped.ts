import { sleepUntilAborted } from "../../../mixins/async/sleep.ts";
import { type DriverTools, isRefusal } from "./social-connector.ts";

/** Milliseconds. */
const maxWaitMs = 60_000;
/** A shorter connection counts as a failure: every reconnect triggers a full catch-up read. */
const stableMs = 60_000;

/**
 * Retries until an attempt succeeds; undefined when the signal fires first. Waits between attempts grow, and are short
 * again after an attempt that was connected (it calls `connected`) for a while. Rejects with a refusal only. Calls
 * `onLost` with the first error, and with the first one after each connection.
 */
export async function retryUntilStopped<T>(
  attempt: (connected: () => void) => Promise<T>,
  onLost: (error: Error) => void,
  { now, random, reconnectMs }: Pick<DriverTools, "now" | "random" | "reconnectMs">,
  signal: AbortSignal,
): Promise<T | undefined> {
  let isLost = false;
  for (let waitMs = 0; !signal.aborted; ) {
    let connectedAt = Number.POSITIVE_INFINITY;
    const connected = () => {
      connectedAt = Math.min(connectedAt, now());
      isLost = false;
    };
    try {
      return await attempt(connected);
    } catch (error) {
      if (signal.aborted) return undefined;
      if (isRefusal(error)) throw error;
      if (!isLost) onLost(error as Error);
      isLost = true;
      waitMs = nextWait(waitMs, now() - connectedAt, reconnectMs);
      await sleepUntilAborted(waitMs * (1 - random() / 2), signal);
    }
  }
  return undefined;
}

/** All in milliseconds: the wait before the last attempt, how long it was connected, and the shortest wait. */
export function nextWait(previousMs: number, connectedMs: number, reconnectMs: number): number {
  if (connectedMs >= stableMs) return reconnectMs;
  return Math.min(Math.max(previousMs * 2, reconnectMs), maxWaitMs);
}
