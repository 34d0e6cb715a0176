import type { Counts } from "../../mixins/frontier/frontier.ts";
import type { CrawlState, StopReason } from "../contracts/crawler.contract.ts";
import { announceOwed } from "./announce.ts";
import { type CrawlerRoom, isoTime, type StoredCrawl } from "./room.ts";

const keptMs = 24 * 60 * 60 * 1000;

/**
 * Ends a crawl whose pages are all done or shall not be: the frontier first, since nothing can move its counts any more
 * then; the record once; its webhook last. A step that was broken off is repeated with the same outcome, which follows
 * from what is on disk alone.
 */
export async function endCrawl(room: CrawlerRoom, crawl: StoredCrawl, fence: number): Promise<void> {
  const { _id } = crawl;
  const { status, stopReason } = endOf(crawl, await room.frontier.counts(_id));
  const counts = await room.frontier.finish(_id, fence, stopReason);
  const now = room.now();
  const ended = {
    status,
    stopReason,
    counts,
    endedAt: isoTime(now),
    expiresAt: isoTime(now + keptMs),
  };
  await room.crawls.updateMany({ _id, status: "crawling" }, { $set: ended, $unset: { slot: true } });
  const final = await room.crawls.findById(_id);
  if (final) await announceOwed(room, final);
}

function endOf(
  { cancelled, failing, request: { crawler } }: StoredCrawl,
  { completed, failed }: Counts,
): { status: CrawlState; stopReason: StopReason } {
  if (cancelled) return { status: "cancelled", stopReason: "cancelled" };
  if (failing) return { status: "failed", stopReason: failing.stopReason };
  return { status: "completed", stopReason: completed + failed >= crawler.limit ? "limit" : "finished" };
}
