import type { Session } from "../../../mixins/browser/session.ts";
import type { Decision, PageRequest } from "../../../mixins/browser/tab.ts";
import { refusedBy, type TrafficReport } from "../../../mixins/egress/egress.ts";
import { fail } from "../../contracts/errors.ts";
import { portOf } from "../../domain/url/admit-url.ts";
import type { FetchedPage } from "../fetch/fetch-page.ts";
import type { AdFilters } from "./ad-filters.ts";

export interface RequestRules {
  /** Where the navigation goes. */
  url: string;
  /** The fetched answer for that URL. The browser gets it and does not ask the site again. */
  seed?: FetchedPage;
  /** The URL in the request; a redirect may have left its origin. */
  requestedUrl: string;
  /** Headers of the request: sent to the origin of `requestedUrl` only. */
  headers: Record<string, string>;
  /** Cookies are set that only that origin may have: no request goes to another port or scheme of its host. */
  hasOwnCookies: boolean;
  /** The page does not leave its site: it is told where it would have gone. */
  onlyWithin?: { isOfSite(host: string): boolean; onLeave(host: string): void };
  ads: AdFilters;
  /** Fonts and media change only the screenshot. */
  needsPicture: boolean;
}

/** Addresses of frames that were not loaded since they are advertisements; the first hundred. */
export type BlockedFrames = Set<string>;
const mostBlocked = 100;

const decoration = new Set(["Font", "Media"]);
const notForBrowser =
  /^(content-(encoding|length|disposition)|transfer-encoding|connection|keep-alive|set-cookie|alt-svc)$/i;

/**
 * Decides each request of one page: answer it from the seed, block it, or send it, with the user's headers where they
 * belong. `leaves` says of each further document whether to give up that navigation.
 */
export function requestRules(
  rules: RequestRules,
  leaves: (url: string) => boolean,
  blockedFrames: BlockedFrames = new Set(),
): (request: PageRequest) => Decision {
  const { origin } = new URL(rules.requestedUrl);
  let { seed } = rules;
  return request => {
    if (request.isMainDocument && seed !== undefined && request.method === "GET") {
      const body = seed;
      seed = undefined;
      return fulfilled(body);
    }
    // Chromium requests hosts that the URL standard rejects, such as `a%20b`; they cannot be reached.
    if (!URL.canParse(request.url)) return request.isMainDocument ? noNavigation : { kind: "block" };
    if (request.isMainDocument && leaves(request.url)) return noNavigation;
    if (request.isMainDocument && leavesSite(request.url, rules)) return noNavigation;
    if (rules.hasOwnCookies && isNeighbour(request.url, rules.requestedUrl))
      return request.isMainDocument ? noNavigation : { kind: "block" };
    if (!request.isMainDocument && rules.ads.blocks(request.url, rules.url, request.resourceType)) {
      if (request.resourceType === "Document" && blockedFrames.size < mostBlocked)
        blockedFrames.add(request.url);
      return { kind: "block" };
    }
    if (isFetchedAhead(request)) return { kind: "block" };
    if (!rules.needsPicture && decoration.has(request.resourceType)) return { kind: "block" };
    return isOwn(request.url, origin, rules.headers)
      ? { kind: "continue", headers: { ...request.headers, ...rules.headers } }
      : { kind: "continue" };
  };
}

/** This answer to a navigation keeps the current document; a failure would replace it by an error page. */
const noNavigation: Decision = { kind: "fulfil", status: 204, headers: {}, body: Buffer.alloc(0) };

function leavesSite(url: string, { onlyWithin }: RequestRules): boolean {
  const { hostname } = new URL(url);
  if (!onlyWithin || onlyWithin.isOfSite(hostname)) return false;
  onlyWithin.onLeave(hostname);
  return true;
}

/** `<link rel=prefetch>`: for a page that a reader might visit next (Fetch standard, `Sec-Purpose`). */
function isFetchedAhead({ headers }: PageRequest): boolean {
  return Object.entries(headers).some(
    ([name, value]) => name.toLowerCase() === "sec-purpose" && value.startsWith("prefetch"),
  );
}

