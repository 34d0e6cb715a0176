import { fail } from "../contracts/errors.ts";
import type { ScrapeRequest } from "../contracts/scraper.contract.ts";
import type { UsageStatement } from "../domain/crawl/content-usage.ts";
import { wantsJson } from "../domain/page-options/page-options.ts";
import type { QuotaUse } from "../domain/quota/quotas.ts";
import { obeying } from "./content-policy.ts";
import type { PageTools } from "./context.ts";
import { type Digest, isShell, type Wanted } from "./extract/digest.ts";
import { inPageRequest } from "./extract/json-request.ts";
import { withScans } from "./extract/read-scans.ts";
import type { FetchedPage, Redirect } from "./fetch/fetch-page.ts";
import { refuseToRender } from "./page-charge.ts";
import { type PageOrder, pageCookies } from "./page-request.ts";
import { type AdFilters, noAdBlocking } from "./render/ad-filters.ts";
import { responseCookies, splitCookieHeader } from "./render/prepare-page.ts";
import { type RenderedPage, type RenderJob, renderPage, type StopAt } from "./render/render-page.ts";
import { forBrowser } from "./sessions/jar.ts";

/** A page as read, from the fetch or from the browser. */
export interface ReadPage {
  digest: Digest;
  status: number;
  finalUrl: string;
  engine: "http" | "browser";
  /** What the plain fetch was answered with. */
  headers?: FetchedPage["headers"];
  /** What the site's files say of the use of its content, where that was asked for. */
  stated?: UsageStatement[];
  /** PNG. */
  picture?: Uint8Array;
  /** Its size, and where on it the elements are that the order names. */
  pictureSize?: RenderedPage["pictureSize"];
  boxes?: RenderedPage["boxes"];
  /** Pictures that the actions took. */
  pictures?: Uint8Array[];
  /** Where the picture ends before the page does. */
  cutPicture?: RenderedPage["cutPicture"];
  /** The page was scrolled as far as it may be, and goes on. */
  isEndless?: boolean;
  /** Failed requests of the browser for scripts and data. */
  failedRequests?: number;
  /** The quota for which the browser did not render it. */
  unrendered?: QuotaUse;
  /** The browser showed less of the page than the server had sent, so the HTML was read as sent. */
  isAsSent?: boolean;
  /** Why the page was read before it was complete: its document was held up, or it was busy until the deadline. */
  unfinished?: "held up" | "busy";
}

/** Limit for a page with all its resources. */
const maxPageBytes = 64 * 1024 * 1024;

/** Reads a fetched page. Renders it in the browser first if scripts would change it or a screenshot is wanted. */
export async function readPage(
  request: ScrapeRequest,
  fetched: FetchedPage,
  order: PageOrder,
  tools: PageTools,
): Promise<ReadPage> {
  const page = await obeying<ReadPage, never>(request, fetched, order, tools, () =>
    read<never>(request, fetched, order, tools, () => null),
  );
  return { ...page, headers: fetched.headers };
}

/** Like `readPage`, but returns the URL when the page navigates to another page, instead of following it. */
export async function readOnePage(
  request: ScrapeRequest,
  fetched: FetchedPage,
  order: PageOrder,
  tools: PageTools,
  isSamePage: (url: string, other: string) => boolean,
): Promise<ReadPage | Redirect> {
  const stopAt = (url: string) => (isSamePage(fetched.finalUrl, url) ? null : { redirect: url });
  const page = await obeying<ReadPage, Redirect>(request, fetched, order, tools, () =>
    read(request, fetched, order, tools, stopAt),
  );
  return "redirect" in page ? page : { ...page, headers: fetched.headers };
}

