import type { Decision, PageRequest } from "../../../mixins/browser/session.ts";
import type { AdFilters } from "../ads/ad-filters.ts";
import type { FetchedPage } from "../fetch/fetch-page.ts";

export interface RequestRules {
  /** Where the navigation goes. */
  url: string;
  /** What the plain fetch got for that address; the browser is given it and does not ask the site again. */
  seed?: FetchedPage;
  /** The address that the user named; a redirect may have led away from its origin. */
  requestedUrl: string;
  /** The user's own headers: sent to the origin that the user named, never to others. */
  headers: Record<string, string>;
  ads: AdFilters;
  /** Fonts and media change nothing but the picture. */
  needsPicture: boolean;
}

const decoration = new Set(["Font", "Media"]);
const notForBrowser =
  /^(content-(encoding|length|disposition)|transfer-encoding|connection|keep-alive|set-cookie|alt-svc)$/i;

/**
 * Decides each request of one page: answered from the seed, blocked, or sent with the user's headers. `leaves` is asked
 * of each further document, and tells whether that is given up.
 */
export function requestRules(
  rules: RequestRules,
  leaves: (url: string) => boolean,
): (request: PageRequest) => Decision {
  const { origin } = new URL(rules.requestedUrl);
  let { seed } = rules;
  return request => {
    if (request.isMainDocument && seed !== undefined && request.method === "GET") {
      const body = seed;
      seed = undefined;
      return fulfilled(body);
    }
    if (request.isMainDocument && leaves(request.url)) return noNavigation;
    if (!request.isMainDocument && rules.ads.blocks(request.url, rules.url, request.resourceType))
      return { kind: "block" };
    if (isFetchedAhead(request)) return { kind: "block" };
    if (!rules.needsPicture && decoration.has(request.resourceType)) return { kind: "block" };
    return isOwn(request.url, origin, rules.headers)
      ? { kind: "continue", headers: { ...request.headers, ...rules.headers } }
      : { kind: "continue" };
  };
}

/** A navigation that is answered so leaves the document where it is; a failed one would put an error page in its place. */
const noNavigation: Decision = { kind: "fulfil", status: 204, headers: {}, body: Buffer.alloc(0) };

/** `<link rel=prefetch>`: for the page that a reader might go to next (Fetch standard, `Sec-Purpose`). */
function isFetchedAhead({ headers }: PageRequest): boolean {
  return Object.entries(headers).some(
    ([name, value]) => name.toLowerCase() === "sec-purpose" && value.startsWith("prefetch"),
  );
}

function isOwn(url: string, origin: string, headers: Record<string, string>): boolean {
  return Object.keys(headers).length > 0 && URL.canParse(url) && new URL(url).origin === origin;
}

/** The body is already decoded from its transfer form, cookies are set apart, and an attachment is shown, not downloaded. */
function fulfilled({ status, headers, body }: FetchedPage): Decision {
  const kept = Object.entries(headers).filter(([name]) => !notForBrowser.test(name));
  return { kind: "fulfil", status, headers: Object.fromEntries(kept), body };
}
