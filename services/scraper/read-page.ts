import { fail } from "../contracts/errors.ts";
import type { ScrapeRequest } from "../contracts/scraper.contract.ts";
import { noAdBlocking } from "./ads/ad-filter-lists.ts";
import type { AdFilters } from "./ads/ad-filters.ts";
import type { FetchedPage, Redirect } from "./fetch/fetch-page.ts";
import { pageCookies } from "./parse-request.ts";
import { type Leave, type RenderJob, renderPage } from "./render/render-page.ts";
import { responseCookies } from "./render/response-cookies.ts";
import { splitCookieHeader } from "./render/split-cookie-header.ts";
import type { ScrapeOrder, ScrapeTools } from "./scrape-page.ts";
import type { Digest, Wanted } from "./worker/digest-html.ts";

/** A page as one of the engines served it. */
export interface ReadPage {
  digest: Digest;
  status: number;
  finalUrl: string;
  engine: "http" | "browser";
  /** PNG. */
  picture?: Uint8Array;
}

/** Bytes that a page may load with all its parts. */
const maxPageBytes = 64 * 1024 * 1024;

/** Reads what the plain fetch got; shows it in the browser first where scripts would change it or a picture is wanted. */
export async function readPage(
  request: ScrapeRequest,
  fetched: FetchedPage,
  order: ScrapeOrder,
  tools: ScrapeTools,
): Promise<ReadPage> {
  return await read<never>(request, fetched, order, tools, () => null);
}

/** As `readPage`, but where a page leads on to another by itself, that is told in place of going there. */
export async function readOnePage(
  request: ScrapeRequest,
  fetched: FetchedPage,
  order: ScrapeOrder,
  tools: ScrapeTools,
  isSamePage: (url: string, other: string) => boolean,
): Promise<ReadPage | Redirect> {
  const leave = (url: string) => (isSamePage(fetched.finalUrl, url) ? null : { redirect: url });
  return await read(request, fetched, order, tools, leave);
}

async function read<Told extends object>(
  request: ScrapeRequest,
  fetched: FetchedPage,
  order: ScrapeOrder,
  tools: ScrapeTools,
  leave: Leave<Told>,
): Promise<ReadPage | Told> {
  const wanted = wantedOf(request, order, tools);
  const ads = request.request.block_ads ? await tools.ads.blocking : noAdBlocking;
  const input = { page: fetched, wanted, render: renderingOf(request), ads: ads.compiled };
  const read = await tools.extraction.run("readFetched", input, order.signal);
  if (read.kind === "digest")
    return { digest: read.digest, status: fetched.status, finalUrl: fetched.finalUrl, engine: "http" };
  const answer = read.text ? asPlainText(fetched, read.text.shown) : fetched;
  // A wall may open to a browser that asks by itself.
  const job = jobFor(request, read.wall ? undefined : answer, ads.filters, order);
  const rendered = await renderPage(tools.browser, job, order.signal, leave).catch(error => {
    throw order.signal.aborted || error.type !== undefined ? error : notShown(error);
  });
  if (!("html" in rendered)) return rendered;
  const { html, status, finalUrl, screenshot } = rendered;
  const shown = { html, status, url: finalUrl, requestedUrl: request.url, wanted };
  const digest = read.text?.digest ?? (await tools.extraction.run("readRendered", shown, order.signal));
  return { digest, status, finalUrl, engine: "browser", picture: screenshot };
}

function wantedOf(
  { output: { formats }, request }: ScrapeRequest,
  { crawlId }: ScrapeOrder,
  { model }: ScrapeTools,
): Wanted {
  return {
    formats,
    onlyMainContent: request.only_main_content,
    keepHtml: formats.includes("json"),
    keepText: formats.includes("summary") && model !== undefined,
    crawl: crawlId !== undefined,
  };
}

function renderingOf({ output, js_render }: ScrapeRequest): "always" | "scripts" | "never" {
  if (output.formats.includes("screenshot")) return "always";
  return js_render.enabled ? "scripts" : "never";
}

/** Browsers show plain text; many another type of text they would download. */
function asPlainText(fetched: FetchedPage, text: string): FetchedPage {
  const contentType = "text/plain; charset=utf-8";
  return { ...fetched, contentType, headers: { "content-type": contentType }, body: Buffer.from(text) };
}

function jobFor(
  request: ScrapeRequest,
  seed: FetchedPage | undefined,
  ads: AdFilters,
  { keyId, proxyUrl, deadline }: ScrapeOrder,
): RenderJob {
  const { output, request: options, js_render: jsRender } = request;
  const { headers, cookies } = splitCookieHeader(options.headers ?? {});
  const needsPicture = output.formats.includes("screenshot");
  return {
    url: seed?.finalUrl ?? request.url,
    requestedUrl: request.url,
    seed,
    lease: { tenant: keyId, proxyUrl, skipTlsVerification: options.skip_tls_verification },
    request: { device: options.device, locale: options.locale, userAgent: userAgentOf(headers) },
    jsRender,
    cookies: [...cookies, ...pageCookies(request)].map(cookie => ({ url: request.url, ...cookie })),
    siteCookies: seed ? responseCookies(seed) : [],
    headers,
    ads,
    needsPicture,
    screenshot: needsPicture ? output.screenshot : undefined,
    maxBytes: maxPageBytes,
    deadline,
  };
}

function userAgentOf(headers: Record<string, string>): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === "user-agent")?.[1];
}

/** What is neither the site's doing nor expected of a browser; the log has the cause. */
function notShown(cause: unknown): Error {
  return fail("upstream_error", "The browser could not show this page.", {}, cause);
}
