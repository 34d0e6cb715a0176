import type { Stalled } from "../../../mixins/queue/queue.ts";
import { pagesOf } from "../../../mixins/store/pages.ts";
import type { Query } from "../../../mixins/store/store.ts";
import { enqueue } from "../accept-crawl.ts";
import type { CrawlerContext } from "../context.ts";
import type { StoredCrawl } from "../crawls.store.ts";
import { cancelNow, endFromOutside } from "../end-crawl.ts";
import { sendNotices } from "../notices/notices.ts";
import { blameMarkedPage } from "../pages/crash-tracking.ts";

/** The most keys that one call can check. */
const slice = 500;

/**
 * Repairs crawls after crashes: each gets the job, the end or the last notice that it lacks. Several nodes may do this
 * at the same time.
 */
export async function reconcileCrawls(context: CrawlerContext): Promise<void> {
  for await (const crawls of crawlsOf(context, underWay))
    for (const crawl of crawls) await reconcile(context, crawl);
  for await (const crawls of crawlsOf(context, { owes: true }))
    for (const crawl of crawls) if (crawl.status !== "crawling") await sendNotices(context, crawl);
}

const underWay: Query<StoredCrawl> = { slot: { $exists: true } };

/** The crawls that a query finds, in slices. */
function crawlsOf(
  { crawls, closing }: Pick<CrawlerContext, "crawls" | "closing">,
  query: Query<StoredCrawl>,
): AsyncGenerator<StoredCrawl[]> {
  return pagesOf(crawls, { query, limit: slice, signal: closing });
}

async function reconcile(context: CrawlerContext, crawl: StoredCrawl): Promise<void> {
  if (crawl.cancelled) return await endFromOutside(context, crawl);
  const job = await context.jobs.get(crawl._id);
  if (job === null) return await enqueue(context, crawl._id);
  const hasEnded = job.state === "failed" || job.state === "completed";
  if (hasEnded) await giveUp(context, crawl._id, "internal_error");
}

/** Fails a crawl that has crashed its workers again and again. If one of its pages did, fails that page instead. */
export async function giveUpStalled(context: CrawlerContext, crawlId: string): Promise<Stalled> {
  if (await blameMarkedPage(context, crawlId)) return "again";
  await giveUp(context, crawlId, "stalled");
}

async function giveUp(context: CrawlerContext, _id: string, code: string): Promise<void> {
  const error = { code, message: "The crawl failed again and again and was given up." };
  const failing = { stopReason: "given_up", error } as const;
  // Its run may have ended it in the meantime.
  await context.crawls.updateMany({ _id, status: "crawling" }, { $set: { failing } });
  const crawl = await context.crawls.findById(_id);
  if (crawl?.status === "crawling") await endFromOutside(context, crawl);
}

/** Cancels the crawls of deleted keys whose broadcast was lost. */
export async function cancelCrawlsOfDeletedKeys(context: CrawlerContext): Promise<void> {
  for await (const crawls of crawlsOf(context, underWay)) {
    const keyIds = [...new Set(crawls.map(({ keyId }) => keyId))];
    const left = new Set(await context.existingKeys(keyIds));
    for (const keyId of keyIds) if (!left.has(keyId)) await cancelCrawlsOfKey(context, keyId);
  }
}

/** Cancels the crawls of a deleted key without notices: the secret that signs them was deleted with the key. */
export async function cancelCrawlsOfKey(context: CrawlerContext, keyId: string): Promise<void> {
  const underWay = await context.crawls.find({ query: { keyId, slot: { $exists: true } } });
  for (const crawl of underWay) {
    await context.crawls.update(crawl._id, { $unset: { owes: true } });
    await cancelNow(context, crawl);
  }
}
