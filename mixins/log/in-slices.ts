import { setImmediate as nextTurn } from "node:timers/promises";

/** Entries that go at a time: a few milliseconds. */
export const sliceSize = 500;

/** Lets other work in between the slices; one of them may be the end, and the next start goes on. */
export async function inSlices(slice: () => number | Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const removed = await slice();
    total += removed;
    if (removed < sliceSize) return total;
    await nextTurn();
  }
}
