import { setTimeout as sleep } from "node:timers/promises";
import { fail } from "../../../services/contracts/errors.ts";

const patienceMs = 15_000;

/** A moment at random, for others to get on; rejects with `overloaded` when that goes on since (performance.now) long. */
export async function pause(since: number, longestMs = 20): Promise<void> {
  if (performance.now() - since > patienceMs)
    throw fail("overloaded", "The service cannot take this request right now. Try again shortly.");
  await sleep(1 + Math.random() * longestMs);
}
