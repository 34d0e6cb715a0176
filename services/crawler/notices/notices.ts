import type { JobWebhook } from "../../contracts/page-options.ts";
import type { JobNotice } from "../../contracts/webhook-dispatcher.contract.ts";
import { batchOverviewOf } from "../batch/batch-results.ts";
import type { CrawlerContext } from "../context.ts";
import { idOf, isoTime, nounOf, type StoredCrawl } from "../crawls.store.ts";
import { overviewOf } from "../results/crawl-results.ts";
import { noticeOf, type Webhook } from "./notice.ts";
import { announcePages } from "./page-notices.ts";

type Turn = Exclude<JobWebhook["events"][number], "page">;

/**
 * Sends the notices that a crawl's webhook asked for and has not received, those of its pages before that of its end.
 * Repeated until it succeeds: the id of a notice is made of crawl and event, so repeating creates no second one.
 */
export async function sendNotices(context: CrawlerContext, crawl: StoredCrawl): Promise<void> {
  const { webhook } = crawl.request;
  if (!webhook || !crawl.owes) return;
  const ended = crawl.status !== "crawling";
  const owed = turnsOf(crawl, webhook).filter(turn => !crawl.notified.includes(typeOf(crawl, turn)));
  try {
    if (ended) await announcePages(context, crawl);
    for (const turn of owed)
      await context.notify(await turnNotice(context, crawl, webhook, turn), crawl.traceparent);
  } catch (error) {
    context.onError("crawl_notice.failed", crawl._id, error);
    return;
  }
  const notified = [...crawl.notified, ...owed.map(turn => typeOf(crawl, turn))];
  await context.crawls.update(crawl._id, { $set: { notified }, ...(ended && { $unset: { owes: true } }) });
}

/** The turns that a crawl has taken and its webhook wants. A cancelled crawl did not complete. */
function turnsOf({ status }: StoredCrawl, { events }: JobWebhook): Turn[] {
  const end = status === "completed" ? "completed" : "failed";
  const taken: Turn[] = status === "crawling" ? ["started"] : ["started", end];
  return taken.filter(turn => events.includes(turn));
}

function typeOf({ kind }: StoredCrawl, turn: Turn): JobNotice["type"] {
  return `${kind ?? "crawl"}.${turn}`;
}

async function turnNotice(
  context: CrawlerContext,
  crawl: StoredCrawl,
  webhook: Webhook,
  turn: Turn,
): Promise<JobNotice> {
  const counts = crawl.counts ?? (await context.frontier.counts(crawl._id));
  const overview = crawl.kind === "batch" ? batchOverviewOf(crawl, counts) : overviewOf(crawl, counts);
  const noun = nounOf(idOf(crawl));
  const cancelled = { code: "cancelled", message: `The ${noun} was cancelled.` };
  const job = { ...overview, ...(crawl.status === "cancelled" && { error: cancelled }) };
  return await noticeOf(context, crawl, webhook, {
    event: turn,
    name: turn,
    ...(turn === "failed" && { error: job.error?.message ?? `The ${noun} failed.` }),
    job,
    timestamp: crawl.endedAt ?? isoTime(context.now()),
  });
}
