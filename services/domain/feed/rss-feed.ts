import type { RdfFeed, RssFeed } from "feedsmith";
import { absoluteHtml, absoluteUrl, nestedBase } from "./absolute.ts";
import type { Author, Feed, FeedItem } from "./feed.ts";
import { feedDate } from "./feed-date.ts";
import { looksLikeHtml, toLine, toText } from "./feed-text.ts";
import { distinct, toItem } from "./item.ts";
import { attachmentsOf, imageOf } from "./media.ts";
import { newUrlOf } from "./new-url.ts";
import { longestTtl, updateMinutes } from "./update-period.ts";

const days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/** RSS 0.91 to 2.0 (rssboard.org/rss-specification) with the namespaces that feeds use beside it. */
export function rssFeed(feed: RssFeed.Feed<string>, outer: string): Feed {
  const base = nestedBase(feed.xml?.base, outer);
  const context = { base, language: feed.language ?? feed.dc?.languages?.[0] ?? feed.xml?.lang };
  return {
    title: toLine(feed.title ?? feed.dc?.titles?.[0] ?? feed.itunes?.title),
    homeUrl: absoluteUrl(feed.link, base) ?? linkOf(feed.atom?.links, base),
    ...websubOf(feed.atom?.links, base),
    ...newUrlOf(feed.itunes, base),
    ...longestTtl(feed.ttl, updateMinutes(feed.sy)),
    // Hour 24 is midnight in feeds that count from 1.
    skipHours: (feed.skipHours ?? []).map(hour => hour % 24),
    skipDays: (feed.skipDays ?? [])
      .map(day => days.indexOf(day.trim().toLowerCase()))
      .filter(day => day >= 0),
    items: (feed.items ?? []).map(item => rssItem(item, context)),
  };
}

/** RSS 0.90 and 1.0, which are RDF. */
export function rdfFeed(feed: RdfFeed.Feed<string>, outer: string): Feed {
  const base = nestedBase(feed.xml?.base, outer);
  const context = { base, language: feed.dc?.languages?.[0] ?? feed.xml?.lang };
  return {
    title: toLine(feed.title ?? feed.dc?.titles?.[0]),
    homeUrl: absoluteUrl(feed.link, base),
    ...websubOf(feed.atom?.links, base),
    ...longestTtl(updateMinutes(feed.sy)),
    skipHours: [],
    skipDays: [],
    items: (feed.items ?? []).map(item => rssItem({ ...item, about: item.rdf?.about }, context)),
  };
}

type Item = RssFeed.Item<string> & { about?: string | undefined };

interface Context {
  base: string;
  language: string | undefined;
}

function rssItem(item: Item, { base: outer, language }: Context): FeedItem {
  const base = nestedBase(item.xml?.base, outer);
  const url = itemUrl(item, base);
  return toItem({
    id: item.guid?.value ?? item.about ?? item.atom?.id,
    url,
    title: toLine(item.title ?? item.dc?.titles?.[0] ?? item.media?.title?.value ?? item.itunes?.title),
    ...contentOf(item, item.xml?.base === undefined ? (url ?? base) : base),
    image: imageOf(item, base),
    date_published: publishedOf(item),
    date_modified: feedDate(item.atom?.updated ?? item.dcterms?.modified?.[0]),
    authors: authorsOf(item),
    tags: tagsOf(item),
    language: item.dc?.languages?.[0] ?? item.xml?.lang ?? language,
    attachments: attachmentsOf(item, base),
  });
}

function itemUrl({ link, guid, atom, about }: Item, base: string): string | undefined {
  const permalink = guid?.isPermaLink === false ? undefined : absolute(guid?.value);
  return absoluteUrl(link, base) ?? linkOf(atom?.links, base) ?? permalink ?? absolute(about);
}

// A guid is a permalink only in full: a bare "123" is not relative to anything.
function absolute(text: string | undefined): string | undefined {
  return text !== undefined && /^https?:\/\//i.test(text) ? absoluteUrl(text, text) : undefined;
}

function contentOf(item: Item, base: string): Pick<FeedItem, "content_html" | "content_text" | "summary"> {
  const description = item.description ?? item.dc?.descriptions?.[0];
  const fallback = item.itunes?.summary ?? mediaDescription(item);
  const content = item.content?.encoded ?? item.atom?.content?.value ?? description ?? fallback;
  if (content === undefined) return {};
  const summary = content === description ? undefined : toText(description);
  const shortened = summary === undefined ? {} : { summary };
  if (!looksLikeHtml(content)) return { content_text: content, ...shortened };
  return { content_html: absoluteHtml(content, base), ...shortened };
}

function mediaDescription({ media }: Item): string | undefined {
  return media?.description?.value ?? media?.groups?.[0]?.description?.value;
}

function publishedOf({ pubDate, dc, dcterms, atom }: Item): string | undefined {
  const told = [pubDate, dc?.dates?.[0], dcterms?.issued?.[0], dcterms?.created?.[0]];
  return [...told, atom?.published, atom?.updated].map(feedDate).find(date => date !== undefined);
}

function authorsOf({ authors = [], dc, itunes, atom }: Item): Author[] {
  const own = authors.map(({ name, email, link }) => author(name ?? email, link));
  const creators = [...(dc?.creators ?? []), ...(itunes?.author ? [itunes.author] : [])].map(name =>
    author(name),
  );
  const ofAtom = (atom?.authors ?? []).map(({ name, uri }) => author(name, uri));
  const named = [...own, ...creators, ...ofAtom].filter(({ name }) => name !== undefined);
  return distinct(named, ({ name = "" }) => name, 20);
}

function author(name: string | undefined, url?: string): Author {
  const line = toLine(name);
  return { ...(line !== undefined && { name: line }), ...(url !== undefined && { url }) };
}

function tagsOf({ categories = [], dc, media, itunes }: Item): string[] {
  const named = [...categories.map(({ name }) => name), ...(dc?.subjects ?? []), ...(media?.keywords ?? [])];
  const tags = [...named, ...(itunes?.keywords ?? [])].flatMap(tag => toLine(tag) ?? []);
  return distinct(tags, tag => tag);
}

interface Link {
  href?: string;
  rel?: string;
}

function linkOf(links: Link[] | undefined, base: string): string | undefined {
  return absoluteUrl(links?.find(({ rel = "alternate" }) => rel === "alternate")?.href, base);
}

function websubOf(links: Link[] = [], base: string): Pick<Feed, "hubs" | "selfUrl"> {
  const selfUrl = absoluteUrl(links.find(({ rel }) => rel === "self")?.href, base);
  return {
    hubs: links.flatMap(({ rel, href }) => (rel === "hub" ? (absoluteUrl(href, base) ?? []) : [])),
    ...(selfUrl !== undefined && { selfUrl }),
  };
}
