import { createHash } from "node:crypto";
import type { DocumentNode } from "../../../reader/html/tree.ts";
import { findItems } from "../../../reader/recipe/find-items.ts";
import { type PageItem, pageItems } from "../../../reader/recipe/page-items.ts";
import { type ItemNews, oldestFirst } from "../feed/compare-feed.ts";
import type { FeedItem } from "../feed/feed.ts";
import { feedDate } from "../feed/feed-date.ts";
import { type FeedMemory, KnownItems } from "../feed/feed-memory.ts";
import { comparable } from "../page-diff/noise.ts";
import { withPlainUrls } from "../page-diff/plain-urls.ts";

/** The entries of a list page, in its order, as items of a feed. */
export interface PageList {
  selector: string;
  items: FeedItem[];
}

/** Reads a list by its selector. Where it is to be found, by the one that was found before, while that finds anything. */
export function readList(
  tree: DocumentNode,
  url: string,
  wanted: string | true | undefined,
  known: string | undefined,
): PageList | undefined {
  const named = wanted === true || wanted === "auto" ? known : wanted;
  const items = named === undefined ? [] : pageItems(tree, url, named);
  if (named !== undefined && (items.length > 0 || named === wanted)) return listOf(named, items);
  const found = findItems(tree, url);
  return found && listOf(found.selector, found.items);
}

function listOf(selector: string, items: PageItem[]): PageList {
  const links = items.map(({ link }) => link && withPlainUrls(link));
  const owners = new Map<string | undefined, number>();
  for (const link of links) owners.set(link, (owners.get(link) ?? 0) + 1);
  const named = items.map((item, at) =>
    toFeedItem(item, owners.get(links[at]) === 1 ? links[at] : undefined),
  );
  return { selector, items: [...new Map(named.map(item => [item.id, item])).values()] };
}

const saidId = "sha256:";

/** An entry is known by its link; without one of its own by what it says. */
function toFeedItem({ title, link, picture, date, text }: PageItem, own: string | undefined): FeedItem {
  const published = feedDate(date);
  return {
    id: own ?? `${saidId}${hashOf([title, link ? withPlainUrls(link) : "", published, said(text)], 32)}`,
    ...(link !== undefined && { url: link }),
    title,
    ...(text !== "" && { content_text: text }),
    ...(picture !== undefined && { image: picture }),
    ...(published !== undefined && { date_published: published }),
  };
}

/** A text without noise, such as times relative to now. */
function said(text: string): string {
  return comparable(text.split("\n")).join(" ");
}

/** Numbers that may count something; not those of a date or a time. */
const counts = /(?<![\d:/-])\d+(?:[.,]\d+)*(?![\d:/-])/g;

/** News of a list, and what is remembered after it. */
export interface ListNews {
  news: ItemNews[];
  seen: FeedMemory;
  /** No more news than `maxNews` were there. */
  isWhole: boolean;
  /** How many entries were known. */
  known: number;
}

/** News of one comparison, at most; the next one brings the rest. */
const maxNews = 50;

/**
 * The entries that were never seen, oldest first. An entry whose link or counters alone have changed since the last check is
 * the one that has left the page with it. Without a memory all are known.
 */
export function compareList(
  before: FeedMemory | undefined,
  items: readonly FeedItem[],
  isOfOtherRules = false,
): ListNews {
  const seen = new KnownItems(before);
  const prints = oldestFirst([...items]).map(item => ({ item, print: printOf(item) }));
  const claimed = new Set(prints.map(({ print }) => print.id));
  const news: ItemNews[] = [];
  let [remembered, known] = [0, 0];
  for (const { item, print } of prints) {
    const moved = seen.has(print.id)
      ? undefined
      : seen.resembling(print, "text").find(({ id }) => !claimed.has(id));
    if (moved) claimed.add(moved.id);
    // What an entry without a link is known by depends on the rules for noise.
    const isUnsure = isOfOtherRules && item.id.startsWith(saidId);
    const isNew = before !== undefined && !moved && !isUnsure && !seen.has(print.id);
    if (isNew && news.length >= maxNews) continue;
    if (isNew) news.push({ kind: "created", postId: print.id, revision: "created", item });
    else known += 1;
    seen.remember(print, moved);
    remembered += 1;
  }
  const isWhole = remembered === prints.length;
  return { news, seen: seen.pack(remembered, { rule: "guid", edits: 0 }), isWhole, known };
}

/** The hashes by which an entry is found again: `link` has its title, and `content` what it says without counters. */
function printOf({ id, title = "", content_text = "", date_published }: FeedItem) {
  const own = hashOf([id], 12);
  const content = hashOf([title, date_published, said(content_text).replace(counts, "0")], 8);
  return { id: own, guid: own, title, link: hashOf([title], 8), content };
}

function hashOf(parts: readonly (string | undefined)[], length: number): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, length);
}
