import type { FetchedDocument } from "../../../mixins/egress/fetch-document.ts";
import { codeOf } from "../../contracts/errors.ts";
import type { ListedUrls } from "../../domain/crawl/read-sitemap.ts";
import type { ConnectorTools } from "../connector.ts";
import { bodyHash, conditions, type Validators, validators } from "../feeds/feed-state.ts";

/** What is known of the sitemaps of a site, by their addresses. */
export type KnownSitemaps = Record<string, KnownSitemap>;

interface KnownSitemap extends Validators {
  hash: string;
  /** Milliseconds since the epoch. */
  readAt: number;
  /** The sitemaps that it lists, where it is an index. */
  below?: string[];
}

/** A page as a sitemap lists it. */
export interface ListedInSitemap {
  url: string;
  /** Milliseconds since the epoch; null where it says nothing that can be read. */
  lastmod: number | null;
}

export interface ReadSitemaps {
  known: KnownSitemaps;
  /** Null where no sitemap has changed since it was read last. */
  pages: ListedInSitemap[] | null;
  /** All sitemaps were read: a page that none of them lists has left them. */
  isWhole: boolean;
}

export interface SitemapTools extends Pick<ConnectorTools, "fetchDocument" | "now" | "timeLeftMs"> {
  /** What a sitemap lists, compressed or not. */
  listSitemap(document: FetchedDocument): Promise<ListedUrls>;
}

const maxSitemaps = 1000;
/** Pages of all sitemaps together: as many as a site may have, with some to spare for those that it does not take. */
const maxPages = 200_000;
/** A server that answers 304 for ever must not hide pages. */
const trustMs = 23 * 60 * 60 * 1000;
const maxBytes = 50 * 1024 * 1024;
/** Milliseconds of a step that are left to its visits. */
const reservedMs = 18_000;

/**
 * Reads the sitemaps of a site by conditional requests. When one of them has changed, all are read, so that what they list
 * is known as a whole. Those that were not read for the longest time come first, where the time does not suffice.
 */
export async function readSitemaps(
  roots: string[],
  known: KnownSitemaps,
  tools: SitemapTools,
): Promise<ReadSitemaps> {
  const first = await readAll(roots, known, tools, true);
  if (!first.isChanged) return { known: first.known, pages: null, isWhole: first.isWhole };
  if (first.unread.length === 0) return first;
  const rest = await readAll(first.unread, first.known, tools, false);
  return {
    known: rest.known,
    pages: [...first.pages, ...rest.pages].slice(0, maxPages),
    isWhole: first.isWhole && rest.isWhole && first.pages.length + rest.pages.length <= maxPages,
  };
}

interface Reading {
  known: KnownSitemaps;
  pages: ListedInSitemap[];
  isWhole: boolean;
  isChanged: boolean;
  /** Sitemaps that are as they were, and of which nothing is known but that. */
  unread: string[];
}

async function readAll(
  urls: string[],
  before: KnownSitemaps,
  tools: SitemapTools,
  isConditional: boolean,
): Promise<Reading> {
  const reading: Reading = { known: {}, pages: [], isWhole: true, isChanged: false, unread: [] };
  const known: KnownSitemaps = isConditional ? {} : { ...before };
  const queue = [...urls].sort((a, b) => (before[a]?.readAt ?? 0) - (before[b]?.readAt ?? 0));
  const seen = new Set(queue);
  for (let at = 0; at < queue.length; at += 1) {
    const url = queue[at] ?? "";
    const former = before[url];
    if (at >= maxSitemaps || tools.timeLeftMs() < reservedMs) {
      reading.isWhole = false;
      if (former) known[url] = former;
      continue;
    }
    const found = await readOne(url, isConditional ? former : undefined, tools);
    if (found === "same" && former) {
      known[url] = former;
      if (former.below === undefined) reading.unread.push(url);
    } else if (typeof found === "object") {
      known[url] = found.known;
      reading.isChanged ||= former?.hash !== found.known.hash;
      for (const page of found.pages) if (reading.pages.length < maxPages) reading.pages.push(page);
    } else {
      // A sitemap that cannot be read now lists what it listed.
      reading.isWhole = false;
      if (former) known[url] = former;
    }
    for (const below of known[url]?.below ?? [])
      if (!seen.has(below) && isConditional) {
        seen.add(below);
        queue.push(below);
      }
  }
  const gone = isConditional && Object.keys(before).some(url => known[url] === undefined);
  return { ...reading, known, isChanged: reading.isChanged || gone };
}

/** `same`: as it was; `unread`: it cannot be read now. */
async function readOne(
  url: string,
  former: KnownSitemap | undefined,
  { fetchDocument, listSitemap, now }: SitemapTools,
): Promise<{ known: KnownSitemap; pages: ListedInSitemap[] } | "same" | "unread"> {
  try {
    const isTrusted = former !== undefined && now() - former.readAt < trustMs;
    const document = await fetchDocument(url, isTrusted ? conditions(former) : {}, maxBytes);
    if (document.status === 304) return "same";
    if (document.status === 404 || document.status === 410)
      return { known: { hash: "none", readAt: now() }, pages: [] };
    if (document.status < 200 || document.status > 299) return "unread";
    const hash = bodyHash(document);
    if (former?.hash === hash && isTrusted) return "same";
    const { pages, sitemaps } = await listSitemap(document);
    return {
      known: {
        ...validators(document),
        ...{ hash, readAt: now() },
        ...(sitemaps.length > 0 && { below: sitemaps.slice(0, maxSitemaps).map(each => each.url) }),
      },
      pages: pages.map(page => ({ url: page.url, lastmod: timeOf(page.lastmod) })),
    };
  } catch (error) {
    if (codeOf(error) === undefined || codeOf(error) === "overloaded") throw error;
    return "unread";
  }
}

function timeOf(lastmod: string | undefined): number | null {
  const time = Date.parse(lastmod ?? "");
  return Number.isNaN(time) ? null : time;
}
