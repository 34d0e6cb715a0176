import type { Counts } from "../../mixins/frontier/frontier.ts";
import type { CancelledBatch } from "../contracts/batch.contract.ts";
import type { Caller } from "../contracts/caller.ts";
import type { CrawlState, StopReason } from "../contracts/crawler.contract.ts";
import { fail } from "../contracts/errors.ts";
import { batchIdIn } from "./batch/batch-results.ts";
import { offerUrls } from "./batch/offer-urls.ts";
import { type CrawlerContext, lastFence } from "./context.ts";
import { boundsOf, isoTime, nounOf, type StoredCrawl } from "./crawls.store.ts";
import { sendNotices } from "./notices/notices.ts";
import { findCrawl } from "./results/crawl-results.ts";

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Ends a crawl whose pages are done or are not to be read: first the frontier, which freezes the counts; then the
 * record, once; last the webhook. An interrupted step is repeated with the same outcome, since the outcome follows from
 * the stored state alone.
 */
export async function endCrawl(context: CrawlerContext, crawl: StoredCrawl, fence: number): Promise<void> {
  const { _id } = crawl;
  // What a batch has not begun to read is listed as skipped.
  await offerUrls(context, crawl, fence);
  const { status, stopReason } = endOf(crawl, await context.frontier.counts(_id));
  const counts = await context.frontier.finish(_id, fence, stopReason);
  const now = context.now();
  const ended = {
    status,
    stopReason,
    counts,
    endedAt: isoTime(now),
    expiresAt: isoTime(now + (context.keptMs ?? dayMs)),
  };
  await context.crawls.updateMany({ _id, status: "crawling" }, { $set: ended, $unset: { slot: true } });
  const final = await context.crawls.findById(_id);
  if (final) await sendNotices(context, final);
}

function endOf(
  { cancelled, failing, overQuota, kind, request: { crawler } }: StoredCrawl,
  { completed, failed }: Counts,
): { status: CrawlState; stopReason: StopReason } {
  if (cancelled) return { status: "cancelled", stopReason: "cancelled" };
  if (failing) return { status: "failed", stopReason: failing.stopReason };
  if (overQuota) return { status: "completed", stopReason: "quota" };
  const isFull = kind !== "batch" && completed + failed >= crawler.limit;
  return { status: "completed", stopReason: isFull ? "limit" : "finished" };
}

interface Cancelled {
  crawl_id: string;
  version: "v1";
  status: "cancelled";
}

/**
 * Cancels a running crawl or batch of the caller's owner, null for any; its results stay. Repeating it changes nothing.
 */
export async function cancelCrawl(
  context: CrawlerContext,
  caller: Pick<Caller, "owner"> | null,
  crawlId: string,
): Promise<Cancelled> {
  const crawl = await findCrawl(context, caller, crawlId);
  if (crawl.status === "crawling") await cancelNow(context, crawl);
  const { status } = (await context.crawls.findById(crawl._id)) ?? crawl;
  if (status !== "cancelled") throw fail("already_finished", `This ${nounOf(crawlId)} has ended already.`);
  return { crawl_id: crawlId, version: "v1", status };
}

/** Cancels a running batch in the same way. */
export async function cancelBatch(
  context: CrawlerContext,
  caller: Caller,
  batchId: string,
): Promise<CancelledBatch> {
  const { crawl_id, ...cancelled } = await cancelCrawl(context, caller, batchIdIn(batchId));
  return { batch_id: crawl_id, ...cancelled };
}

/** Writes the mark first: if this is interrupted, the next run ends the crawl. */
export async function cancelNow(context: CrawlerContext, { _id }: StoredCrawl): Promise<void> {
  await context.crawls.updateMany({ _id, status: "crawling" }, { $set: { cancelled: true } });
  const crawl = await context.crawls.findById(_id);
  if (crawl?.status !== "crawling") return;
  await endFromOutside(context, crawl);
  await context.jobs.cancel(_id);
}

/** Takes a crawl from its run, whose next step then fails, and ends it. */
export async function endFromOutside(context: CrawlerContext, crawl: StoredCrawl): Promise<void> {
  await context.frontier.open(crawl._id, lastFence, boundsOf(crawl));
  await endCrawl(context, crawl, lastFence);
}
