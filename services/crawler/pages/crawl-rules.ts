import { TimeSlices } from "../../../mixins/async/time-slices.ts";
import type { Candidate, Claim } from "../../../mixins/frontier/frontier.ts";
import { RequestBudget } from "../../../reader/text/request-budget.ts";
import type { CrawlRequest } from "../../contracts/crawler.contract.ts";
import { invalid } from "../../contracts/errors.ts";
import type { PageLink } from "../../contracts/page-reads.contract.ts";
import { crawlScope } from "../../domain/crawl/crawl-scope.ts";
import { PatternError, urlPatterns } from "../../domain/crawl/url-patterns.ts";
import { canonicalUrl } from "../../domain/url/canonical-url.ts";
import type { CrawlerContext } from "../context.ts";
import type { StoredCrawl } from "../crawls.store.ts";
import { JudgedLinks, type OfferedPages, type Place } from "./known-links.ts";

/** Redirects in a row that are followed (WHATWG Fetch allows 20, RFC 9110 sets no limit). */
export const maxHops = 10;

/** Which pages a crawl takes, once its entry page is known. Lists are worked on in slices; the signal breaks that off. */
export interface CrawlRules {
  /** The pages that a page links to, without those that are `offered`. Links of external pages are not followed. */
  linked(
    from: Claim,
    links: PageLink[],
    offered: Pick<OfferedPages, "has">,
    signal: AbortSignal,
  ): Promise<Candidate[]>;
  /** The pages of the site among those that a sitemap names. */
  listed(urls: string[], signal: AbortSignal): Promise<Candidate[]>;
  /** The page to which a redirect or a canonical link leads; null when the crawl does not take it. */
  ledTo(from: Claim, url: string, signal: AbortSignal): Promise<Candidate | null>;
}

export function rulesOf(
  { keyId, request }: StoredCrawl,
  entryUrl: string,
  { egress, urlFilter, isOwnHost }: Pick<CrawlerContext, "egress" | "urlFilter" | "isOwnHost">,
): CrawlRules {
  const scope = crawlScope(entryUrl, request.crawler);
  const placeOf = (url: string): Place | null => {
    const canonical = pageAt(url, request);
    const place = canonical ? scope(canonical.url) : "outside";
    if (!canonical || place === "outside" || !isAdmitted(egress, canonical.url)) return null;
    return { ...canonical, external: place === "external" };
  };
  const judge = async (urls: readonly string[], signal: AbortSignal): Promise<(Place | null)[]> => {
    const places = await inSlices(urls, signal, placeOf);
    const found = places.filter(place => place !== null);
    const task = { group: keyId, signal };
    const takes = await urlFilter.takes(
      request.crawler,
      found.map(({ url }) => url),
      task,
    );
    const taken = new Set(found.filter((_, at) => takes[at]));
    return places.map(place => (place && taken.has(place) ? place : null));
  };
  const judged = new JudgedLinks(judge);
  const maxDepth = request.crawler.max_depth;
  return {
    linked: async (from, links, offered, signal) => {
      if (from.external) return [];
      const followsAll = request.crawler.ignore_robots === true && isOwnHost(from.url);
      const followed = links.filter(({ nofollow }) => followsAll || !nofollow);
      const places = await judged.of(
        followed.map(({ url }) => url),
        signal,
      );
      const found: Candidate[] = [];
      // Nearly all links of a page lead where others have led: these cost no object.
      for (const [at, place] of places.entries()) {
        const depth = from.depth + (followed[at]?.next ? 0 : 1);
        if (place !== null && depth <= maxDepth && !offered.has(place.key, depth))
          found.push({ ...place, depth, hops: 0, from: from.url });
      }
      return eachOnce(found);
    },
    listed: async (urls, signal) => {
      const places = await judge(urls, signal);
      return eachOnce(
        places.map(place => place && !place.external && { ...place, depth: 0, hops: 0, from: null }),
      );
    },
    ledTo: async ({ depth, hops, from }, url, signal) => {
      if (hops >= maxHops || depth > maxDepth) return null;
      const [place] = await judge([url], signal);
      return place ? { ...place, depth, hops: hops + 1, from } : null;
    },
  };
}

/** The page that a URL identifies to a crawl. */
export function pageAt(
  url: string,
  { crawler: { ignore_query: ignoresQuery } }: Pick<StoredCrawl["request"], "crawler">,
): ReturnType<typeof canonicalUrl> {
  return canonicalUrl(url, ignoresQuery === undefined ? {} : { ignoresQuery });
}

/** Throws a 400 that names the first pattern which cannot be used. */
export function checkPatterns({ crawler: { include, exclude } }: CrawlRequest): void {
  try {
    urlPatterns(include, exclude, new RequestBudget());
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw invalid(`crawler.${error.list}.${error.index}`, "invalid_pattern", error.message);
  }
}

/** The entry page, or the target of its redirect. Throws the guard's refusal of its URL. */
export function entryAt(
  url: string,
  hops: number,
  { request }: Pick<StoredCrawl, "request">,
  egress: CrawlerContext["egress"],
): Candidate {
  const { href } = egress.admit(url, { subject: hops === 0 ? "url" : "redirect" });
  const canonical = pageAt(href, request);
  if (!canonical) throw new TypeError("an admitted URL has a canonical form");
  return { ...canonical, depth: 0, hops, from: null, external: false };
}

/** Applies the guard's rules for URLs. It checks the addresses of names when it connects. */
export function isAdmitted(egress: CrawlerContext["egress"], url: string): boolean {
  try {
    egress.admit(url, { isLink: true });
    return true;
  } catch {
    return false;
  }
}

async function inSlices(
  urls: readonly string[],
  signal: AbortSignal,
  placeOf: (url: string) => Place | null,
): Promise<(Place | null)[]> {
  const places: (Place | null)[] = [];
  const slices = new TimeSlices(signal);
  for (const url of urls) {
    if (!(await slices.next())) signal.throwIfAborted();
    places.push(placeOf(url));
  }
  return places;
}

/** Each page once, with its smallest depth. */
function eachOnce(candidates: (Candidate | null | false)[]): Candidate[] {
  const byKey = new Map<string, Candidate>();
  for (const each of candidates) {
    if (!each) continue;
    const known = byKey.get(each.key);
    if (!known || each.depth < known.depth) byKey.set(each.key, each);
  }
  return [...byKey.values()];
}