async function read<Result extends object>(
  request: ScrapeRequest,
  fetched: FetchedPage,
  order: PageOrder,
  tools: PageTools,
  stopAt: StopAt<Result>,
): Promise<ReadPage | Result> {
  const wanted = wantedOf(request, order, tools);
  const ads = request.request.block_ads ? await tools.ads.blocking() : noAdBlocking;
  const { frames } = request.js_render;
  const input = { page: fetched, wanted, render: renderingOf(request), frames, ads: ads.compiled };
  const reader = { ...order, bytes: fetched.body.length };
  const first = await tools.extraction.run("readFetched", input, reader);
  const read = await withScans(first, input, reader, tools);
  const acts = (request.js_render.actions ?? []).length > 0;
  if (acts && (read.kind === "digest" || read.text)) throw notActedOn();
  if (read.kind === "digest")
    return { digest: read.digest, status: fetched.status, finalUrl: fetched.finalUrl, engine: "http" };
  const unrendered = await refuseToRender(order, read.text !== undefined || input.render !== "scripts");
  if (unrendered) {
    const sent = await tools.extraction.run("readFetched", { ...input, render: "never" }, reader);
    if (sent.kind !== "digest") throw new TypeError("A page that is not rendered is read as it was sent");
    const { digest } = sent;
    return { digest, status: fetched.status, finalUrl: fetched.finalUrl, engine: "http", unrendered };
  }
  const answer = read.text ? asPlainText(fetched, read.text.shown) : fetched;
  const readSent = once(() => tools.extraction.run("readSent", input, reader));
  const canBeSent = !read.wall && !read.text && !acts;
  const job: RenderJob = {
    // A bot wall may let a browser through that sends the request itself.
    ...jobFor(request, read.wall ? undefined : answer, await ads.filters(), order),
    ...(canBeSent && { sentText: async () => (await readSent())?.textLength ?? 0 }),
  };
  const rendered = await renderPage(tools.browser, job, order.signal, stopAt).catch(error => {
    throw order.signal.aborted || error.type !== undefined ? error : notShown(error);
  });
  if ("isLate" in rendered) return lateRead(fetched, await readSent());
  if (!("html" in rendered)) return rendered;
  const page = {
    status: rendered.status,
    finalUrl: rendered.finalUrl,
    engine: "browser" as const,
    picture: rendered.screenshot,
    cutPicture: rendered.cutPicture,
    isEndless: rendered.isEndless,
    ...{ pictureSize: rendered.pictureSize, boxes: rendered.boxes },
    pictures: rendered.pictures,
  };
  if (read.text) return { ...page, digest: read.text.digest };
  const { html, asShown, status, finalUrl } = rendered;
  const shown = { html, asShown, status, url: finalUrl, requestedUrl: request.url, wanted };
  const digest = await tools.extraction.run("readRendered", shown, { ...order, bytes: html.length });
  const isSamePage = canBeSent && withoutFragment(finalUrl) === withoutFragment(fetched.finalUrl);
  return { ...page, ...(await better(digest, rendered, isSamePage ? readSent : async () => null)) };
}

/** The page as it was shown, or as it was sent where that has more. */
async function better(
  digest: Digest,
  { failedRequests, isUnparsed }: RenderedPage,
  readSent: () => Promise<Digest | null>,
): Promise<Pick<ReadPage, "digest" | "failedRequests" | "isAsSent" | "unfinished">> {
  const sent = isUnparsed || isBroken(digest, failedRequests) ? await readSent() : null;
  const isAsSent = sent !== null && !(isUnparsed && wordsOf(digest) > wordsOf(sent));
  return {
    digest: isAsSent ? sent : digest,
    ...{ failedRequests, isAsSent },
    ...(isUnparsed && { unfinished: "held up" }),
  };
}

function once<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let answer: Promise<Answer> | undefined;
  return () => (answer ??= ask());
}

/** The page as the server sent it, when the browser could not show it in time. */
function lateRead({ status, finalUrl }: FetchedPage, digest: Digest | null): ReadPage {
  if (digest === null) throw fail("scrape_timeout", "The page was still busy when its time was over.");
  return { digest, status, finalUrl, engine: "browser", isAsSent: true, unfinished: "busy" };
}

function wordsOf({ metadata }: Digest): number {
  return metadata.word_count;
}

/** Whether scripts may have removed content that the server had sent. */
function isBroken(digest: Digest, failedRequests: number): boolean {
  return digest.wall === null ? isShell(digest) : digest.wall === "login" && failedRequests > 0;
}

