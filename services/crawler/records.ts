import type { Counts } from "../../mixins/frontier/frontier.ts";
import type { Caller } from "../contracts/caller.ts";
import type { CrawlProgress, CrawlStatus } from "../contracts/crawler.contract.ts";
import { fail, invalid } from "../contracts/errors.ts";
import { type CrawlerRoom, isoTime, type StoredCrawl } from "./room.ts";

/** How a crawl stands, without its pages. */
export type Standing = Omit<CrawlStatus, "data" | "next_cursor">;

/** The caller's own crawl; 404 when there is none, 410 once its results have expired. */
export async function findCrawl(room: CrawlerRoom, { owner }: Caller, crawlId: string): Promise<StoredCrawl> {
  const crawl = await room.crawls.findById(crawlId);
  const isOver = crawl?.expiresAt !== undefined && crawl.expiresAt <= isoTime(room.now());
  if (crawl?.owner === owner && !isOver) return crawl;
  const found = crawl ?? (await room.tombstones.findById(crawlId));
  if (found?.owner !== owner) throw fail("not_found", "There is no crawl with this id.");
  throw fail("expired", "The results of this crawl were kept for 24 hours and have expired.");
}

/** How a crawl stands, given the counts of its pages. */
export function standing(crawl: StoredCrawl, counts: Counts): Standing {
  const { _id, status, request, stopReason, startedAt, endedAt, expiresAt, failing } = crawl;
  return {
    crawl_id: _id,
    version: "v1",
    status,
    url: request.url,
    stop_reason: stopReason ?? null,
    progress: progressOf(counts),
    started_at: startedAt,
    ended_at: endedAt ?? null,
    expires_at: expiresAt ?? null,
    ...(status === "failed" && failing && { error: failing.error }),
  };
}

function progressOf({ discovered, queued, running, completed, failed, skipped }: Counts): CrawlProgress {
  return { discovered, queued, running, completed, failed, skipped };
}

/** A place in the sequence of a crawl's pages that ended; 0 without a cursor. */
export function placeOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (!/^\d{1,12}$/.test(cursor))
    throw invalid("cursor", "invalid", "Give a next_cursor of this crawl as cursor, or none.");
  return Number(cursor);
}
