import type { Settled } from "../../mixins/frontier/frontier.ts";
import type { Caller } from "../contracts/caller.ts";
import type { CrawlError } from "../contracts/crawler.contract.ts";
import { findCrawl, placeOf } from "./records.ts";
import { type CrawlerRoom, pageId } from "./room.ts";
import { sentenceFor } from "./skip-sentences.ts";

interface Wanted {
  crawl_id: string;
  cursor?: string;
  limit: number;
}

/** The pages that failed or were skipped after a cursor. */
export async function crawlErrors(
  room: CrawlerRoom,
  caller: Caller,
  { crawl_id, cursor, limit }: Wanted,
): Promise<{ crawl_id: string; data: CrawlError[]; next_cursor: string | null }> {
  const { status } = await findCrawl(room, caller, crawl_id);
  const after = placeOf(cursor);
  const states = ["failed", "skipped"] as Settled["state"][];
  const found = await room.frontier.settled(crawl_id, { after, limit: limit + 1, states });
  const page = found.slice(0, limit);
  const isLast = status !== "crawling" && found.length <= limit;
  return {
    crawl_id,
    data: await Promise.all(page.map(each => describe(room, crawl_id, each))),
    next_cursor: isLast ? null : String(page.at(-1)?.seq ?? after),
  };
}

async function describe(
  { pages }: CrawlerRoom,
  crawlId: string,
  { key, url, state, reason }: Settled,
): Promise<CrawlError> {
  const stored = state === "failed" ? await pages.findById(pageId(crawlId, key)) : null;
  const code = reason ?? "internal_error";
  const message = stored?.trouble?.message ?? sentenceFor(code) ?? "The page could not be read.";
  return { url, status: state === "failed" ? "failed" : "skipped", code, message };
}
