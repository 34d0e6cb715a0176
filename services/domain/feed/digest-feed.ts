import { compareFeed, type FeedMemory, type ItemNews } from "./compare-feed.ts";
import { cutItem } from "./cut-item.ts";
import type { Feed } from "./feed.ts";
import { readFeed } from "./read-feed.ts";

/** The bytes of a feed, and what is remembered of it. */
export interface FeedDocument {
  body: Uint8Array;
  contentType: string;
  /** Where it was found. */
  url: string;
  /** Undefined: everything is old. */
  memory: FeedMemory | undefined;
  /** News of one digest. */
  maxNews: number;
}

/** What a document says of its feed, beside its items. */
export type FeedFacts = Omit<Feed, "items">;

/** All that is done with a feed's document, or why it is none. JSON. */
export type FeedDigest =
  | {
      ok: true;
      feed: FeedFacts;
      /** When items were published, ISO 8601. */
      dates: string[];
      /** Oldest first; each fits into an event. */
      news: ItemNews[];
      memory: FeedMemory;
      /** False when there were more news than `maxNews`. */
      complete: boolean;
    }
  | { ok: false; reason: string };

/** Reads a feed and compares it with what is remembered: a second of computing for one of 10 MB. */
export function digestFeed({ body, contentType, url, memory, maxNews }: FeedDocument): FeedDigest {
  const parsed = readFeed(body, contentType, url);
  if (!parsed.ok) return parsed;
  const { items, ...feed } = parsed.feed;
  const { news, ...compared } = compareFeed(memory, items, maxNews);
  return {
    ok: true,
    feed,
    dates: items.flatMap(({ date_published }) => date_published ?? []),
    news: news.map(each => ({ ...each, item: cutItem(each.item) })),
    ...compared,
  };
}
