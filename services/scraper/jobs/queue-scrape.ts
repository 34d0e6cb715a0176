import type { JobsRoom, StoredScrape } from "./room.ts";

/**
 * Runs of a job that throw have met a fault of ours, such as a room that is not there; a page's failure is an outcome. So
 * it is tried until the fault is mended.
 */
const attempts = 1000;
const backoffMs = [1000, 5000, 15_000, 60_000];
const lowestPriority = 2 ** 20;

/** Gives a pending scrape to the queue, which may have it already. */
export async function queueScrape({ queue }: JobsRoom, { _id }: Pick<StoredScrape, "_id">, priority = 0) {
  await queue.add({ id: _id, payload: null, priority, attempts, backoffMs });
}

/**
 * The place of a key's next job: behind as many as it has pending. So the first job of any key goes before the second
 * of another.
 */
export async function nextPriority({ scrapes }: JobsRoom, keyId: string): Promise<number> {
  return Math.min(await scrapes.count({ keyId, status: "pending" }), lowestPriority);
}