function withoutFragment(url: string): string {
  return url.replace(/#.*$/s, "");
}

function wantedOf(
  { output, request }: ScrapeRequest,
  { crawlId, linkTexts = false, views, isBrief = false, withPlace = false, visit }: PageOrder,
  { model }: PageTools,
): Wanted {
  const { formats, json } = output;
  const byModel = model !== undefined && json?.recipe === undefined;
  const needsMarkdown = formats.includes("changes") && !formats.includes("markdown");
  return {
    formats: needsMarkdown ? [...formats, "markdown"] : formats,
    ...(wantsJson(output) && { json: inPageRequest(json ?? {}) }),
    onlyMainContent: request.only_main_content,
    ...partsOf(request),
    ...(request.pdf && { pdf: request.pdf }),
    keepHtml: wantsJson(output) && byModel,
    keepText: formats.includes("summary") && model !== undefined,
    crawl: withPlace || crawlId !== undefined,
    linkTexts,
    ...(views && { views, isBrief }),
    ...(visit && { visited: { ...(visit.login?.when && { when: visit.login.when }) } }),
  };
}

function partsOf({ include_tags = [], exclude_tags = [] }: ScrapeRequest["request"]): Pick<Wanted, "parts"> {
  if (include_tags.length + exclude_tags.length === 0) return {};
  return { parts: { include: include_tags, exclude: exclude_tags } };
}

function renderingOf({ output, js_render }: ScrapeRequest): "always" | "pages" | "scripts" | "never" {
  if (output.formats.includes("screenshot")) return "always";
  if (js_render.wait_for !== undefined || js_render.actions?.length) return "pages";
  return js_render.enabled ? "scripts" : "never";
}

/** Browsers show plain text, but download many other text types. */
function asPlainText(fetched: FetchedPage, text: string): FetchedPage {
  const contentType = "text/plain; charset=utf-8";
  return { ...fetched, contentType, headers: { "content-type": contentType }, body: Buffer.from(text) };
}

/** `why`: a sentence. */
export function blocked(wall: "bot" | "login", why?: string): Error {
  const what = wall === "bot" ? "a check that keeps programs out" : "a login form";
  const message = `The site answered with ${what} instead of the page.`;
  return fail("target_blocked", why === undefined ? message : `${message} ${why}`);
}

/** How the browser shows a page. */
export function jobFor(
  request: ScrapeRequest,
  seed: FetchedPage | undefined,
  ads: AdFilters,
  order: PageOrder,
): RenderJob {
  const { keyId, group, proxyUrl, deadline, answered, boxesOf, views = [], isPutOff, visit } = order;
  // The cache of a browser's context has what was shown signed in: it is that key's alone, whoever reads the page for it.
  const tenant = order.session?.keyId ?? keyId;
  const { output, request: options, js_render: jsRender } = request;
  const { headers, cookies } = splitCookieHeader(options.headers ?? {});
  const url = seed?.finalUrl ?? request.url;
  // Headers are for one origin, and so are the cookies in them.
  const ownCookies = URL.parse(url)?.origin === URL.parse(request.url)?.origin ? cookies : [];
  const isPictured = output.formats.includes("screenshot");
  return {
    url,
    requestedUrl: request.url,
    seed,
    lookupsOf: group,
    lease: { tenant, proxyUrl, skipTlsVerification: options.skip_tls_verification },
    request: { device: options.device, locale: options.locale, userAgent: userAgentOf(headers) },
    jsRender,
    cookies: [...ownCookies, ...pageCookies(request)].map(cookie => ({ url: request.url, ...cookie })),
    siteCookies: [...(seed ? responseCookies(seed) : []), ...(visit?.jar.cookies ?? []).map(forBrowser)],
    jar: visit?.jar,
    headers,
    hasOwnCookies: ownCookies.length > 0,
    ads,
    needsPicture: isPictured || (jsRender.actions ?? []).some(({ type }) => type === "screenshot"),
    screenshot: isPictured ? output.screenshot : undefined,
    asShown: output.formats.includes("raw_html"),
    isLongPicture: !order.isShortPicture,
    ...(boxesOf && { boxesOf }),
    maxBytes: maxPageBytes,
    deadline,
    answered,
    awaited: views.flatMap(({ view: { select = [], items } }) => [
      ...(select.length > 0 ? [select] : []),
      ...(typeof items === "string" && items !== "auto" ? [[items]] : []),
    ]),
    ...(isPutOff && { isPutOff }),
  };
}

function userAgentOf(headers: Record<string, string>): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === "user-agent")?.[1];
}

function notActedOn(): Error {
  const message = "This is a document, and no page that can be acted in: leave js_render.actions out.";
  return fail("unsupported_media_type", message);
}

/** An unexpected browser error that is not the site's; the log has the cause. */
function notShown(cause: unknown): Error {
  return fail("upstream_error", "The browser could not show this page.", {}, cause);
}
