import { oldestFirst } from "./compare-feed.ts";
import type { FeedItem } from "./feed.ts";
import { toText } from "./feed-text.ts";

/** What a list shows of a post. */
export interface Headline {
  title: string | null;
  url: string | null;
  /** ISO 8601. */
  published_at: string | null;
}

const maxTitle = 200;

/** A title in one line of limited length; null for an empty one. */
export function headlineOf(text: string | null | undefined): string | null {
  const line = (text ?? "").replace(/[\s\p{Cc}]+/gu, " ").trim();
  return line === "" ? null : line.slice(0, maxTitle).replace(/[\ud800-\udbff]$/, "");
}

/** The newest items of a feed, the newest first. An item without a title is shown by how its text begins. */
export function headlinesOf(items: FeedItem[], count: number): Headline[] {
  const newest = oldestFirst(items).slice(-count).reverse();
  return newest.map(item => ({
    title: headlineOf(item.title ?? item.summary ?? item.content_text ?? toText(item.content_html)),
    url: item.url ?? item.external_url ?? null,
    published_at: item.date_published ?? null,
  }));
}
