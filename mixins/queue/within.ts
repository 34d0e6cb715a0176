import { setTimeout as sleep } from "node:timers/promises";

/** For jobs at work when their worker closes. */
export const graceMsByDefault = 3000;
/** For their handlers once they were aborted. */
export const afterAbortMs = 1000;

/** Waits until all have settled, but no longer than `ms`. */
export async function within(ms: number, all: Promise<void>[]): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  await Promise.race([Promise.allSettled(all), pause(ms, signal)]);
  settled.abort();
}

/** Waits for `ms`, or until the signal fires. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
