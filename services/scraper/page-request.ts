import { invalid } from "../contracts/errors.ts";
import type { Cookie, JobWebhook, JsRenderOptions } from "../contracts/page-options.ts";
import type { Posted, WantedView } from "../contracts/page-reads.contract.ts";
import type { ScrapeRequest } from "../contracts/scraper.contract.ts";
import { checkPageOptions, isCookieHost } from "../domain/page-options/page-options.ts";
import type { QuotaUse } from "../domain/quota/quotas.ts";
import { siteOf } from "../domain/url/canonical-url.ts";
import { isSameSite } from "../domain/url/same-site.ts";
import { isForEveryone } from "./fetch/fetch-page.ts";
import type { SessionOf, Visit } from "./sessions/sessions.store.ts";

/** The caller for whom a page is read, the proxy, and the deadline. */
export interface PageOrder {
  keyId: string;
  owner: string;
  /** Pages and name lookups of one group queue for one another: those of a key, or of one tracked host. */
  group: string;
  /** Fires when the request was answered before its page was read. */
  answered?: AbortSignal;
  /** The crawl that the page belongs to. */
  crawlId?: string;
  /** What the page is read for: a reading that is repeated has the same name. */
  readAs?: string;
  /** The entry page of the crawl that the page belongs to. */
  entry?: string;
  /** Nothing leads to the page any more: a former crawl knew it. */
  isHidden?: boolean;
  /** The crawler wants the texts of the links, too. */
  linkTexts?: boolean;
  /** Charges a page of the browser to the quotas of the key; the quota that refuses it, or null. Undefined: no quotas. */
  chargeRender?: () => Promise<QuotaUse | null>;
  /** Options that count beside the formats. */
  views?: WantedView[];
  /** Return the beginning of the Markdown only. */
  isBrief?: boolean;
  /** Return where the page leads, as for a crawl. */
  withPlace?: boolean;
  /** Selectors of elements whose places on the screenshot are wanted. */
  boxesOf?: readonly string[];
  /** The picture is compared with others, or pointed at: it is as long as what is drawn at once. */
  isShortPicture?: boolean;
  /** Without a browser in time the page is `overloaded`: it can be read later. */
  isPutOff?: boolean;
  /** The session to read it in, where that is not the one of the request. */
  session?: SessionOf | undefined;
  /** What is known of its visitor, in a session. */
  visit?: Visit;
  /** The page is asked for by POST. */
  post?: Posted | undefined;
  /** Undefined: no proxy. */
  proxyUrl?: string;
  /** Milliseconds since the epoch at which `signal` fires. */
  deadline: number;
  signal: AbortSignal;
}

/** Checks what the schema cannot express. Throws a 400 that names the first invalid field. */
export function checkScrapeRequest(request: ScrapeRequest): void {
  if (request.mode === "sync" && request.webhook !== undefined)
    throw invalid(
      "webhook",
      "not_applicable",
      "Only asynchronous scrapes notify a webhook: set mode to async, or leave webhook out.",
    );
  const wrong = request.webhook && notOfScrapes(request.webhook);
  if (wrong) throw invalid(wrong, "not_applicable", "This is for webhooks of crawls and batches.");
  const error = checkPageOptions(request, [new URL(request.url).hostname], request.timeout);
  if (error) throw invalid(error.field, error.code, error.message);
}

/** The field of a webhook that only crawls and batches have. */
function notOfScrapes({ events, format }: JobWebhook): string | undefined {
  if (events.includes("page")) return "webhook.events";
  return format === "firecrawl" ? "webhook.format" : undefined;
}

/** The cookies as a list, in whichever form the request has them. */
export function pageCookies({ request: { cookies } }: Pick<ScrapeRequest, "request">): Cookie[] {
  if (cookies === undefined || Array.isArray(cookies)) return cookies ?? [];
  return Object.entries(cookies).map(([name, value]) => ({ name, value }));
}

/**
 * The request for one page of a crawl. For a page on another site, drops what the user meant for the site of the entry
 * page: headers go to the origin of the entry page only, cookies to its host or to their domain. Actions, which may type a
 * password, and what to wait for go to its host and those below it, and its session to its site.
 */
export function keepToOwnSite(request: ScrapeRequest, entryUrl: string): ScrapeRequest {
  const [page, entry] = [URL.parse(request.url), URL.parse(entryUrl)];
  // The fetch refuses what is not a URL.
  if (!page || page.origin === entry?.origin) return request;
  const { headers = {}, ...options } = request.request;
  const session = isSameSite(request.url, entryUrl) ? request.session : undefined;
  const kept = Object.entries(headers).filter(([name]) => isForEveryone(name));
  const cookies = pageCookies(request).filter(cookie => isFor(page.hostname, cookie, entry?.hostname));
  const js_render = isBelow(siteOf(page), entry && siteOf(entry)) ? request.js_render : undirected(request);
  const { session: _, ...rest } = request;
  const own = { ...options, headers: Object.fromEntries(kept), cookies };
  return { ...rest, js_render, ...(session && { session }), request: own };
}

function isBelow(site: string, entrySite: string | null): boolean {
  return site === entrySite || site.endsWith(`.${entrySite}`);
}

function undirected({ js_render: { actions: _, wait_for: __, ...rest } }: ScrapeRequest): JsRenderOptions {
  return rest;
}

function isFor(host: string, { domain }: Cookie, entryHost?: string): boolean {
  return domain === undefined ? host === entryHost : isCookieHost(host, domain);
}
