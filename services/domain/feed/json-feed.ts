import type { JsonFeed } from "feedsmith";
import { attachment, isMagnet } from "./attachments.ts";
import { cleanHtml } from "./clean-html.ts";
import { type Author, distinct, type Feed, type FeedItem, toItem } from "./feed.ts";
import { feedDate } from "./feed-date.ts";
import { absoluteUrl, decodeEntities, toLine, toText } from "./feed-text.ts";

/** JSON Feed 1.0 and 1.1. */
export function jsonFeed(feed: JsonFeed.Feed<string>, base: string): Feed {
  const selfUrl = absoluteUrl(feed.feed_url, base);
  const nextUrl = absoluteUrl(feed.next_url, base);
  return {
    title: toLine(feed.title),
    homeUrl: absoluteUrl(feed.home_page_url, base),
    hubs: (feed.hubs ?? []).flatMap(({ type, url }) =>
      /^websub$/i.test(type ?? "") ? (absoluteUrl(url, base) ?? []) : [],
    ),
    ...(selfUrl !== undefined && { selfUrl }),
    ...(nextUrl !== undefined && { nextUrl }),
    skipHours: [],
    skipDays: [],
    ...(isGuidless(feed) && { guidless: true }),
    items: (feed.items ?? []).map(item => jsonItem(item, feed, base)),
  };
}

function isGuidless({ items = [] }: JsonFeed.Feed<string>): boolean {
  return items.length > 0 && items.every(({ id }) => id === undefined);
}

function jsonItem(item: JsonFeed.Item<string>, feed: JsonFeed.Feed<string>, base: string): FeedItem {
  const url = absoluteUrl(item.url, base);
  return toItem({
    id: item.id,
    url,
    external_url: absoluteUrl(item.external_url, base),
    title: plainLine(item.title),
    content_html: item.content_html === undefined ? undefined : cleanHtml(item.content_html, url ?? base),
    content_text: item.content_text,
    summary: toText(item.summary),
    image: absoluteUrl(item.image, base) ?? absoluteUrl(item.banner_image, base),
    date_published: feedDate(item.date_published),
    date_modified: feedDate(item.date_modified),
    authors: (item.authors ?? feed.authors ?? []).map(person => authorOf(person, base)).slice(0, 20),
    tags: distinct(item.tags ?? [], tag => tag),
    language: item.language ?? feed.language,
    attachments: distinct(
      [...(isMagnet(item.url) ? [{ url: item.url }] : []), ...(item.attachments ?? [])].flatMap(
        ({ url: link, mime_type, title, size_in_bytes, duration_in_seconds }) =>
          attachment(link, mime_type, base, { title, size_in_bytes, duration_in_seconds }),
      ),
      ({ url: file }) => file,
    ),
  });
}

/** A plain text on one line. Many programs escape it as in HTML; what looks like a tag is text. */
function plainLine(text: string | undefined): string | undefined {
  return (
    decodeEntities(text ?? "")
      .replace(/\s+/g, " ")
      .trim() || undefined
  );
}

function authorOf({ name: written, url, avatar }: JsonFeed.Author, base: string): Author {
  const name = plainLine(written);
  const [home, picture] = [absoluteUrl(url, base), absoluteUrl(avatar, base)];
  return {
    ...(name !== undefined && { name }),
    ...(home !== undefined && { url: home }),
    ...(picture !== undefined && { avatar: picture }),
  };
}
