import type { Blobs } from "../../mixins/blobs/blobs.ts";
import type { BrowserPool } from "../../mixins/browser/browser-pool.ts";
import type { Egress } from "../../mixins/egress/egress.ts";
import { fail } from "../contracts/errors.ts";
import type { ScrapeData, ScrapeRequest } from "../contracts/scraper.contract.ts";
import type { AdFilterLists } from "./ads/ad-filter-lists.ts";
import { pageHeaders } from "./device.ts";
import { type FetchOptions, fetchPage } from "./fetch/fetch-page.ts";
import type { JsonTools } from "./json/extract-json.ts";
import type { LanguageModel } from "./llm/language-model.ts";
import { modelFormats } from "./model-formats.ts";
import { pageCookies } from "./parse-request.ts";
import { type ReadPage, readPage } from "./read-page.ts";
import type { ExtractionPool } from "./worker/extraction-pool.ts";

/** What a scrape works with. */
export interface ScrapeTools {
  egress: Egress;
  browser: BrowserPool;
  extraction: ExtractionPool;
  ads: AdFilterLists;
  blobs: Blobs;
  /** Country code -> proxy URLs. */
  proxies: Record<string, string[]>;
  recipes: JsonTools["recipes"];
  model?: LanguageModel;
}

/** For whom, by which way, and until when. */
export interface ScrapeOrder {
  keyId: string;
  owner: string;
  /** The crawl that the page belongs to. */
  crawlId?: string;
  /** Undefined: directly. */
  proxyUrl?: string;
  /** Milliseconds since the epoch at which `signal` fires. */
  deadline: number;
  signal: AbortSignal;
}

/** Bytes that a document may have. */
const maxDocumentBytes = 16 * 1024 * 1024;
const screenshotTtlMs = 24 * 60 * 60 * 1000;

/**
 * Scrapes one page. The plain fetch comes first; its answer is read as it is unless scripts would change it or a
 * picture is wanted: then the browser shows that same answer, so that a site is asked once.
 */
export async function scrapePage(
  request: ScrapeRequest,
  order: ScrapeOrder,
  tools: ScrapeTools,
): Promise<ScrapeData> {
  const fetched = await fetchPage(request.url, fetching(request, order, tools));
  return await dataOf(request, await readPage(request, fetched, order, tools), order, tools);
}

/** What was asked for of a page that was read. */
export async function dataOf(
  request: ScrapeRequest,
  page: ReadPage,
  order: ScrapeOrder,
  tools: ScrapeTools,
): Promise<ScrapeData> {
  if (page.digest.wall !== null) throw blocked(page.digest.wall);
  const { markdown, html, raw_html, links } = page.digest;
  return {
    ...present({ markdown, html, raw_html, links }),
    ...(await modelFormats(request, page, order, tools)),
    ...(page.picture && { screenshot: await keep(page.picture, order, tools) }),
    metadata: {
      ...page.digest.metadata,
      status_code: page.status,
      final_url: page.finalUrl,
      engine: page.engine,
      proxy_location: order.proxyUrl === undefined ? null : request.proxy.location,
    },
  };
}

/** How the plain fetch asks for a page. */
export function fetching(
  { request }: ScrapeRequest,
  { proxyUrl, signal }: ScrapeOrder,
  { egress }: ScrapeTools,
): FetchOptions {
  return {
    egress,
    headers: pageHeaders(request),
    cookies: pageCookies({ request }),
    signal,
    maxBytes: maxDocumentBytes,
    skipTlsVerification: request.skip_tls_verification,
    proxyUrl,
  };
}

async function keep(picture: Uint8Array, { owner }: ScrapeOrder, { blobs }: ScrapeTools): Promise<string> {
  return await blobs.put(picture, { owner, contentType: "image/png", ttlMs: screenshotTtlMs });
}

function blocked(wall: "bot" | "login"): Error {
  const what = wall === "bot" ? "a check that keeps programs out" : "a login form";
  return fail("target_blocked", `The site answered with ${what} instead of the page.`);
}

function present<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
