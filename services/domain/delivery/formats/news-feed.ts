import { generateAtomFeed, generateJsonFeed } from "feedsmith";
import type { News } from "./news.ts";

/** An event and its HTML. */
export interface FeedEntry {
  news: News;
  html: string;
}

/** What a feed says of itself. */
export interface FeedHead {
  id: string;
  title: string;
  /** The address of the document. */
  selfUrl: string;
  /** A WebSub hub, which notifies subscribers of news (W3C WebSub, 4). */
  hub: string | undefined;
  /** ISO 8601. */
  updated: string;
}

/** The entries as Atom (RFC 4287), in their order. */
export function atomFeed(
  { id, title, selfUrl, hub, updated }: FeedHead,
  entries: readonly FeedEntry[],
): string {
  return inXml(
    generateAtomFeed({
      id: `urn:magpie:feed:${id}`,
      title: { value: title, type: "text" },
      updated: new Date(updated),
      generator: { text: "Magpie" },
      links: [
        { href: selfUrl, rel: "self", type: "application/atom+xml" },
        ...(hub === undefined ? [] : [{ href: hub, rel: "hub" }]),
      ],
      entries: entries.map(({ news, html }) => ({
        id: `urn:magpie:event:${news.id}`,
        title: { value: news.title, type: "text" },
        updated: new Date(news.time),
        published: new Date(news.time),
        authors: [{ name: news.author ?? (news.source.name || "Magpie") }],
        links: news.url === null ? [] : [{ href: news.url, rel: "alternate" }],
        categories: tagsOf(news).map(term => ({ term })),
        content: { value: html, type: "html" },
      })),
    }),
  );
}

/** Writes the feed as JSON Feed 1.1. */
export function jsonFeed({ title, selfUrl, hub }: FeedHead, entries: readonly FeedEntry[]): string {
  return JSON.stringify(
    generateJsonFeed({
      title,
      feed_url: selfUrl,
      ...(hub !== undefined && { hubs: [{ type: "WebSub", url: hub }] }),
      items: entries.map(({ news, html }) => ({
        id: `urn:magpie:event:${news.id}`,
        title: news.title,
        ...(news.url !== null && { url: news.url }),
        content_html: html,
        date_published: new Date(news.time),
        authors: [{ name: news.author ?? (news.source.name || "Magpie") }],
        tags: tagsOf(news),
      })),
    }),
  );
}

function tagsOf({ type, source }: News): string[] {
  return [type, source.name].filter(Boolean);
}

/** Removes the characters that XML cannot hold (XML 1.0, 2.2). */
function inXml(text: string): string {
  return text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "");
}
