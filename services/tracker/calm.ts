import { setImmediate as nextTurn } from "node:timers/promises";

/** Milliseconds that a turn of the event loop takes at the most while little is to be done. */
const calmMs = 4;

/** Resolves after a turn of the event loop in which little was to be done, or the first that ends after `patienceMs`. */
export async function calm(patienceMs: number): Promise<void> {
  const lateAt = performance.now() + patienceMs;
  for (;;) {
    const began = performance.now();
    await nextTurn();
    const ended = performance.now();
    if (ended - began < calmMs || ended >= lateAt) return;
  }
}
