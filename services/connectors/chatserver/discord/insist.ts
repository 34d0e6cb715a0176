import { setTimeout as sleep } from "node:timers/promises";
import { isRefusal } from "../../microblog/refusal.ts";
import type { DriverTools } from "../../social/social-connector.ts";

const longestWaitMs = 60_000;

/**
 * Tries until it is done; undefined when the signal ended that. Waits between attempts, ever longer; after one in
 * which something stood (`stands`) the wait is short again. Rejects with a refusal only. `onLost` is told the first
 * fault, and the first one after something stood.
 */
export async function insist<T>(
  attempt: (stands: () => void) => Promise<T>,
  onLost: (error: Error) => void,
  { reconnectMs, random }: DriverTools,
  signal: AbortSignal,
): Promise<T | undefined> {
  let waitMs = reconnectMs;
  let isLost = false;
  const stands = () => {
    waitMs = reconnectMs;
    isLost = false;
  };
  while (!signal.aborted) {
    try {
      return await attempt(stands);
    } catch (error) {
      if (signal.aborted) return undefined;
      if (isRefusal(error)) throw error;
      if (!isLost) onLost(error as Error);
      isLost = true;
      await sleep(waitMs * (1 - random() / 2), undefined, { signal }).catch(() => undefined);
      waitMs = Math.min(waitMs * 2, longestWaitMs);
    }
  }
  return undefined;
}
