import type { Listed } from "../../domain/crawl/read-sitemap.ts";
import type { PageHashes, SitemapMemory } from "../../domain/feed/digest-sitemap.ts";
import type { DailyMarks } from "./feed-state.ts";

/** A sitemap that a source reads: the one at its address, or one that the index there lists. */
export interface SitemapPart extends DailyMarks {
  url: string;
  /** The part that lists it, where that is an index itself. */
  under?: string;
  /** The pages that it listed last. */
  pages: PageHashes;
  /** The date that the index gives it, as it is written. */
  lastmod?: string;
  /** Its `lastmod` when it was read last. */
  readLastmod?: string;
  /** Milliseconds since the epoch: when it was read last. */
  readAt?: number;
  /** The source was tracked with it, and it was not read yet: all its pages are old. */
  isOld?: true;
}

/** The state of a sitemap between polls. */
export interface SitemapState extends DailyMarks {
  sitemap: "pages" | "index";
  parts: SitemapPart[];
  /** Pages that no part lists any more. */
  gone: PageHashes;
  /** Addresses of parts that are still to be read before the index is read again. */
  left: string[];
  intervalMs: number;
  name: string;
}

export function isSitemap(state: Record<string, unknown>): boolean {
  return state.sitemap !== undefined;
}

/** Sitemaps that one index may list. */
export const maxParts = 1000;
export const tooManyParts =
  "The index lists more than 1,000 sitemaps. Track those of its sitemaps that matter instead.";

/** The parts of an index that is read for the first time. */
export function firstParts(sitemaps: Listed[]): SitemapPart[] {
  return sitemaps.map(({ url, lastmod }) => ({
    url,
    pages: "",
    ...(lastmod !== undefined && { lastmod }),
    isOld: true,
  }));
}

/** The parts after the index has changed, with those below them. */
export function changedParts(before: Parts, sitemaps: Listed[]): Parts {
  const listed = new Set(sitemaps.map(({ url }) => url));
  const isBelow = ({ url, under }: SitemapPart) =>
    under !== undefined && listed.has(under) && !listed.has(url);
  return replaced(before, part => !isBelow(part), sitemaps, {});
}

/** The parts after one of them was read as an index, or as none where `sitemaps` is empty. */
export function partsBelow(before: Parts, { url, isOld }: SitemapPart, sitemaps: Listed[]): Parts {
  const others = new Set(before.parts.filter(({ under }) => under !== url).map(part => part.url));
  const below = sitemaps.filter(each => !others.has(each.url));
  return replaced(before, ({ under }) => under === url, below, { under: url, ...(isOld && { isOld }) });
}

type Parts = Pick<SitemapState, "parts" | "gone">;

/** Some parts give way to what is listed in their place. What vanished parts listed is gone, and known if it is back elsewhere. */
function replaced(
  { parts, gone }: Parts,
  isReplaced: (part: SitemapPart) => boolean,
  sitemaps: Listed[],
  asNew: Partial<SitemapPart>,
): Parts {
  const former = parts.filter(isReplaced);
  const before = new Map(former.map(part => [part.url, part]));
  const now = sitemaps.map(({ url, lastmod }) => {
    const { lastmod: _, under: __, ...part } = before.get(url) ?? { url, pages: "", ...asNew };
    const { under } = asNew;
    return { ...part, ...(under !== undefined && { under }), ...(lastmod !== undefined && { lastmod }) };
  });
  const stays = new Set(now.map(({ url }) => url));
  const lost = former.filter(({ url }) => !stays.has(url)).map(({ pages }) => pages);
  return { parts: [...now, ...parts.filter(part => !isReplaced(part))], gone: gone + lost.join("") };
}

const hourMs = 60 * 60 * 1000;
/** A date names a day in any time zone, and its sitemap may change until that day is over everywhere. */
const freshMs = 48 * hourMs;
/** Some indexes do not keep their dates. */
const trustMs = 24 * hourMs;

/**
 * Addresses of the parts to read now, by what the index says: those without a date, with a new one or with one of these
 * days; and each at least once a day.
 */
export function dueParts(parts: SitemapPart[], now: number): string[] {
  const isDue = ({ lastmod, readLastmod, readAt = 0 }: SitemapPart) => {
    const changedAt = Date.parse(lastmod ?? "");
    const isSettled = lastmod === readLastmod && changedAt < now - freshMs;
    return !isSettled || readAt < now - trustMs;
  };
  return parts.filter(isDue).map(({ url }) => url);
}

/** What is remembered for the reading of one part. */
export function memoryOf({ parts, gone }: Pick<SitemapState, "parts" | "gone">, url: string): SitemapMemory {
  const own = parts.find(part => part.url === url)?.pages ?? "";
  const others = parts.filter(part => part.url !== url).map(({ pages }) => pages);
  return { own, others: others.join(""), gone };
}
