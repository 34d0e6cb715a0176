import { Binary, type WithId } from "mongodb";
import { endOf, stateNumber, stateOf } from "./page-states.ts";
import { type FoundPage, type ListedPage, never, type PageNews, type SettledPage } from "./site-pages.ts";

/** A site's own document. `_id` is its id. */
export interface StoredSite {
  _id: string;
  fence: number;
  /** Counts the steps of all drivers; a step's number is the fence of each page that it writes. */
  step: number;
  /** The place of its latest news. */
  seq: number;
  /** Pages by the number of their state. */
  counts: Record<string, number>;
  /** The step that writes pages at this moment. One that is there when the next step begins has broken off. */
  writing?: number;
  /** A step that was late may have inserted pages that are not counted. */
  isDoubted?: boolean;
}

/** What a site remembers. `_id` is its id; `f` as of a page. */
export interface StoredMemory {
  _id: string;
  f: number;
  memory?: string;
  /** The last step that settled pages, with all that it writes, so that another one can finish it. */
  settled?: { step: number; pages: StoredPage[] };
}

/** A page with its news, in one document. Names are short, since there are millions of them. */
export interface StoredPage {
  /** Site and key: the order of keys within each site. */
  _id: string;
  /** Site. */
  s: string;
  /** The step of the site that wrote it. */
  f: number;
  state: number;
  /** URL, unless it is the key. */
  url?: string;
  depth: number;
  from?: string;
  /** What a sitemap says of its last change; null where one names it and says nothing. */
  mod?: number | null;
  found: number;
  /** Absent where it is never due. */
  due?: number;
  title?: string;
  hash?: Binary;
  visited?: number;
  changed?: number;
  to?: string;
  memory?: Binary;
  news?: PageNews[];
  /** The places of the first and the last of its news. */
  first?: number;
  last?: number;
}

export function idOf(siteId: string, key: string): string {
  return `${siteId} ${key}`;
}

/** The identities of a site's pages that begin with a prefix and come after a key. */
export function idsOf(siteId: string, { prefix = "", after = "" } = {}) {
  const first = idOf(siteId, prefix);
  return { $gt: idOf(siteId, after), $gte: first, $lt: endOf(first) };
}

export function keyOf({ _id, s }: Pick<StoredPage, "_id" | "s">): string {
  return _id.slice(s.length + 1);
}

/** A page that was found. */
export function newDocument(siteId: string, step: number, page: FoundPage): StoredPage {
  const { key, url, depth, from, listed, foundAt, dueAt } = page;
  return {
    _id: idOf(siteId, key),
    s: siteId,
    f: step,
    state: stateNumber("new"),
    ...(url !== key && { url }),
    depth,
    ...(from !== null && { from }),
    ...(listed && { mod: listed.lastmod }),
    found: foundAt,
    ...(dueAt < never && { due: dueAt }),
  };
}

/** A page that was settled, with all its news that wait. */
export function settledDocument(
  siteId: string,
  step: number,
  page: SettledPage,
  news: PageNews[],
): StoredPage {
  const { state, title, content, visitedAt, changedAt, movedTo, memory } = page;
  const [first, last] = [news[0], news.at(-1)];
  return {
    ...newDocument(siteId, step, page),
    state: stateNumber(state),
    ...(title !== "" && { title }),
    ...(content !== undefined && { hash: hashOf(content) }),
    ...(visitedAt !== undefined && { visited: visitedAt }),
    ...(changedAt !== undefined && { changed: changedAt }),
    ...(movedTo !== undefined && { to: movedTo }),
    ...(memory && { memory: new Binary(memory) }),
    ...(first && last && { news, first: first.seq, last: last.seq }),
  };
}

export function hashOf(content: string): Binary {
  return Binary.createFromHexString(content);
}

export function listedOf({ mod }: Pick<StoredPage, "mod">): Pick<FoundPage, "listed"> {
  return mod === undefined ? {} : { listed: { lastmod: mod } };
}

/** A page without its memory and news. */
export function pageOf(stored: WithId<StoredPage>): ListedPage {
  const { url, depth, from = null, found, due = never, title = "", hash, visited, changed, to } = stored;
  const key = keyOf(stored);
  return {
    key,
    url: url ?? key,
    depth,
    from,
    ...listedOf(stored),
    foundAt: found,
    dueAt: due,
    state: stateOf(stored.state),
    title,
    ...(hash && { content: hash.toString("hex") }),
    ...(visited !== undefined && { visitedAt: visited }),
    ...(changed !== undefined && { changedAt: changed }),
    ...(to !== undefined && { movedTo: to }),
  };
}
