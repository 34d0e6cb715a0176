import type { Candidate, Claim } from "../../mixins/frontier/frontier.ts";
import type { CrawlRequest } from "../contracts/crawler.contract.ts";
import { invalid } from "../contracts/errors.ts";
import type { PageLink } from "../contracts/scraper.contract.ts";
import { canonicalUrl } from "../domain/crawl/canonical-url.ts";
import { crawlScope } from "../domain/crawl/crawl-scope.ts";
import { PatternError, urlPatterns } from "../domain/crawl/url-patterns.ts";
import type { CrawlerRoom, StoredCrawl } from "./room.ts";

/** Redirects that are followed one after another (WHATWG Fetch allows 20, RFC 9110 leaves it open). */
export const maxHops = 10;

/** Which pages a crawl takes, once it is known where its entry page is. */
export interface CrawlRules {
  /** What a page links to; pages elsewhere are not followed on from. */
  linked(from: Claim, links: PageLink[]): Candidate[];
  /** What a sitemap names: pages of the site itself. */
  listed(urls: string[]): Candidate[];
  /** Where a page says, or its server, that it is; null when that is not for this crawl. */
  ledTo(from: Claim, url: string): Candidate | null;
}

export function rulesOf(
  { request }: StoredCrawl,
  entryUrl: string,
  egress: CrawlerRoom["egress"],
): CrawlRules {
  const scope = crawlScope(entryUrl, request.crawler);
  const isWanted = patternsOf(request);
  const candidate = (url: string, at: Pick<Candidate, "depth" | "hops" | "from">): Candidate | null => {
    const canonical = canonicalUrl(url);
    const place = canonical ? scope(canonical.url) : "outside";
    if (!canonical || place === "outside" || at.depth > request.crawler.max_depth) return null;
    if (!isWanted(canonical.url) || !isAdmitted(egress, canonical.url)) return null;
    return { ...canonical, ...at, external: place === "external" };
  };
  return {
    linked: (from, links) => {
      if (from.external) return [];
      const depth = ({ next }: PageLink) => from.depth + (next ? 0 : 1);
      const followed = links.filter(({ nofollow }) => !nofollow);
      return present(
        followed.map(link => candidate(link.url, { depth: depth(link), hops: 0, from: from.url })),
      );
    },
    listed: urls => {
      const found = present(urls.map(url => candidate(url, { depth: 0, hops: 0, from: null })));
      return found.filter(({ external }) => !external);
    },
    ledTo: ({ depth, hops, from }, url) =>
      hops < maxHops ? candidate(url, { depth, hops: hops + 1, from }) : null,
  };
}

/** The request's patterns as a function of a URL; a 400 that names the first one that is none. */
export function patternsOf({ crawler: { include, exclude } }: CrawlRequest): (url: string) => boolean {
  try {
    return urlPatterns(include, exclude);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw invalid(`crawler.${error.list}.${error.index}`, "invalid_pattern", error.message);
  }
}

/** The entry page, or where its server leads from it; null for what the service does not go to. */
export function entryAt(url: string, hops: number, egress: CrawlerRoom["egress"]): Candidate | null {
  const canonical = canonicalUrl(url);
  if (!canonical || !isAdmitted(egress, canonical.url)) return null;
  return { ...canonical, depth: 0, hops, from: null, external: false };
}

/** The guard's rule at the door; what a name resolves to it sees when it connects. */
function isAdmitted(egress: CrawlerRoom["egress"], url: string): boolean {
  try {
    egress.admit(url);
    return true;
  } catch {
    return false;
  }
}

/** Each page once, by the nearest way that leads there. */
function present(candidates: (Candidate | null)[]): Candidate[] {
  const byKey = new Map<string, Candidate>();
  for (const each of candidates) {
    const known = each && byKey.get(each.key);
    if (each && (!known || each.depth < known.depth)) byKey.set(each.key, each);
  }
  return [...byKey.values()];
}