/** Tells addresses of one host, which get the same cookies, but of two origins. */
function isNeighbour(url: string, other: string): boolean {
  const [{ hostname, origin }, own] = [new URL(url), new URL(other)];
  return hostname === own.hostname && origin !== own.origin;
}

function isOwn(url: string, origin: string, headers: Record<string, string>): boolean {
  return Object.keys(headers).length > 0 && new URL(url).origin === origin;
}

/** Without the headers of transfer codings, since the body is decoded; cookies are set apart; an attachment is shown. */
function fulfilled({ status, headers, body }: FetchedPage): Decision {
  const kept = Object.entries(headers).filter(([name]) => !notForBrowser.test(name));
  return { kind: "fulfil", status, headers: Object.fromEntries(kept), body };
}

/**
 * Checks where the browser is, since a page may have navigated by itself. A request that the proxy refuses or cannot
 * complete looks like an ordinary page of 403 or 502; the proxy's record identifies it. In a tunnel the browser shows
 * its own error page.
 */
export function checkLoadedUrl({ url, proxy }: Session, status: number): void {
  const { refused, unreachable, overBudget } = proxy.record();
  const isLost = url.startsWith("chrome-error:");
  const refusal = refused.find(({ target }) => target === endpoint(url)) ?? (isLost ? refused[0] : undefined);
  if (refusal) throw refusedBy([refusal.rule], "page");
  if (overBudget && (isLost || status === 0)) throw tooLarge();
  if (isLost || (status >= 500 && unreachable.some(({ host }) => host === URL.parse(url)?.hostname)))
    throw fail("target_unreachable", "The site could not be reached.");
}

/** Whether an address leads within the document that is shown, since it differs by its fragment alone. */
export function isWithin(url: string, shown: string): boolean {
  const wanted = URL.parse(url)?.href ?? "";
  return wanted.includes("#") && withoutFragment(wanted) === withoutFragment(shown);
}

function withoutFragment(url: string): string {
  return url.replace(/#.*$/s, "");
}

/** Whether what a frame shows is the answer of the proxy, which refuses the address or cannot reach it, or the browser's own. */
export function isUnloaded(url: string, { proxy }: Pick<Session, "proxy">): boolean {
  const { refused, unreachable } = proxy.record();
  return (
    url.startsWith("chrome-error:") ||
    refused.some(({ target }) => target === endpoint(url)) ||
    unreachable.some(({ host }) => host === URL.parse(url)?.hostname)
  );
}

/** In the form of the proxy's record. The browser may be at a URL that the standard rejects, such as `http://a%20b/`. */
function endpoint(text: string): string {
  const url = /^https?:/.test(text) ? URL.parse(text) : null;
  return url === null ? text : `${url.hostname}:${portOf(url)}`;
}

/** Maps Chromium's net errors to errors for the caller. Returns any other error of the browser unchanged. */
export function navigationError(
  message: string,
  record: Pick<TrafficReport, "refused" | "overBudget">,
  cause: unknown,
): unknown {
  const [refusal] = record.refused;
  if (refusal && /net::/.test(message)) return refusedBy([refusal.rule], "page");
  if (record.overBudget) return tooLarge();
  if (/net::ERR_(CERT|SSL|BAD_SSL)/.test(message))
    return fail("tls_error", "The site's certificate is not valid.", {}, cause);
  if (/ERR_TOO_MANY_REDIRECTS/.test(message))
    return fail("upstream_error", "The page redirects in a circle.", {}, cause);
  if (/net::ERR_ABORTED/.test(message))
    return fail("upstream_error", "The page turned into a download before it could be read.", {}, cause);
  if (/net::/.test(message)) return fail("target_unreachable", "The site could not be reached.", {}, cause);
  return cause;
}

function tooLarge(): Error {
  return fail("upstream_error", "The page loads more than a scrape may.");
}
