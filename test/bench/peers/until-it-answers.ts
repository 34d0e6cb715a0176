import { setTimeout as delay } from "node:timers/promises";

const startMs = 120_000;
const pauseMs = 200;

/** Asks a program that starts until it answers; throws why it does not. */
export async function untilItAnswers(ask: () => Promise<unknown>): Promise<void> {
  for (let left = startMs; ; left -= pauseMs) {
    try {
      await ask();
      return;
    } catch (error) {
      if (left <= 0) throw error;
      await delay(pauseMs);
    }
  }
}
