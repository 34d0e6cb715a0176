import type { Outcome } from "../../../mixins/frontier/frontier.ts";
import { pruneClaims } from "../../../mixins/store/idempotency.ts";
import { countsOf, type ErasureCounts, type ErasureOf } from "../../contracts/erasure.contract.ts";
import type { CrawlerContext } from "../context.ts";
import { isoTime, pageId, pagesOf, type StoredCrawl } from "../crawls.store.ts";
import { cancelCrawlsOfKey } from "./reconcile-crawls.ts";

const crawlsAtOnce = 100;
const pagesAtOnce = 100;
/** How long the service still answers 410 for an expired crawl. */
const rememberedMs = 7 * 24 * 60 * 60 * 1000;

/** Removes expired crawls in small steps. The record goes last, so an interrupted step is repeated. */
export async function expireCrawls(context: CrawlerContext): Promise<void> {
  const now = isoTime(context.now());
  const expired = { query: { expiresAt: { $lte: now } }, sort: ["expiresAt"], limit: crawlsAtOnce };
  for (;;) {
    const some = await context.crawls.find(expired);
    const hindered = await forgetAll(context, some);
    if (some.length < crawlsAtOnce || hindered > 0) break;
  }
  await context.tombstones.removeMany({ forgetAt: { $lte: now } });
  await pruneClaims(context.claims, context.now());
}

/** Returns how many remain for the next time: the scraper, which stores their screenshots, may be away. */
async function forgetAll(context: CrawlerContext, crawls: StoredCrawl[]): Promise<number> {
  let hindered = 0;
  for (const crawl of crawls)
    try {
      await forget(context, crawl);
    } catch (error) {
      if (context.closing.aborted) throw error;
      hindered += 1;
      context.onError("crawl_expiry.failed", crawl._id, error);
    }
  return hindered;
}

async function forget(context: CrawlerContext, crawl: StoredCrawl): Promise<void> {
  const { _id, owner } = crawl;
  await dropResults(context, crawl);
  await context.tombstones.upsert(_id, { $set: { owner, forgetAt: isoTime(context.now() + rememberedMs) } });
  await context.crawls.remove(_id);
}

async function dropResults(context: CrawlerContext, { _id, request }: StoredCrawl): Promise<void> {
  if (request.output.formats.includes("screenshot")) await context.forgetScreenshots(_id);
  await dropPages(context, _id);
  await context.frontier.drop(_id);
}

/** Milliseconds after which no run of a cancelled crawl can write a page any more. */
const settledMs = 120_000;

/**
 * Erases, or counts, the crawls and batches of keys. Those that run are cancelled; their records go once none of their runs
 * can write.
 */
export async function eraseCrawls(
  context: CrawlerContext,
  { keyIds, owner, dry }: ErasureOf,
): Promise<ErasureCounts> {
  if (!dry) {
    for (const keyId of keyIds) await eraseCrawlsOf(context, keyId);
    if (owner !== undefined) await context.tombstones.removeMany({ owner });
  }
  return await countsOf({
    crawls: context.crawls.count({ keyId: { $in: keyIds } }),
    "expired crawls": owner === undefined ? Promise.resolve(0) : context.tombstones.count({ owner }),
  });
}

export async function eraseCrawlsOf(context: CrawlerContext, keyId: string): Promise<void> {
  await cancelCrawlsOfKey(context, keyId);
  for (let after = ""; ; ) {
    const query = { keyId, _id: { $gt: after } };
    const some = await context.crawls.find({ query, sort: ["_id"], limit: crawlsAtOnce });
    for (const crawl of some) await eraseOne(context, crawl);
    if (some.length < crawlsAtOnce) return;
    after = some.at(-1)?._id ?? after;
  }
}

async function eraseOne(context: CrawlerContext, crawl: StoredCrawl): Promise<void> {
  const { _id, status, endedAt } = crawl;
  if (status === "crawling") return;
  await dropResults(context, crawl);
  const settledAt = status === "cancelled" ? Date.parse(endedAt ?? "") + settledMs : 0;
  if (settledAt <= context.now()) await context.crawls.remove(_id);
  else await context.crawls.update(_id, { $set: { expiresAt: isoTime(settledAt) } });
}

/** Takes the ids from the frontier, since the records of pages may be large. */
async function dropPages({ pages, frontier }: CrawlerContext, crawlId: string): Promise<void> {
  const states = ["completed", "failed"] as Outcome["state"][];
  for (let after = 0; ; ) {
    const some = await frontier.settled(crawlId, { after, limit: pagesAtOnce, states });
    await pages.removeMany({ _id: { $in: some.map(({ key }) => pageId(crawlId, key)) } });
    if (some.length < pagesAtOnce) break;
    after = some.at(-1)?.seq ?? after;
  }
  // Records of pages that did not end so: written by a run that had lost the crawl.
  await pages.removeMany(pagesOf(crawlId));
}
