/**
 * The pages of every tracked site: which are known, when each is visited next, what is remembered of it, and what of it is
 * still to be told. One process keeps them in SQLite, a cluster in MongoDB. Both drivers pass
 * test/suites/site-pages.suite.ts. Nothing of a site is in memory between two calls.
 */

/**
 * `new`: known, not yet read; `there`: read; `missing`: it was there and is not found, which another visit confirms;
 * `removed`, `moved`: told so; `refused`: robots.txt or its own wish keeps us out; `alias`: another address of a page.
 */
export type SitePageState = "new" | "there" | "missing" | "removed" | "moved" | "refused" | "alias";

/** The time at which a page is due that is never due. */
export const never = Number.MAX_SAFE_INTEGER;

/** A page that the site might have. */
export interface FoundPage {
  /** Canonical form of the URL: two URLs with one key are one page. Keys are in the order of their bytes in UTF-8. */
  key: string;
  url: string;
  /** Links from the entry page. */
  depth: number;
  /** The page that links to it; null for the entry page and pages of a sitemap. */
  from: string | null;
  /** A sitemap names it, and when that says it changed last (ms); null where it says nothing. Absent: found by a link. */
  listed?: { lastmod: number | null };
  /** When it is to be visited next, in milliseconds since the epoch; `never` is possible. */
  dueAt: number;
  /** When it was found, in milliseconds since the epoch. */
  foundAt: number;
}

/** What is to be told of a page: a post of the source, in the order of `seq`. */
export interface PageNews {
  /** Given by `settle`: it grows per site from 1. A place that a broken step had taken stays empty. */
  seq: number;
  /** A `Post` of the source, and the version to be kept with it, as JSON. */
  post: string;
}

/** A page of a site, as it is stored. */
export interface SitePage extends FoundPage {
  state: SitePageState;
  /** Empty before it was read. */
  title: string;
  /** SHA-256 of what it says of its own, hex: the same content under another address has the same. Absent before it was read. */
  content?: string;
  /** Milliseconds since the epoch: when it was last visited, and last changed in a way that was told. */
  visitedAt?: number;
  changedAt?: number;
  /** Where it went, of `moved` and `alias`. */
  movedTo?: string;
  /** What its next visit needs: opaque, compressed, about 1 KB. */
  memory?: Uint8Array;
  /** Not acknowledged yet; until then the page is not due. */
  news?: PageNews[];
}

/** What `settle` writes of a page, known or not; `news` are posts without their place, added to those that wait. */
export type SettledPage = Omit<SitePage, "news"> & { news?: string[] };

/** A page in a list. */
export type ListedPage = Omit<SitePage, "memory" | "news">;

export interface SiteCounts {
  /** Pages that count against the limit: `new`, `there` and `missing`. */
  pages: number;
  states: Record<SitePageState, number>;
}

/** A small change of a page that needs none of its memory. */
export interface PageMark {
  key: string;
  listed?: { lastmod: number | null } | null;
  /** Due at this time, if that is sooner than it is due now; a page that is never due becomes due, too. */
  dueBy?: number;
}

/** A span of pages in the order of their keys. */
export interface PageRange {
  /** Keys that begin so. */
  prefix?: string;
  states?: SitePageState[];
  /** Milliseconds since the epoch: only pages that changed (or came, went, moved) since then. */
  changedSince?: number;
  /** Keys after this one. */
  after?: string;
  limit: number;
}

/**
 * A site is worked by one driver at a time, which names its fence in each step that writes. A step under a lower fence than the
 * highest of the site, or for a site that is not open, rejects with the code `conflict`. Steps are durable once resolved:
 * what they wrote survives a kill -9. One that breaks off is done whole or not at all, or, where it is of more than 200 pages,
 * in parts of that kind.
 */
export interface SitePages {
  /** Takes a site over; answers what `settle` kept of it last as `memory`, or null for a new site. */
  open(siteId: string, fence: number): Promise<{ memory: string | null }>;
  /** Adds pages that the site does not know, as `new`, up to `limit` pages that count; answers how many. Others stay as they are. */
  offer(siteId: string, fence: number, found: FoundPage[], limit: number): Promise<number>;
  /** Pages of any state that are due and have no news that wait, the earliest first, at most `count`. Nothing is claimed by it. */
  due(siteId: string, now: number, count: number): Promise<SitePage[]>;
  /** When the next of them is due (ms); null where none is. */
  nextDue(siteId: string): Promise<number | null>;
  /** The pages with these keys, as far as they are known, in any order. */
  get(siteId: string, keys: string[]): Promise<SitePage[]>;
  /** Pages that say this, `there` or `missing`, at most ten. */
  withContent(siteId: string, content: string): Promise<SitePage[]>;
  /** Pages before and after a key in the order of keys that are `there`, at most `count`, the nearest first. */
  near(siteId: string, key: string, count: number): Promise<SitePage[]>;
  /**
   * Replaces pages, each key once, in their order: a page with its news in one write. Writes the site's memory (at most some
   * 500 KB) after them.
   */
  settle(siteId: string, fence: number, pages: SettledPage[], memory?: string): Promise<void>;
  /** Applies small changes to pages that are known, in slices. */
  mark(siteId: string, fence: number, marks: PageMark[]): Promise<void>;
  /** What is to be told after a place, in order. */
  news(siteId: string, after: number, limit: number): Promise<(PageNews & { key: string })[]>;
  /** Forgets what has been told, up to and with a place. */
  acknowledge(siteId: string, fence: number, seq: number): Promise<void>;
  counts(siteId: string): Promise<SiteCounts>;
  /** Pages in the order of their keys, without memory. */
  list(siteId: string, range: PageRange): Promise<ListedPage[]>;
  /** All keys, with what sitemaps said of them, in the order of keys: for the comparison with a sitemap. */
  listed(siteId: string, after: string, limit: number): Promise<Pick<SitePage, "key" | "listed" | "state">[]>;
  /** Removes a site, in small steps; the next step of its driver rejects. */
  drop(siteId: string): Promise<void>;
}

/** Pages of sites that its opener closes. */
export interface OpenSitePages extends SitePages {
  close(): Promise<void>;
}
