import { setTimeout as sleep } from "node:timers/promises";
import { isRefusal } from "./refusal.ts";
import type { DriverTools } from "./social-connector.ts";

/** Milliseconds. */
const longestWaitMs = 60_000;
/** What stood for less is no better than what never stood: each time that it stands, all that was missed is read. */
const goodMs = 60_000;

/**
 * Tries until it is done; undefined when the signal ended that. Waits between attempts, ever longer; after one in which
 * something stood (`stands`) for a while the wait is short again. Rejects with a refusal only. `onLost` is told the
 * first fault, and the first one after something stood.
 */
export async function insist<T>(
  attempt: (stands: () => void) => Promise<T>,
  onLost: (error: Error) => void,
  { now, random, reconnectMs }: Pick<DriverTools, "now" | "random" | "reconnectMs">,
  signal: AbortSignal,
): Promise<T | undefined> {
  let isLost = false;
  for (let waitMs = 0; !signal.aborted; ) {
    let stoodAt = Number.POSITIVE_INFINITY;
    const stands = () => {
      stoodAt = Math.min(stoodAt, now());
      isLost = false;
    };
    try {
      return await attempt(stands);
    } catch (error) {
      if (signal.aborted) return undefined;
      if (isRefusal(error)) throw error;
      if (!isLost) onLost(error as Error);
      isLost = true;
      waitMs = nextWait(waitMs, now() - stoodAt, reconnectMs);
      await sleep(waitMs * (1 - random() / 2), undefined, { signal }).catch(() => undefined);
    }
  }
  return undefined;
}

/** All in milliseconds: the wait before the last attempt, for how long something stood in it, and the shortest wait. */
export function nextWait(previousMs: number, stoodMs: number, reconnectMs: number): number {
  if (stoodMs >= goodMs) return reconnectMs;
  return Math.min(Math.max(previousMs * 2, reconnectMs), longestWaitMs);
}
