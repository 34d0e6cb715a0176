import { compareFeed, hasGap, type ItemNews } from "./compare-feed.ts";
import type { Feed, FeedItem } from "./feed.ts";
import type { FeedMemory } from "./feed-memory.ts";
import { type Headline, headlinesOf } from "./headlines.ts";
import { readFeed } from "./parse-feed.ts";

/** The bytes of a feed. */
interface FeedBytes {
  body: Uint8Array;
  contentType: string;
  /** Where it was found. */
  url: string;
}

/** A feed, and the memory of earlier polls. */
export interface FeedDocument extends FeedBytes {
  /** Pages with older items, which are compared together with it. */
  older?: FeedBytes[];
  /** Undefined: every item is old. */
  memory: FeedMemory | undefined;
  /** News of one digest. */
  maxNews: number;
  /** How many of the newest items to show, whether they are news or not. */
  headlines?: number;
}

/** The feed's own properties, without its items. */
type FeedFacts = Omit<Feed, "items">;

/** The result of reading and comparing a feed, or why the document is not a feed. JSON. */
export type FeedDigest =
  | {
      ok: true;
      feed: FeedFacts;
      /** When items were published, ISO 8601. */
      dates: string[];
      /** Oldest first; each fits into an event. */
      news: ItemNews[];
      /** Without a memory: the newest items, whose first version is kept. */
      baseline: ItemNews[];
      memory: FeedMemory;
      /** How many items the document itself has, and all pages together. */
      shown: number;
      total: number;
      /** None of the items of the last document is left, or only pinned ones: others may have come and gone between. */
      isGap: boolean;
      /** False when there were more news than `maxNews`. */
      complete: boolean;
      /** Newest first; where they were asked for. */
      headlines?: Headline[];
    }
  | { ok: false; reason: string };

/** Reads a feed and compares it with the memory: a second of CPU time for one of 10 MB. */
export function digestFeed(document: FeedDocument): FeedDigest {
  const { body, contentType, url, older = [], memory, maxNews, headlines } = document;
  const parsed = readFeed(body, contentType, url);
  if (!parsed.ok) return parsed;
  const { items: own, ...facts } = parsed.feed;
  const further = older.map(page => readFeed(page.body, page.contentType, page.url));
  const items = [...own, ...further.flatMap(page => (page.ok ? page.feed.items : []))];
  const { nextUrl: _, ...feed } = facts;
  const last = further.at(-1) ?? parsed;
  const nextUrl = last.ok ? last.feed.nextUrl : undefined;
  const options = { maxNews, guidless: feed.guidless === true, maxBaseline };
  const { news, baseline, known, fresh, ...compared } = compareFeed(memory, items, options);
  return {
    ok: true,
    feed: { ...feed, ...(nextUrl !== undefined && { nextUrl }) },
    dates: items.flatMap(({ date_published }) => date_published ?? []),
    shown: own.length,
    total: new Set(items.map(({ id }) => id)).size,
    isGap: own.length > 0 && hasGap(items, { known, fresh }, memory?.current ?? 0),
    news: news.map(fitting),
    baseline: baseline.map(fitting),
    ...compared,
    ...(headlines !== undefined && { headlines: headlinesOf(items, headlines) }),
  };
}

function fitting(news: ItemNews): ItemNews {
  return { ...news, item: truncateItem(news.item) };
}

/** Items of a feed whose first version is kept: edits are mostly of the latest. */
const maxBaseline = 10;

/** Bytes of an item as JSON; an event has some more around it and stays under 256 KB. */
const maxItemBytes = 200 * 1024;
const maxShortText = 4096;

/** The item; if it would not fit into an event, with truncated texts and marked as `truncated`. */
export function truncateItem(item: FeedItem): FeedItem {
  if (bytesOf(item) <= maxItemBytes) return item;
  const short: FeedItem = { ...item, truncated: true };
  for (const name of ["title", "summary"] as const) {
    const text = short[name];
    if (text !== undefined) short[name] = text.slice(0, maxShortText);
  }
  const rest = bytesOf({ ...short, content_html: "", content_text: "" });
  if (rest > maxItemBytes / 2) return withoutLists(short);
  return withTexts(short, maxItemBytes - rest);
}

function withTexts(item: FeedItem, bytes: number): FeedItem {
  const cut = { ...item };
  let left = bytes;
  for (const name of ["content_html", "content_text"] as const) {
    const text = cut[name];
    if (text === undefined) continue;
    cut[name] = cutJsonText(text, left);
    left -= bytesOf(cut[name] ?? "");
  }
  return cut;
}

// Lists of this size contain links of tens of kilobytes; such an item keeps its short fields only.
function withoutLists(item: FeedItem): FeedItem {
  const { id, url = "", title, date_published, content_html, content_text } = item;
  const kept: FeedItem = { id: id.slice(0, maxShortText), truncated: true };
  if (url !== "" && url.length <= maxShortText) kept.url = url;
  if (title !== undefined) kept.title = title;
  if (date_published !== undefined) kept.date_published = date_published;
  if (content_html !== undefined) kept.content_html = content_html;
  if (content_text !== undefined) kept.content_text = content_text;
  return withTexts(kept, maxItemBytes / 2);
}

/** The longest prefix of a text that takes at most `bytes` as JSON, in whole characters. */
function cutJsonText(text: string, bytes: number): string {
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (bytesOf(text.slice(0, middle)) <= bytes) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, low).replace(/[\ud800-\udbff]$/, "");
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
