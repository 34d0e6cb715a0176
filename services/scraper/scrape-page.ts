import type { Blobs } from "../../mixins/blobs/blobs.ts";
import type { BrowserPool } from "../../mixins/browser/browser-pool.ts";
import type { Egress } from "../../mixins/egress/egress.ts";
import { fail } from "../contracts/errors.ts";
import type { ScrapeData, ScrapeRequest } from "../contracts/scraper.contract.ts";
import { type AdFilterLists, noAdBlocking } from "./ads/ad-filter-lists.ts";
import type { AdFilters } from "./ads/ad-filters.ts";
import { chooseProxy } from "./choose-proxy.ts";
import { pageHeaders } from "./device.ts";
import { type FetchedPage, fetchPage } from "./fetch/fetch-page.ts";
import { extractJson, type JsonTools } from "./json/extract-json.ts";
import type { LanguageModel } from "./llm/language-model.ts";
import { summarize } from "./llm/summarize.ts";
import { pageCookies } from "./parse-request.ts";
import { type RenderedPage, renderPage } from "./render/render-page.ts";
import { responseCookies } from "./render/response-cookies.ts";
import { splitCookieHeader } from "./render/split-cookie-header.ts";
import type { Digest, Wanted } from "./worker/digest-html.ts";
import type { ExtractionPool } from "./worker/extraction-pool.ts";

/** What a scrape works with. */
export interface ScrapeTools {
  egress: Egress;
  browser: BrowserPool;
  extraction: ExtractionPool;
  ads: AdFilterLists;
  blobs: Blobs;
  proxies: Record<string, string[]>;
  recipes: JsonTools["recipes"];
  model?: LanguageModel;
}

/** For whom, and until when. */
export interface ScrapeOrder {
  keyId: string;
  owner: string;
  /** Milliseconds since the epoch at which `signal` fires. */
  deadline: number;
  signal: AbortSignal;
}

/** Bytes that a document may have, and that a page may load with all its parts. */
const maxDocumentBytes = 16 * 1024 * 1024;
const maxPageBytes = 64 * 1024 * 1024;
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
  const proxyUrl = chooseProxy(tools.proxies, request.proxy.location, {
    tenant: order.keyId,
    name: request.proxy.sticky_session,
  });
  const fetched = await fetchPlain(request, order, tools, proxyUrl);
  const page = await readPage(request, fetched, order, tools, proxyUrl);
  if (page.digest.wall !== null) throw blocked(page.digest.wall);
  const { markdown, html, raw_html, links, summary } = page.digest;
  return {
    ...present({ markdown, html, raw_html, links }),
    ...(await modelFormats(request, page, summary, order, tools)),
    ...(page.picture && { screenshot: await keep(page.picture, order, tools) }),
    metadata: {
      ...page.digest.metadata,
      status_code: page.status,
      final_url: page.finalUrl,
      engine: page.engine,
      proxy_location: proxyUrl === undefined ? null : request.proxy.location,
    },
  };
}

async function fetchPlain(
  request: ScrapeRequest,
  { signal }: ScrapeOrder,
  { egress }: ScrapeTools,
  proxyUrl: string | undefined,
): Promise<FetchedPage> {
  return await fetchPage(request.url, {
    egress,
    headers: pageHeaders(request.request),
    cookies: pageCookies(request),
    signal,
    maxBytes: maxDocumentBytes,
    skipTlsVerification: request.request.skip_tls_verification,
    proxyUrl,
  });
}

interface ReadPage {
  digest: Digest;
  status: number;
  finalUrl: string;
  engine: "http" | "browser";
  picture?: Uint8Array;
}

