import type { AtomFeed } from "feedsmith";
import { absoluteHtml, absoluteUrl, nestedBase } from "./absolute.ts";
import type { Attachment, Author, Feed, FeedItem } from "./feed.ts";
import { feedDate } from "./feed-date.ts";
import { looksLikeHtml, toLine, toText } from "./feed-text.ts";
import { distinct, toItem } from "./item.ts";
import { attachment, attachmentsOf, imageOf } from "./media.ts";
import { newUrlOf } from "./new-url.ts";
import { longestTtl, updateMinutes } from "./update-period.ts";

/** Atom 1.0 (RFC 4287), and 0.3 as far as the parser tells them alike. */
export function atomFeed(feed: AtomFeed.Feed<string>, outer: string): Feed {
  const base = nestedBase(feed.xml?.base, outer);
  const hubs = (feed.links ?? []).filter(({ rel }) => rel === "hub");
  const selfUrl = absoluteUrl(feed.links?.find(({ rel }) => rel === "self")?.href, base);
  return {
    title: lineOf(feed.title),
    homeUrl: linkOf(feed.links, base),
    hubs: hubs.flatMap(({ href }) => absoluteUrl(href, base) ?? []),
    ...(selfUrl !== undefined && { selfUrl }),
    ...newUrlOf(feed.itunes, base),
    ...longestTtl(updateMinutes(feed.sy)),
    skipHours: [],
    skipDays: [],
    items: (feed.entries ?? []).map(entry => atomItem(entry, feed, base)),
  };
}

type Entry = AtomFeed.Entry<string>;

function atomItem(entry: Entry, feed: AtomFeed.Feed<string>, outer: string): FeedItem {
  const base = nestedBase(entry.xml?.base, outer);
  const updated = feedDate(entry.updated);
  const published = feedDate(entry.published);
  const declaresBase = entry.xml?.base !== undefined || feed.xml?.base !== undefined;
  const url = linkOf(entry.links, base) ?? absoluteUrl(entry.content?.src, base) ?? idUrl(entry.id);
  return toItem({
    id: entry.id,
    url,
    external_url: absoluteUrl(entry.links?.find(({ rel }) => rel === "related" || rel === "via")?.href, base),
    title: lineOf(entry.title) ?? toLine(entry.media?.title?.value),
    ...contentOf(entry, declaresBase ? base : (url ?? base)),
    image: imageOf(entry, base),
    date_published: published ?? updated,
    date_modified: updated === (published ?? updated) ? undefined : updated,
    authors: authorsOf(entry.authors ?? feed.authors ?? [], entry, base),
    tags: distinct(
      (entry.categories ?? []).flatMap(({ label, term }) => toLine(label ?? term) ?? []),
      tag => tag,
    ),
    language: entry.xml?.lang ?? feed.xml?.lang,
    attachments: attachments(entry, base),
  });
}

function idUrl(id: string | undefined): string | undefined {
  return id !== undefined && /^https?:\/\//i.test(id) ? absoluteUrl(id, id) : undefined;
}

function linkOf(links: Entry["links"], base: string): string | undefined {
  const alternates = links?.filter(({ rel = "alternate" }) => rel === "alternate") ?? [];
  const page = alternates.find(({ type }) => type === undefined || type.includes("html"));
  return absoluteUrl((page ?? alternates[0])?.href, base);
}

function lineOf(text: AtomFeed.Text | undefined): string | undefined {
  // RFC 4287, 3.1.1: a text of no type, or of type "text", holds no markup.
  if (text?.type === "text") return text.value.replace(/\s+/g, " ").trim() || undefined;
  return toLine(text?.value);
}

function contentOf(entry: Entry, outer: string): Pick<FeedItem, "content_html" | "content_text" | "summary"> {
  const { content, summary } = entry;
  const described = entry.media?.description?.value ?? entry.media?.groups?.[0]?.description?.value;
  const shortened = summary?.type === "text" ? summary.value : toText(summary?.value);
  if (content?.value !== undefined)
    return { ...bodyOf(content, outer), ...(shortened !== undefined && { summary: shortened }) };
  if (summary?.value !== undefined) return bodyOf(summary, outer);
  return described === undefined ? {} : { content_text: described };
}

function bodyOf(
  { value = "", type, xml }: AtomFeed.Content,
  outer: string,
): Pick<FeedItem, "content_html" | "content_text"> {
  const isHtml = type === undefined ? looksLikeHtml(value) : /html|xml/i.test(type);
  return isHtml
    ? { content_html: absoluteHtml(value, nestedBase(xml?.base, outer)) }
    : { content_text: value };
}

function authorsOf(people: NonNullable<Entry["authors"]>, { dc }: Entry, base: string): Author[] {
  const named = people.flatMap(({ name, email, uri }) => {
    const line = toLine(name ?? email);
    const url = absoluteUrl(uri, base);
    return line === undefined ? [] : [{ name: line, ...(url !== undefined && { url }) }];
  });
  const creators = (dc?.creators ?? []).map(name => ({ name }));
  return distinct<Author>([...named, ...creators], ({ name = "" }) => name, 20);
}

function attachments(entry: Entry, base: string): Attachment[] {
  const enclosed = (entry.links ?? []).filter(({ rel }) => rel === "enclosure");
  const linked = enclosed.flatMap(({ href, type, title, length }) =>
    attachment(href, type, base, { title, size_in_bytes: length }),
  );
  return distinct([...linked, ...attachmentsOf(entry, base)], ({ url }) => url);
}
