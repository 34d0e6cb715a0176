import type { Caller } from "../contracts/caller.ts";
import { fail } from "../contracts/errors.ts";
import { endCrawl } from "./end-crawl.ts";
import { findCrawl } from "./records.ts";
import { boundsOf, type CrawlerRoom, lastFence, type StoredCrawl } from "./room.ts";

interface Cancelled {
  crawl_id: string;
  version: "v1";
  status: "cancelled";
}

/** Ends a crawl that is under way; what it has found stays. Repeating it changes nothing. */
export async function cancelCrawl(room: CrawlerRoom, caller: Caller, crawlId: string): Promise<Cancelled> {
  const crawl = await findCrawl(room, caller, crawlId);
  if (crawl.status === "crawling") await cancelNow(room, crawl);
  const { status } = (await room.crawls.findById(crawlId)) ?? crawl;
  if (status !== "cancelled") throw fail("already_finished", "This crawl has ended already.");
  return { crawl_id: crawlId, version: "v1", status };
}

/** The mark comes first, so that whoever drives the crawl next ends it, should this be broken off. */
export async function cancelNow(room: CrawlerRoom, { _id }: StoredCrawl): Promise<void> {
  await room.crawls.updateMany({ _id, status: "crawling" }, { $set: { cancelled: true } });
  const crawl = await room.crawls.findById(_id);
  if (crawl?.status !== "crawling") return;
  await endFromOutside(room, crawl);
  await room.jobs.cancel(_id);
}

/** Takes a crawl from its driver, who learns that with its next step, and ends it. */
export async function endFromOutside(room: CrawlerRoom, crawl: StoredCrawl): Promise<void> {
  await room.frontier.open(crawl._id, lastFence, boundsOf(crawl));
  await endCrawl(room, crawl, lastFence);
}
