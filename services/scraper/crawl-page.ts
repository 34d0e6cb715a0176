import { fail } from "../contracts/errors.ts";
import type { CrawledPage, ScrapeData, ScrapeRequest } from "../contracts/scraper.contract.ts";
import { canonicalUrl } from "../domain/crawl/canonical-url.ts";
import { retryAfterMs } from "../domain/delivery/retry-after.ts";
import { forbidsFollowing } from "../domain/extract/robots-directives.ts";
import { withoutNulls } from "../domain/request/without-nulls.ts";
import { chooseProxy } from "./choose-proxy.ts";
import { type FetchedPage, fetchOnePage } from "./fetch/fetch-page.ts";
import { keepToOwnSite } from "./own-site.ts";
import { type ReadPage, readOnePage } from "./read-page.ts";
import { dataOf, fetching, type ScrapeOrder, type ScrapeTools } from "./scrape-page.ts";

/** What the crawler asks for. */
export interface PageOfCrawl {
  crawlId: string;
  keyId: string;
  owner: string;
  entryUrl: string;
  request: ScrapeRequest;
}

/** Scrapes one page for a crawl, and reads what the crawl goes on by. Where it leads elsewhere, that is told. */
export async function crawlPage(wanted: PageOfCrawl, tools: ScrapeTools): Promise<CrawledPage> {
  const request = keepToOwnSite(withoutNulls(wanted.request), wanted.entryUrl);
  const signal = AbortSignal.timeout(request.timeout);
  const order = orderFor(wanted, request, signal, tools);
  return await read(request, order, tools).catch(error => {
    throw signal.aborted ? late(request.timeout, error) : error;
  });
}

type CrawlOrder = ScrapeOrder & { crawlId: string };

/** A crawl keeps its proxy, so that its pages can share a browser context. */
function orderFor(
  { crawlId, keyId, owner }: PageOfCrawl,
  { proxy, timeout }: ScrapeRequest,
  signal: AbortSignal,
  { proxies }: ScrapeTools,
): CrawlOrder {
  const proxyUrl = chooseProxy(proxies, { sticky_session: crawlId, ...proxy }, keyId);
  return { crawlId, keyId, owner, proxyUrl, deadline: Date.now() + timeout, signal };
}

async function read(request: ScrapeRequest, order: CrawlOrder, tools: ScrapeTools): Promise<CrawledPage> {
  const fetched = await fetchOnePage(request.url, fetching(request, order, tools), isSamePage);
  if ("redirect" in fetched) return { kind: "redirect", url: fetched.redirect };
  const page = await readOnePage(request, fetched, order, tools, isSamePage);
  if ("redirect" in page) return { kind: "redirect", url: page.redirect };
  const { links = [], nofollow = false } = page.digest.crawl ?? {};
  return {
    kind: "page",
    data: await dataOfPage(request, page, order, tools),
    links,
    nofollow: nofollow || forbidsFollowing(fetched.headers["x-robots-tag"] ?? ""),
    retryAfterMs: pauseOf(fetched, page.status),
  };
}

/** As that of a scrape, but for the picture: that goes with its crawl. */
async function dataOfPage(
  request: ScrapeRequest,
  { picture, ...page }: ReadPage,
  order: CrawlOrder,
  tools: ScrapeTools,
): Promise<ScrapeData> {
  const data = await dataOf(request, page, order, tools);
  if (!picture) return data;
  const meta = { owner: order.owner, contentType: "image/png", group: order.crawlId };
  return { ...data, screenshot: await tools.blobs.put(picture, meta) };
}

function isSamePage(url: string, other: string): boolean {
  return canonicalUrl(url)?.key === canonicalUrl(other)?.key;
}

function pauseOf({ headers }: FetchedPage, status: number): number | null {
  if (status !== 429 && status !== 503) return null;
  return retryAfterMs(headers["retry-after"], Date.now()) || null;
}

function late(timeoutMs: number, cause: unknown): Error {
  return fail("scrape_timeout", `The page was not ready within ${timeoutMs} ms.`, {}, cause);
}
