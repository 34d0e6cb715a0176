import { setImmediate as nextTurn } from "node:timers/promises";
import { pruneClaims } from "../../../mixins/idempotency/claim-job.ts";
import { resultId } from "./end-scrape.ts";
import type { JobsRoom, StoredScrape } from "./room.ts";

/** How long an expired scrape is known as such. */
const tombstoneMs = 72 * 3_600_000;
/** Records at a time: some milliseconds. */
const sliceSize = 100;

/** Removes the results of scrapes that have expired, later their records; in slices, with other work in between. */
export async function pruneScrapes(jobs: JobsRoom): Promise<void> {
  const now = jobs.now();
  for (;;) {
    const query = { pruneAt: { $lte: now } };
    const due = await jobs.scrapes.find({ query, sort: ["pruneAt"], limit: sliceSize });
    await bury(
      jobs,
      due.filter(({ expiresAt, pruneAt }) => expiresAt === pruneAt),
    );
    await forget(
      jobs,
      due.filter(({ expiresAt, pruneAt }) => expiresAt !== pruneAt),
    );
    if (due.length < sliceSize) return await pruneClaims(jobs.claims, now);
    await nextTurn();
  }
}

/** What is left says that there was a scrape, and whose. */
async function bury({ scrapes, results }: JobsRoom, expired: StoredScrape[]): Promise<void> {
  await results.removeMany({ _id: { $in: expired.flatMap(allResults) } });
  for (const { _id, expiresAt = 0 } of expired)
    await scrapes.update(_id, {
      $set: { pruneAt: expiresAt + tombstoneMs, url: "" },
      $unset: { error: true, webhook: true, checkAt: true },
    });
}

/** Runs that lost the scrape may have left results, too. */
function allResults({ _id, fence }: StoredScrape): string[] {
  return Array.from({ length: fence + 1 }, (_, each) => resultId(_id, each));
}

async function forget({ scrapes }: JobsRoom, buried: StoredScrape[]): Promise<void> {
  await scrapes.removeMany({ _id: { $in: buried.map(({ _id }) => _id) } });
}
