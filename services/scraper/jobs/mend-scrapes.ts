import { announceEnd } from "./announce-scrape.ts";
import { forTheDead } from "./living.ts";
import { nextPriority, queueScrape } from "./queue-scrape.ts";
import type { JobsRoom, StoredScrape } from "./room.ts";

const sliceSize = 100;

/** Goes on with what somebody began and did not come back to in time: a scrape to be queued, or an end to be announced. */
export async function mendScrapes(jobs: JobsRoom): Promise<void> {
  const query = { checkAt: { $lte: jobs.now() } };
  for (const scrape of await jobs.scrapes.find({ query, sort: ["checkAt"], limit: sliceSize }))
    await mend(jobs, scrape).catch(error => jobs.onError("scrape.not_mended", error));
}

/** Gives to the queue what died with its node. */
export async function requeueHeld(jobs: JobsRoom): Promise<void> {
  for (
    let holder = await holderAfter(jobs, "");
    holder !== undefined;
    holder = await holderAfter(jobs, holder)
  ) {
    const nodeId = holder;
    if (nodeId !== jobs.nodeId) await forTheDead(jobs, nodeId, () => requeueAllOf(jobs, nodeId));
  }
}

/** The next of the nodes that hold scrapes: a step in the index for each of them, however many they hold. */
async function holderAfter({ scrapes }: JobsRoom, nodeId: string): Promise<string | undefined> {
  const next = { query: { heldBy: { $gt: nodeId } }, sort: ["heldBy"], limit: 1 };
  return (await scrapes.find(next))[0]?.heldBy;
}

async function requeueAllOf(jobs: JobsRoom, heldBy: string): Promise<void> {
  for (;;) {
    const held = await jobs.scrapes.find({ query: { heldBy }, limit: sliceSize });
    for (const scrape of held) await requeue(jobs, scrape);
    if (held.length < sliceSize) return;
  }
}

async function mend(jobs: JobsRoom, scrape: StoredScrape): Promise<void> {
  if (scrape.status === "pending") await requeue(jobs, scrape);
  else await announceEnd(jobs, scrape._id);
}

/** The queue knows the most of them: then nothing happens. */
async function requeue(jobs: JobsRoom, scrape: StoredScrape): Promise<void> {
  await queueScrape(jobs, scrape, await nextPriority(jobs, scrape.keyId));
  await jobs.scrapes.updateMany(
    { _id: scrape._id, status: "pending" },
    { $unset: { heldBy: true, isLate: true, checkAt: true } },
  );
}
