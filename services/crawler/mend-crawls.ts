import { pagesOf } from "../../mixins/store/pages-of.ts";
import type { Query } from "../../mixins/store/store.ts";
import { announceOwed } from "./announce.ts";
import { endFromOutside } from "./cancel-crawl.ts";
import type { CrawlerRoom, StoredCrawl } from "./room.ts";
import { enqueue } from "./start-crawl.ts";

/** No more than the keys that can be asked for at a time. */
const slice = 500;

/**
 * Sees to crawls that lost who saw to them: a crash leaves no crawl without a job, an end, or its last notice. Several
 * nodes may do so at once.
 */
export async function mendCrawls(room: CrawlerRoom): Promise<void> {
  for await (const crawls of crawlsOf(room, underWay)) for (const crawl of crawls) await mend(room, crawl);
  for await (const crawls of crawlsOf(room, { owes: true }))
    for (const crawl of crawls) if (crawl.status !== "crawling") await announceOwed(room, crawl);
}

export const underWay: Query<StoredCrawl> = { slot: { $exists: true } };

/** Slices of the crawls that a query finds. */
export function crawlsOf(
  { crawls, closing }: Pick<CrawlerRoom, "crawls" | "closing">,
  query: Query<StoredCrawl>,
): AsyncGenerator<StoredCrawl[]> {
  return pagesOf(crawls, { query, limit: slice, signal: closing });
}

async function mend(room: CrawlerRoom, crawl: StoredCrawl): Promise<void> {
  if (crawl.cancelled) return await endFromOutside(room, crawl);
  const job = await room.jobs.get(crawl._id);
  if (job === null) return await enqueue(room, crawl._id);
  const hasEnded = job.state === "failed" || job.state === "completed";
  if (hasEnded) await giveUp(room, crawl._id, "internal_error");
}

/** Fails a crawl that has ended its workers again and again. */
export function giveUpStalled(room: CrawlerRoom, crawlId: string): Promise<void> {
  return giveUp(room, crawlId, "stalled");
}

async function giveUp(room: CrawlerRoom, _id: string, code: string): Promise<void> {
  const error = { code, message: "The crawl broke off again and again and was given up." };
  const failing = { stopReason: "given_up", error } as const;
  // Whoever drove it may have ended it in between.
  await room.crawls.updateMany({ _id, status: "crawling" }, { $set: { failing } });
  const crawl = await room.crawls.findById(_id);
  if (crawl?.status === "crawling") await endFromOutside(room, crawl);
}
