import type { Counts, Settled } from "../../../mixins/frontier/frontier.ts";
import { findPage } from "../../../mixins/store/pages.ts";
import type { Caller } from "../../contracts/caller.ts";
import type { CrawlError, CrawlProgress, CrawlStatus, FailedPage } from "../../contracts/crawler.contract.ts";
import { fail } from "../../contracts/errors.ts";
import type { CrawlSummary, CrawlsRequest } from "../../contracts/job-lists.contract.ts";
import type { ScrapeData } from "../../contracts/page.contract.ts";
import type { ListPage } from "../../contracts/paging.ts";
import type { CrawlerContext } from "../context.ts";
import {
  idOf,
  isoTime,
  nounOf,
  pageId,
  recordIdOf,
  type StoredCrawl,
  type StoredPage,
} from "../crawls.store.ts";
import { skipMessage } from "../pages/page-errors.ts";

interface PagesWanted {
  crawl_id: string;
  cursor?: string;
  limit: number;
  status?: "completed" | "failed";
}

/** Limit of the pages in one answer; with all the rest it stays below 10 MB. */
export const maxAnswerBytes = 9_500_000;

/** The status of a crawl, and the pages that ended after a cursor. */
export async function crawlStatus(
  context: CrawlerContext,
  caller: Caller,
  { crawl_id, cursor, limit, status = "completed" }: PagesWanted,
): Promise<CrawlStatus> {
  // Reads the crawl first: after its end no page ends.
  const crawl = await findCrawl(context, caller, crawl_id);
  const { _id } = crawl;
  const counts = crawl.counts ?? (await context.frontier.counts(_id));
  const after = Number(cursor ?? 0);
  const found = await context.frontier.settled(_id, { after, limit: limit + 1, states: [status] });
  const page = await readPages(context, crawl, found.slice(0, limit));
  const isLast = crawl.status !== "crawling" && page.read === found.length;
  return {
    ...overviewOf(crawl, counts),
    data: page.data,
    next_cursor: isLast ? null : String(found[page.read - 1]?.seq ?? after),
  };
}

/** As many pages as one answer may hold, but at least one; `read` is their number. */
async function readPages(
  { pages }: CrawlerContext,
  crawl: StoredCrawl,
  settled: Settled[],
): Promise<{ data: (ScrapeData | FailedPage)[]; read: number }> {
  const data: (ScrapeData | FailedPage)[] = [];
  let [bytes, read] = [0, 0];
  for (const place of settled) {
    const page = await pages.findById(pageId(crawl._id, place.key));
    bytes += page?.bytes ?? 0;
    if (read > 0 && bytes > maxAnswerBytes) break;
    read += 1;
    if (page) data.push(page.data ?? failedPage(place, page, crawl));
  }
  return { data, read };
}

/** A page that failed, with what is known of it. */
export function failedPage(
  { url, reason }: Settled,
  { statusCode, error }: Pick<StoredPage, "statusCode" | "error">,
  { kind }: StoredCrawl,
): FailedPage {
  return {
    metadata: {
      final_url: url,
      ...(statusCode !== undefined && { status_code: statusCode }),
      ...(kind === "batch" && { source_url: url }),
    },
    error: error ?? { code: reason ?? "internal_error", message: "The page could not be read." },
  };
}

interface ErrorsWanted {
  crawl_id: string;
  cursor?: string;
  limit: number;
}

/** The pages that failed or were skipped after a cursor. */
export async function crawlErrors(
  context: CrawlerContext,
  caller: Caller,
  { crawl_id, cursor, limit }: ErrorsWanted,
): Promise<{ crawl_id: string; data: CrawlError[]; next_cursor: string | null }> {
  const crawl = await findCrawl(context, caller, crawl_id);
  const after = Number(cursor ?? 0);
  const states = ["failed", "skipped"] as Settled["state"][];
  const found = await context.frontier.settled(crawl._id, { after, limit: limit + 1, states });
  const page = found.slice(0, limit);
  const isLast = crawl.status !== "crawling" && found.length <= limit;
  return {
    crawl_id,
    data: await Promise.all(page.map(each => describeError(context, crawl, each))),
    next_cursor: isLast ? null : String(page.at(-1)?.seq ?? after),
  };
}

