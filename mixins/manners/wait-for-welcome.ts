import { setTimeout as delay } from "node:timers/promises";

/** Of a visitor that waits, so that one that has died is soon left out. */
const longestWaitMs = 1000;
const untilAskedAgainMs = 50;
const afterTroubleMs = 1000;

/** Milliseconds for which nobody is welcome; `full`: until another visitor leaves; 0: the visit has begun. */
export type Answer = number | "full";

/** Asks again and again until the visit has begun. Trouble is told, and then it is asked again. */
export async function waitForWelcome(
  ask: () => Promise<Answer>,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const waitMs = await ask().then(
      answer => (answer === "full" ? untilAskedAgainMs : answer),
      error => {
        onError(error);
        return afterTroubleMs;
      },
    );
    if (waitMs === 0) return;
    await delay(Math.min(waitMs, longestWaitMs), undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
