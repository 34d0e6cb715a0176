import type { History } from "../../../mixins/history/history.ts";
import { countsOf, type ErasureCounts, type ErasureOf } from "../../contracts/erasure.contract.ts";
import { codeOf } from "../../contracts/errors.ts";
import { changesSourcesOf } from "../../domain/page-changes/changes-source.ts";
import { forgetChanges } from "../changes/former-pages.ts";
import type { ScraperContext } from "../context.ts";
import { resultId, type StoredScrape } from "../scrapes.store.ts";
import { cancelScrape } from "./end-scrape.ts";

const slice = 50;
/** Milliseconds after which no run of a cancelled scrape can write any more. */
const settledMs = 60_000;

/** Erases, or counts, what scrapes of keys have left: records, results, pictures, and what changes are compared with. */
export async function eraseScrapes(
  context: ScraperContext,
  history: Pick<History, "sourceIds" | "erase">,
  { keyIds, dry }: ErasureOf,
): Promise<ErasureCounts> {
  if (!dry)
    for (const keyId of keyIds) {
      await eraseScrapesOf(context, keyId);
      await forgetChanges(history, keyId);
    }
  const query = { keyId: { $in: keyIds } };
  return await countsOf({
    scrapes: context.scrapes.count(query),
    changes: countChanges(history, keyIds),
    site_sessions: context.tools.sessions?.count(keyIds) ?? Promise.resolve(0),
  });
}

async function countChanges(history: Pick<History, "sourceIds">, keyIds: string[]): Promise<number> {
  let changes = 0;
  for (const keyId of keyIds) {
    const start = changesSourcesOf(keyId);
    const ids = await history.sourceIds(start, 1000);
    changes += ids.filter(id => id.startsWith(start)).length;
  }
  return changes;
}

/** Erases sessions and scrapes of a key. Scrapes that were running leave an empty record, until none of their runs can write. */
export async function eraseScrapesOf(context: ScraperContext, keyId: string): Promise<void> {
  await context.tools.sessions?.eraseOfKey(keyId);
  for (let after = ""; ; ) {
    const query = { keyId, _id: { $gt: after } };
    const some = await context.scrapes.find({ query, sort: ["_id"], limit: slice });
    for (const scrape of some) await eraseOne(context, scrape);
    if (some.length < slice) return;
    after = some.at(-1)?._id ?? after;
  }
}

async function eraseOne(context: ScraperContext, scrape: StoredScrape): Promise<void> {
  const { scrapes, now } = context;
  const isRunning = scrape.status === "pending";
  if (isRunning) await cancel(context, scrape._id);
  await removeResults(context, scrape);
  const mayWrite =
    Date.parse(scrape.endedAt ?? "1970") + settledMs > now() && scrape.error?.code === "cancelled";
  if (!isRunning && !mayWrite) return void (await scrapes.remove(scrape._id));
  await scrapes.update(scrape._id, {
    $set: { url: "", owner: "" },
    $unset: { request: true, webhook: true, checkAt: true, readHash: true, heldBy: true },
  });
}

async function cancel(context: ScraperContext, id: string): Promise<void> {
  await cancelScrape(context, null, id).catch(error => {
    // It has ended, or is gone.
    if (!["already_finished", "not_found", "expired"].includes(codeOf(error) ?? "")) throw error;
  });
}

/** Runs that lost the scrape may have left results as well. */
async function removeResults(
  { results, tools: { blobs } }: ScraperContext,
  { _id, fence }: StoredScrape,
): Promise<void> {
  for (let run = 0; run <= fence; run += 1) {
    const id = resultId(_id, run);
    const { screenshot, actions } = (await results.findById(id))?.data ?? {};
    for (const key of [screenshot, ...(actions?.screenshots ?? [])])
      if (key !== undefined) await blobs.remove(key);
    await results.remove(id);
  }
}
