import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { isCompressed, type Listed, readListed } from "../crawl/read-sitemap.ts";
import type { ItemNews } from "./compare-feed.ts";
import type { FeedItem } from "./feed.ts";
import { feedDate } from "./feed-date.ts";
import { type Headline, headlinesOf } from "./headlines.ts";

/** Hashes of pages, 8 characters each, one after the other. */
export type PageHashes = string;

/** What is remembered of the pages of a sitemap. */
export interface SitemapMemory {
  /** Pages that this document listed last. */
  own: PageHashes;
  /** Pages that other documents of the same site list. */
  others: PageHashes;
  /** Pages that were listed once, the latest last. */
  gone: PageHashes;
}

/** The bytes of a sitemap, compressed or not, and the memory of earlier polls. */
export interface SitemapDocument {
  body: Uint8Array;
  memory: SitemapMemory;
  /** Every page that the document lists is old. */
  isFirst: boolean;
  /** News of one digest. */
  maxNews: number;
  /** How many of the newest pages to show, whether they are news or not. */
  headlines?: number;
}

/** What a sitemap lists, compared with the memory; or why the document is none. JSON. */
export type SitemapDigest =
  | { ok: true; is: "index"; sitemaps: Listed[] }
  | {
      ok: true;
      is: "pages";
      /** The new memory of this document. */
      own: PageHashes;
      gone: PageHashes;
      /** In the order of their dates where all have one, else of the document. */
      news: ItemNews[];
      /** False when there were more news than `maxNews`. They stay unknown and follow in the next digest. */
      complete: boolean;
      headlines?: Headline[];
    }
  | { ok: false; reason: string };

const hashLength = 8;
const maxBytes = 50 * 1024 * 1024;
/** Pages of one source. Their memory takes 2 MB. */
export const maxPages = 250_000;
/** Sitemaps of an index that are returned: more than one source may have. */
const mostSitemaps = 2000;
const tooMany = "The sitemap lists more than 250,000 pages. Track the sitemaps of its parts instead.";

/**
 * Reads a sitemap and compares it with the memory. A page is news once: when it has left the sitemap and is back, it is
 * known. Changed dates are no news, since they say that a page has changed, or nothing.
 */
export function digestSitemap({ body, memory, isFirst, maxNews, headlines }: SitemapDocument): SitemapDigest {
  const bytes = unpacked(body);
  const listed = bytes && readListed(bytes, maxPages + 1);
  if (listed?.form === undefined) return { ok: false, reason: "The document is not a sitemap." };
  if (listed.form === "index")
    return { ok: true, is: "index", sitemaps: listed.sitemaps.slice(0, mostSitemaps) };
  const { own, others, gone } = hashesIn(memory);
  if (listed.pages.length + others.size > maxPages) return { ok: false, reason: tooMany };
  const isKnown = (hash: string) => isFirst || own.has(hash) || others.has(hash) || gone.has(hash);
  const hashed = listed.pages.map(page => ({ hash: hashOf(page.url), page }));
  const fresh = byDate(hashed.filter(({ hash }) => !isKnown(hash)).map(({ page }) => page));
  const reported = fresh.slice(0, maxNews);
  const untold = new Set(fresh.slice(maxNews).map(({ url }) => hashOf(url)));
  const now = new Set(hashed.map(({ hash }) => hash).filter(hash => !untold.has(hash)));
  return {
    ok: true,
    is: "pages",
    own: [...now].join(""),
    gone: goneAfter({ own, others, gone }, now),
    news: reported.map(toNews),
    complete: untold.size === 0,
    ...(headlines !== undefined && { headlines: headlinesOf(listed.pages.map(toItem).reverse(), headlines) }),
  };
}

/** Whether a document may be a sitemap, by its first bytes: compressed, or with the root of one. */
export function looksLikeSitemap(body: Uint8Array, contentType: string): boolean {
  if (isCompressed(body)) return true;
  const head = new TextDecoder().decode(body.subarray(0, 4096)).replaceAll("\0", "");
  const isText =
    /^\s*text\/plain\b/i.test(contentType) && /^\ufeff?\s*https?:\/\/\S+\s*(?:[\r\n]|$)/i.test(head);
  return isText || /^[^<]*(?:<[?!][^>]*>[^<]*)*<(?:[\w-]+:)?(?:urlset|sitemapindex)[\s>]/.test(head);
}

/** Undefined where the document cannot be decompressed. */
function unpacked(body: Uint8Array): Uint8Array | undefined {
  if (!isCompressed(body)) return body;
  try {
    return gunzipSync(body, { maxOutputLength: maxBytes });
  } catch {
    return undefined;
  }
}

function hashesIn(memory: SitemapMemory): Record<keyof SitemapMemory, Set<string>> {
  const setOf = (hashes: PageHashes) =>
    new Set(
      Array.from({ length: hashes.length / hashLength }, (_, at) =>
        hashes.slice(at * hashLength, (at + 1) * hashLength),
      ),
    );
  return { own: setOf(memory.own), others: setOf(memory.others), gone: setOf(memory.gone) };
}

/** Pages that have left come last; the oldest are forgotten only when all that is remembered exceeds the limit. */
function goneAfter(
  { own, others, gone }: Record<keyof SitemapMemory, Set<string>>,
  now: Set<string>,
): PageHashes {
  const isListed = (hash: string) => now.has(hash) || others.has(hash);
  const left = [...gone, ...own].filter(hash => !isListed(hash));
  const capacity = maxPages - now.size - others.size;
  return left.slice(Math.max(0, left.length - capacity)).join("");
}

// 48 bits: among 250,000 pages, one new page in a thousand million is taken for a known one.
function hashOf(url: string): string {
  return createHash("sha256").update(url).digest("base64url").slice(0, hashLength);
}

function byDate(pages: Listed[]): Listed[] {
  const dated = pages.map(page => ({ page, at: publishedAt(page) }));
  if (dated.some(({ at }) => at === undefined)) return pages;
  return dated.sort((a, b) => Date.parse(a.at ?? "") - Date.parse(b.at ?? "")).map(({ page }) => page);
}

function publishedAt({ published, lastmod }: Listed): string | undefined {
  return feedDate(published) ?? feedDate(lastmod);
}

function toNews(page: Listed): ItemNews {
  const postId = createHash("sha256").update(page.url).digest("base64url").slice(0, 12);
  return { kind: "created", postId, revision: "1", item: toItem(page) };
}

function toItem(page: Listed): FeedItem {
  const [published, modified] = [publishedAt(page), feedDate(page.lastmod)];
  return {
    id: page.url,
    url: new URL(page.url).href,
    ...(page.title !== undefined && { title: page.title }),
    ...(published !== undefined && { date_published: published }),
    ...(modified !== undefined && modified !== published && { date_modified: modified }),
  };
}