async function describeError(
  { pages }: CrawlerContext,
  crawl: StoredCrawl,
  { key, url, state, reason }: Settled,
): Promise<CrawlError> {
  const stored = state === "failed" ? await pages.findById(pageId(crawl._id, key)) : null;
  const code = reason ?? "internal_error";
  const message =
    stored?.error?.message ?? skipMessage(code, crawl.kind ?? "crawl") ?? "The page could not be read.";
  return { url, status: state === "failed" ? "failed" : "skipped", code, message };
}

/** The stored crawls and batches of a key, or of all. */
export async function listCrawls(
  context: Pick<CrawlerContext, "crawls" | "frontier">,
  { key_id, status, ...wanted }: CrawlsRequest,
): Promise<ListPage<CrawlSummary>> {
  const query = { ...(key_id !== undefined && { keyId: key_id }), ...(status && { status }) };
  const { page, next_cursor } = await findPage(context.crawls, { ...wanted, query, descending: true });
  const data = await Promise.all(page.map(crawl => describeListed(context, crawl)));
  return { data, next_cursor, message: "Crawls listed." };
}

/** Only the crawls that run count their pages: few beside all that are kept. */
async function describeListed(
  { frontier }: Pick<CrawlerContext, "frontier">,
  crawl: StoredCrawl,
): Promise<CrawlSummary> {
  const counts = crawl.counts ?? (await frontier.counts(crawl._id));
  const { version: _version, error: _error, stop_reason: _reason, ...overview } = overviewOf(crawl, counts);
  return { ...overview, kind: crawl.kind ?? "crawl", key_id: crawl.keyId };
}

/** The status of a crawl, without its pages. */
type CrawlOverview = Omit<CrawlStatus, "data" | "next_cursor">;

/**
 * A crawl or batch of the caller's owner, null for any, by the id that clients know. Throws 404 when there is none, 410 once
 * its results have expired.
 */
export async function findCrawl(
  context: CrawlerContext,
  caller: Pick<Caller, "owner"> | null,
  id: string,
): Promise<StoredCrawl> {
  const isVisible = ({ owner }: { owner: string }) => caller === null || owner === caller.owner;
  const recorded = await context.crawls.findById(recordIdOf(id));
  const crawl = recorded && idOf(recorded) === id ? recorded : null;
  const isOver = crawl?.expiresAt !== undefined && crawl.expiresAt <= isoTime(context.now());
  if (crawl && isVisible(crawl) && !isOver) return crawl;
  const found = crawl ?? (recorded ? null : await context.tombstones.findById(recordIdOf(id)));
  if (!found || !isVisible(found)) throw fail("not_found", `There is no ${nounOf(id)} with this id.`);
  throw fail("expired", `The results of this ${nounOf(id)} have expired.`);
}

/** The status of a crawl, from its record and the counts of its pages. */
export function overviewOf(crawl: StoredCrawl, counts: Counts): CrawlOverview {
  const { status, request, stopReason, startedAt, endedAt, expiresAt, failing } = crawl;
  return {
    crawl_id: idOf(crawl),
    version: "v1",
    status,
    url: request.url,
    stop_reason: stopReason ?? null,
    progress: progressOf(counts, crawl),
    started_at: startedAt,
    ended_at: endedAt ?? null,
    expires_at: expiresAt ?? null,
    ...(status === "failed" && failing && { error: failing.error }),
  };
}

/** The URLs of a batch wait from the beginning, although its run has yet to offer them to the frontier. */
function progressOf(
  { discovered, queued, running, completed, failed, skipped }: Counts,
  { urls = [] }: StoredCrawl,
): CrawlProgress {
  const yet = Math.max(urls.length - discovered, 0);
  return { discovered: discovered + yet, queued: queued + yet, running, completed, failed, skipped };
}
