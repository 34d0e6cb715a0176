import { stateNumber, stateOf } from "./page-states.ts";
import { type FoundPage, type ListedPage, never, type SettledPage } from "./site-pages.ts";

/**
 * A site has a number here, since its id would be much of a row. `seq` is the place of its latest news; `counts` are its
 * pages by the number of their state. What its pages remember is in a table of its own, which lists do not read.
 *
 * A page's `url` is null where it is the key, `due` where it is never due. `origin` is the page that links to it. `lastmod` is
 * null where no sitemap names it, and empty where one does that says nothing.
 */
export const schema = `
  CREATE TABLE IF NOT EXISTS tracked_sites (
    n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, fence INTEGER NOT NULL, seq INTEGER NOT NULL DEFAULT 0,
    counts TEXT NOT NULL DEFAULT '[]'
  ) STRICT;
  CREATE TABLE IF NOT EXISTS site_memories (site INTEGER PRIMARY KEY, memory TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS site_pages (
    n INTEGER PRIMARY KEY, site INTEGER NOT NULL, key TEXT NOT NULL, url TEXT, depth INTEGER NOT NULL, origin TEXT,
    lastmod ANY, found INTEGER NOT NULL, due INTEGER, state INTEGER NOT NULL, title TEXT NOT NULL DEFAULT '', content BLOB,
    visited INTEGER, changed INTEGER, moved_to TEXT
  ) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS site_pages_by_key ON site_pages (site, key);
  CREATE INDEX IF NOT EXISTS site_pages_by_due ON site_pages (site, due) WHERE due IS NOT NULL;
  CREATE INDEX IF NOT EXISTS site_pages_by_content ON site_pages (site, substr(content, 1, 8)) WHERE content IS NOT NULL;
  CREATE INDEX IF NOT EXISTS site_pages_by_state ON site_pages (site, state, key) WHERE state > 0;
  CREATE INDEX IF NOT EXISTS site_pages_by_change ON site_pages (site, changed) WHERE changed IS NOT NULL;
  CREATE TABLE IF NOT EXISTS site_page_memories (page INTEGER PRIMARY KEY, memory BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS site_news (
    site INTEGER NOT NULL, seq INTEGER NOT NULL, page INTEGER NOT NULL, post TEXT NOT NULL, PRIMARY KEY (site, seq)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS site_news_by_page ON site_news (page);`;

/** A row as SQLite gives it. */
export type Row = Record<string, unknown>;
export type Value = string | number | null | Uint8Array;

/** A site's own row. */
export interface Site {
  n: number;
  fence: number;
  seq: number;
  /** Pages by the number of their state. */
  counts: number[];
}

export function siteOf({ n, fence, seq, counts }: Row): Site {
  return { n: Number(n), fence: Number(fence), seq: Number(seq), counts: JSON.parse(String(counts)) };
}

/** Columns of what is offered. */
export const foundColumns = "key, url, depth, origin, lastmod, found, due, state";

/** The values of `foundColumns`. */
export function foundValues(page: FoundPage): Value[] {
  const { key, url, depth, from, listed, foundAt, dueAt } = page;
  return [
    key,
    ...[url === key ? null : url, depth, from, lastmodValue(listed), foundAt, dueValue(dueAt)],
    stateNumber("new"),
  ];
}

/** Columns of what a visit changes, and the rest but the key. */
export const settledColumns = [
  ...["url", "depth", "origin", "lastmod", "found", "due", "state", "title", "content"],
  ...["visited", "changed", "moved_to"],
];

/** The values of `settledColumns`. */
export function settledValues(page: SettledPage): Value[] {
  const { key, url, depth, from, listed, foundAt, dueAt, state, title } = page;
  const content = page.content === undefined ? null : Buffer.from(page.content, "hex");
  return [
    ...[url === key ? null : url, depth, from, lastmodValue(listed), foundAt, dueValue(dueAt)],
    ...[stateNumber(state), title, content],
    ...[page.visitedAt ?? null, page.changedAt ?? null, page.movedTo ?? null],
  ];
}

export function lastmodValue(listed: FoundPage["listed"] | null): Value {
  return listed ? (listed.lastmod ?? "") : null;
}

function dueValue(dueAt: number): number | null {
  return dueAt >= never ? null : dueAt;
}

export function listedOf(lastmod: unknown): Pick<FoundPage, "listed"> {
  if (lastmod === null) return {};
  return { listed: { lastmod: lastmod === "" ? null : Number(lastmod) } };
}

export function pageOf(row: Row): ListedPage {
  const { key, url, depth, origin, lastmod, found, due, state, title, content } = row;
  return {
    key: String(key),
    url: String(url ?? key),
    depth: Number(depth),
    from: origin === null ? null : String(origin),
    ...listedOf(lastmod),
    foundAt: Number(found),
    dueAt: due === null ? never : Number(due),
    state: stateOf(state),
    title: String(title),
    ...(content instanceof Uint8Array && { content: Buffer.from(content).toString("hex") }),
    ...(row.visited !== null && { visitedAt: Number(row.visited) }),
    ...(row.changed !== null && { changedAt: Number(row.changed) }),
    ...(row.moved_to !== null && { movedTo: String(row.moved_to) }),
  };
}
