import type { JobWebhook } from "../contracts/page-options.ts";
import type { JobNotice } from "../contracts/webhook-dispatcher.contract.ts";
import { batchOverviewOf } from "./batch/batch-results.ts";
import type { CrawlerContext } from "./context.ts";
import {
  idOf,
  isoTime,
  nounOf,
  type SealedCrawlRequest,
  type StoredCrawl,
  unsealWebhookHeaders,
} from "./crawls.store.ts";
import { overviewOf } from "./results/crawl-results.ts";

/**
 * Sends the notices that a crawl's webhook asked for and has not received. Repeated until it succeeds: the id of a
 * notice is made of crawl and event, so repeating creates no second one.
 */
export async function sendNotices(context: CrawlerContext, crawl: StoredCrawl): Promise<void> {
  const { webhook } = crawl.request;
  if (!webhook || !crawl.owes) return;
  const ended = crawl.status !== "crawling";
  const owed = dueTypes(crawl, webhook).filter(type => !crawl.notified.includes(type));
  try {
    for (const type of owed)
      await context.notify(await noticeOf(context, crawl, webhook, type), crawl.traceparent);
  } catch (error) {
    context.onError("crawl_notice.failed", crawl._id, error);
    return;
  }
  const notified = [...crawl.notified, ...owed];
  await context.crawls.update(crawl._id, { $set: { notified }, ...(ended && { $unset: { owes: true } }) });
}

/** A cancelled crawl did not complete. */
function dueTypes({ kind, status }: StoredCrawl, { events }: JobWebhook): JobNotice["type"][] {
  const end = status === "completed" ? "completed" : "failed";
  const due: JobWebhook["events"] = status === "crawling" ? ["started"] : ["started", end];
  return due.filter(event => events.includes(event)).map(event => `${kind ?? "crawl"}.${event}` as const);
}

async function noticeOf(
  { frontier, vault, now }: CrawlerContext,
  crawl: StoredCrawl,
  webhook: NonNullable<SealedCrawlRequest["webhook"]>,
  type: JobNotice["type"],
): Promise<JobNotice> {
  const counts = crawl.counts ?? (await frontier.counts(crawl._id));
  const job = crawl.kind === "batch" ? batchOverviewOf(crawl, counts) : overviewOf(crawl, counts);
  const id = idOf(crawl);
  const cancelled = { code: "cancelled", message: `The ${nounOf(id)} was cancelled.` };
  return {
    id: `${id}.${type.slice(type.indexOf(".") + 1)}`,
    type,
    keyId: crawl.keyId,
    url: webhook.url,
    headers: await unsealWebhookHeaders(vault, crawl._id, webhook),
    job: { ...job, ...(crawl.status === "cancelled" && { error: cancelled }) },
    timestamp: crawl.endedAt ?? isoTime(now()),
  };
}
