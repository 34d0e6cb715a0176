import type { Settled } from "../../mixins/frontier/frontier.ts";
import type { Caller } from "../contracts/caller.ts";
import type { CrawlStatus, FailedPage } from "../contracts/crawler.contract.ts";
import type { ScrapeData } from "../contracts/scraper.contract.ts";
import { findCrawl, placeOf, standing } from "./records.ts";
import { type CrawlerRoom, pageId, type StoredPage } from "./room.ts";

interface Wanted {
  crawl_id: string;
  cursor?: string;
  limit: number;
  status?: "completed" | "failed";
}

/** Bytes that the pages of one answer may have; what is around them stays below 10 MB with them. */
export const maxAnswerBytes = 9_500_000;

/** How a crawl stands, and the pages that ended after a cursor. */
export async function crawlStatus(
  room: CrawlerRoom,
  caller: Caller,
  { crawl_id, cursor, limit, status = "completed" }: Wanted,
): Promise<CrawlStatus> {
  // The crawl first: once it has ended, no page ends any more.
  const crawl = await findCrawl(room, caller, crawl_id);
  const counts = crawl.counts ?? (await room.frontier.counts(crawl_id));
  const after = placeOf(cursor);
  const found = await room.frontier.settled(crawl_id, { after, limit: limit + 1, states: [status] });
  const page = await readPages(room, crawl_id, found.slice(0, limit));
  const isLast = crawl.status !== "crawling" && page.read === found.length;
  return {
    ...standing(crawl, counts),
    data: page.data,
    next_cursor: isLast ? null : String(found[page.read - 1]?.seq ?? after),
  };
}

/** As many as one answer may hold, and one at least; `read` tells how many that were. */
async function readPages(
  { pages }: CrawlerRoom,
  crawlId: string,
  settled: Settled[],
): Promise<{ data: (ScrapeData | FailedPage)[]; read: number }> {
  const data: (ScrapeData | FailedPage)[] = [];
  let [bytes, read] = [0, 0];
  for (const place of settled) {
    const page = await pages.findById(pageId(crawlId, place.key));
    bytes += page?.bytes ?? 0;
    if (read > 0 && bytes > maxAnswerBytes) break;
    read += 1;
    if (page) data.push(page.data ?? failedPage(place, page));
  }
  return { data, read };
}

function failedPage({ url, reason }: Settled, { statusCode, trouble }: StoredPage): FailedPage {
  return {
    metadata: { final_url: url, ...(statusCode !== undefined && { status_code: statusCode }) },
    error: trouble ?? { code: reason ?? "internal_error", message: "The page could not be read." },
  };
}
