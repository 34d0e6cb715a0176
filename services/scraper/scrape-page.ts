import type { ScrapeData } from "../contracts/page.contract.ts";
import type { ScrapeRequest } from "../contracts/scraper.contract.ts";
import { contentUsage } from "../domain/crawl/content-usage.ts";
import { present } from "../domain/json/fields.ts";
import { changesOf } from "./changes/page-changes.ts";
import type { PageTools } from "./context.ts";
import { pageHeaders } from "./device.ts";
import { isShell } from "./extract/digest.ts";
import { modelFormats } from "./extract/model-formats.ts";
import { type FetchOptions, fetchPage } from "./fetch/fetch-page.ts";
import { unrendered } from "./page-charge.ts";
import { type PageOrder, pageCookies } from "./page-request.ts";
import { blocked, type ReadPage, readPage } from "./read-page.ts";
import { storeScreenshot } from "./screenshots.ts";
import { inSession, isWalled } from "./sessions/in-session.ts";
import { usageStatements } from "./stated-usage.ts";

/** Limit of a document in bytes. */
const maxDocumentBytes = 16 * 1024 * 1024;

/**
 * Scrapes one page: fetches it, then reads the answer. If scripts would change it or a screenshot is wanted, the browser
 * renders that same answer, so the site is asked once.
 */
export async function scrapePage(
  request: ScrapeRequest,
  order: PageOrder,
  tools: PageTools,
): Promise<ScrapeData> {
  const read = async (visiting: PageOrder) => {
    const fetched = await fetchPage(request.url, fetchOptions(request, visiting, tools));
    return await readPage(request, fetched, visiting, tools);
  };
  const page = await inSession(request, order, tools, read, isWalled);
  return await dataOf(request, page, order, tools);
}

/** The requested formats of a page. */
export async function dataOf(
  request: ScrapeRequest,
  page: ReadPage,
  order: PageOrder,
  tools: PageTools,
): Promise<ScrapeData> {
  if (page.digest.wall !== null) throw blocked(page.digest.wall);
  const { formats } = request.output;
  const { markdown, html, raw_html, links, images } = page.digest;
  const { tdm, ...facts } = page.digest.metadata;
  const content_usage = contentUsage([
    ...(page.stated ?? []),
    ...usageStatements(page.headers ?? {}, facts.robots, tdm),
  ]);
  const { json, warnings = [], ...byModel } = await modelFormats(request, page, order, tools);
  return {
    ...present({ html, raw_html, links, images, ...byModel }),
    ...(markdown !== undefined && formats.includes("markdown") && { markdown }),
    ...(json && formats.includes("json") && { json }),
    ...(formats.includes("changes") &&
      present({ changes: await compared(request, { page, json }, order, tools) })),
    ...(page.picture && { screenshot: await storeScreenshot(page.picture, order, tools) }),
    ...(request.js_render.actions?.length && { actions: await storeActions(page, order, tools) }),
    metadata: {
      ...facts,
      status_code: page.status,
      final_url: page.finalUrl,
      engine: page.engine,
      proxy_location: order.proxyUrl === undefined ? null : request.proxy.location,
      ...present({ content_usage, warning: joined([pageWarning(page), ...warnings]) }),
    },
  };
}

/** Several sentences of warning are one text. */
function joined(warnings: (string | undefined)[]): string | undefined {
  return warnings.filter(Boolean).join(" ") || undefined;
}

async function compared(
  request: ScrapeRequest,
  { page, json }: { page: ReadPage; json: ScrapeData["json"] },
  order: PageOrder,
  tools: PageTools,
): Promise<ScrapeData["changes"]> {
  const { markdown = "", metadata } = page.digest;
  const read = { markdown, status: page.status, title: metadata.title, ...present({ json }) };
  return await changesOf(request, read, order, tools);
}

/** The options of the plain fetch. */
export function fetchOptions(
  { request }: ScrapeRequest,
  { group, proxyUrl, signal, visit, post }: PageOrder,
  { egress }: PageTools,
): FetchOptions {
  return {
    egress,
    tenant: group,
    headers: pageHeaders(request),
    cookies: pageCookies({ request }),
    jar: visit?.jar,
    post,
    signal,
    maxBytes: maxDocumentBytes,
    skipTlsVerification: request.skip_tls_verification,
    proxyUrl,
  };
}

async function storeActions(
  { pictures = [] }: ReadPage,
  order: PageOrder,
  tools: PageTools,
): Promise<NonNullable<ScrapeData["actions"]>> {
  const screenshots: string[] = [];
  for (const picture of pictures) screenshots.push(await storeScreenshot(picture, order, tools));
  return { screenshots };
}

/** What the reader of a page should know of it; undefined for other pages. */
function pageWarning(page: ReadPage): string | undefined {
  return [stateOf(page), ...endsOf(page)].filter(Boolean).join(" ") || undefined;
}

/** Where the page goes on. */
function endsOf({ isEndless, cutPicture }: ReadPage): string[] {
  const endless = "The page was scrolled as far as a scrape may, and goes on.";
  const cut =
    cutPicture && `The screenshot shows ${cutPicture.shown} of ${cutPicture.height} px of the page.`;
  return [...(isEndless ? [endless] : []), ...(cut ? [cut] : [])];
}

/** Why a page is nearly empty or not as a browser shows it. */
function stateOf(page: ReadPage): string | undefined {
  if (page.unrendered) return unrendered(page.unrendered);
  if (page.digest.warning !== undefined) return page.digest.warning;
  const cause = causeOf(page);
  if (page.isAsSent) return `${cause ?? "Its scripts emptied the page"}. It was read as the server sent it.`;
  if (page.unfinished !== undefined) return `${cause}. It was read as far as it was there.`;
  if (!isShell(page.digest)) return undefined;
  if (page.digest.scriptsLeftOut)
    return "The page has nearly no text of its own, and its scripts were not run: js_render.enabled is false.";
  if (cause !== undefined) return `The page has nearly no text of its own. ${cause}.`;
  if (page.engine === "browser") return "The page has nearly no text, also after its scripts have run.";
  return page.digest.textLength === 0 ? "The page has no text." : undefined;
}

function causeOf({ failedRequests = 0, unfinished }: ReadPage): string | undefined {
  if (unfinished === "busy") return "Its scripts were still busy when the time was over";
  if (unfinished === "held up") return "A script or a style sheet of the page did not come in time";
  if (failedRequests === 0) return undefined;
  const count = failedRequests === 1 ? "1 request" : `${failedRequests} requests`;
  return `Its scripts or their data could not be loaded (${count} failed)`;
}
