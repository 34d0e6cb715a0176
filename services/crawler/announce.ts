import type { JobWebhook } from "../contracts/page-options.ts";
import type { JobNotice } from "../contracts/webhook.contract.ts";
import { standing } from "./records.ts";
import { type CrawlerRoom, isoTime, type StoredCrawl } from "./room.ts";

/**
 * Tells a crawl's own webhook what it asked for and has not been told. Repeated until it is told: the identity of a
 * notice is made of crawl and event, so that a repeated step makes no second one.
 */
export async function announceOwed(room: CrawlerRoom, crawl: StoredCrawl): Promise<void> {
  const { webhook } = crawl.request;
  if (!webhook || !crawl.owes) return;
  const ended = crawl.status !== "crawling";
  const owed = owedTypes(crawl, webhook).filter(type => !crawl.told.includes(type));
  try {
    for (const type of owed) await room.announce(await noticeOf(room, crawl, webhook, type));
  } catch (error) {
    room.onFault("crawl.not_announced", crawl._id, error);
    return;
  }
  const told = [...crawl.told, ...owed];
  await room.crawls.update(crawl._id, { $set: { told }, ...(ended && { $unset: { owes: true } }) });
}

/** A cancelled crawl did not complete. */
function owedTypes({ status }: StoredCrawl, { events }: JobWebhook): JobNotice["type"][] {
  const end = status === "completed" ? "completed" : "failed";
  const due: JobWebhook["events"] = status === "crawling" ? ["started"] : ["started", end];
  return due.filter(event => events.includes(event)).map(event => `crawl.${event}` as const);
}

async function noticeOf(
  { frontier, now }: CrawlerRoom,
  crawl: StoredCrawl,
  { url, headers = {} }: JobWebhook,
  type: JobNotice["type"],
): Promise<JobNotice> {
  const counts = crawl.counts ?? (await frontier.counts(crawl._id));
  const job = standing(crawl, counts);
  const cancelled = { code: "cancelled", message: "The crawl was cancelled." };
  return {
    id: `${crawl._id}.${type.slice("crawl.".length)}`,
    type,
    keyId: crawl.keyId,
    url,
    headers,
    job: { ...job, ...(crawl.status === "cancelled" && { error: cancelled }) },
    timestamp: crawl.endedAt ?? isoTime(now()),
  };
}