async function readPage(
  request: ScrapeRequest,
  fetched: FetchedPage,
  order: ScrapeOrder,
  tools: ScrapeTools,
  proxyUrl: string | undefined,
): Promise<ReadPage> {
  const wanted = wantedOf(request, tools);
  const wantsPicture = request.output.formats.includes("screenshot");
  const render = wantsPicture ? "always" : request.js_render.enabled ? "scripts" : "never";
  const ads = request.request.block_ads ? await tools.ads.blocking : noAdBlocking;
  const input = { page: fetched, wanted, render, ads: ads.compiled } as const;
  const read = await tools.extraction.run("readFetched", input, order.signal);
  if (read.kind === "digest")
    return { digest: read.digest, status: fetched.status, finalUrl: fetched.finalUrl, engine: "http" };
  const answer = read.text ? asPlainText(fetched, read.text.shown) : fetched;
  const seed = read.wall ? undefined : answer;
  const rendered = await showInBrowser(request, seed, ads.filters, order, tools, proxyUrl);
  const { html, status, finalUrl } = rendered;
  const shown = { html, status, url: finalUrl, requestedUrl: request.url, wanted };
  const digest = read.text?.digest ?? (await tools.extraction.run("readRendered", shown, order.signal));
  return { digest, status, finalUrl, engine: "browser", picture: rendered.screenshot };
}

/** Browsers show plain text; many another type of text they would download. */
function asPlainText(fetched: FetchedPage, text: string): FetchedPage {
  const contentType = "text/plain; charset=utf-8";
  return { ...fetched, contentType, headers: { "content-type": contentType }, body: Buffer.from(text) };
}

function wantedOf({ output: { formats }, request }: ScrapeRequest, { model }: ScrapeTools): Wanted {
  return {
    formats,
    onlyMainContent: request.only_main_content,
    keepHtml: formats.includes("json"),
    keepText: formats.includes("summary") && model !== undefined,
  };
}

/** With no seed the browser asks the site itself: some sites answer it where they refuse a plain fetch. */
async function showInBrowser(
  request: ScrapeRequest,
  seed: FetchedPage | undefined,
  ads: AdFilters,
  { keyId, deadline, signal }: ScrapeOrder,
  { browser }: ScrapeTools,
  proxyUrl: string | undefined,
): Promise<RenderedPage> {
  const { output, request: options, js_render: jsRender } = request;
  const wantsPicture = output.formats.includes("screenshot");
  const { headers, cookies } = splitCookieHeader(options.headers ?? {});
  return await renderPage(
    browser,
    {
      url: seed?.finalUrl ?? request.url,
      seed,
      lease: { tenant: keyId, proxyUrl, skipTlsVerification: options.skip_tls_verification },
      request: { device: options.device, locale: options.locale },
      jsRender,
      requestedUrl: request.url,
      cookies: [
        ...[...cookies, ...pageCookies(request)].map(cookie => ({ url: request.url, ...cookie })),
        ...(seed ? responseCookies(seed) : []),
      ],
      headers,
      ads,
      needsPicture: wantsPicture,
      screenshot: wantsPicture ? output.screenshot : undefined,
      maxBytes: maxPageBytes,
      deadline,
    },
    signal,
  );
}

/** The formats that a model may have a hand in. */
async function modelFormats(
  { output, breakdown }: ScrapeRequest,
  page: ReadPage,
  extracted: string | undefined,
  { signal }: ScrapeOrder,
  { extraction, recipes, model }: ScrapeTools,
): Promise<Pick<ScrapeData, "summary" | "json" | "json_recipe">> {
  const html = page.digest.page ?? "";
  const found: Pick<ScrapeData, "summary" | "json" | "json_recipe"> = {};
  if (extracted !== undefined) found.summary = await summaryOf(page.digest, extracted, model, signal);
  if (output.formats.includes("json") && output.json) {
    const worker: JsonTools["worker"] = {
      extractJson: (args, stop) => extraction.run("extractJson", args, stop),
      condensePage: (args, stop) => extraction.run("condensePage", args, stop),
    };
    const { json, recipe } = await extractJson({ html, url: page.finalUrl }, output.json, {
      worker,
      recipes,
      model,
      signal,
    });
    Object.assign(found, { json }, breakdown && { json_recipe: recipe });
  }
  return found;
}

/** The model's summary of the page's text; the extracted one without a model, or when it fails. */
async function summaryOf(
  { text }: Digest,
  extracted: string,
  model: LanguageModel | undefined,
  signal: AbortSignal,
): Promise<string> {
  if (model === undefined || text === undefined) return extracted;
  return await summarize(model, text, signal).catch(error => {
    if (signal.aborted) throw error;
    return extracted;
  });
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
