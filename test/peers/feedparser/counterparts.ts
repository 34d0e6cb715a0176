import type { Feed, FeedItem } from "../../../services/domain/feed/feed.ts";
import { canonicalHtml, plainText } from "./html.ts";
import type { Claim, Literal } from "./python-expression.ts";

/** A value of Magpie's, and how it is compared with what feedparser's tests expect. */
interface Counterpart {
  found: unknown;
  agrees: (expected: Literal) => boolean;
}

/** What was read, and where it was found. */
interface Read {
  feed: Feed;
  url: string;
}

/** feedparser's title is HTML or a text, by a type that its expectation does not name; ours is a text on one line. */
function line(found: string | undefined): Counterpart {
  const squash = (text: string) => text.replace(/\s+/g, " ").trim();
  return {
    found,
    agrees: expected =>
      expected === null || expected === ""
        ? found === undefined
        : typeof expected === "string" &&
          [squash(expected), squash(plainText(expected))].includes(found ?? ""),
  };
}

/** The content of an item or its summary: HTML by its tree, a text by its words. */
function text({ content_html: html, content_text: plain }: FeedItem, url: string): Counterpart {
  if (html === undefined) return line(plain?.replace(/\s+/g, " ").trim());
  const form = canonicalHtml(html, url);
  return {
    found: html,
    agrees: expected => typeof expected === "string" && canonicalHtml(expected, url) === form,
  };
}

/** Ours are always absolute; of what was read from a file feedparser leaves them as they are written. */
function address(found: string | undefined, url: string): Counterpart {
  return {
    found,
    agrees: expected =>
      expected === found ||
      (expected === null && found === undefined) ||
      (typeof expected === "string" && URL.parse(expected, url)?.href === found),
  };
}

function value(found: string | number | undefined): Counterpart {
  return { found, agrees: expected => String(expected ?? undefined) === String(found) };
}

/** feedparser has the text as it is written, or the first six fields of an instant in UTC. */
function instant(found: string | undefined): Counterpart {
  const written = (expected: Literal) => {
    if (!Array.isArray(expected)) return Date.parse(String(expected));
    const [year = 0, month = 0, ...rest] = expected.slice(0, 6).map(Number);
    return Date.UTC(year, month - 1, ...rest);
  };
  return { found, agrees: expected => found !== undefined && written(expected) === Date.parse(found) };
}

/** A name without the address that feedparser writes behind it. */
function person(found: string | undefined): Counterpart {
  const { agrees } = line(found);
  const nameOf = (expected: Literal) =>
    typeof expected === "string" ? expected.replace(/\s*\(\S+@\S+\)$/, "") : expected;
  return { found, agrees: expected => agrees(nameOf(expected)) };
}

function hasText({ content_html, content_text }: FeedItem): boolean {
  return content_html !== undefined || content_text !== undefined;
}

type OfItem = (item: FeedItem, at: number, read: Read) => Counterpart | undefined;

/** By the path below an entry, with `#` for an index. */
const ofItem = new Map<string, OfItem>(
  Object.entries({
    title: item => line(item.title),
    "title_detail.value": item => line(item.title),
    link: (item, _, { url }) => address(item.url, url),
    "links[0].href": (item, _, { url }) => address(item.url, url),
    id: (item, _, { url }) => address(item.id, url),
    guid: (item, _, { url }) => address(item.id, url),
    description: summaryOf,
    summary: summaryOf,
    "summary_detail.value": summaryOf,
    "content[0].value": (item, _, { url }) => text(item, url),
    "content[0].src": (item, _, { url }) => address(item.url, url),
    // An item has one language, that of the text that it shows; the title's where it shows none.
    "content[0].language": item => value(item.language),
    "summary_detail.language": item => (item.summary === undefined ? value(item.language) : undefined),
    "title_detail.language": item => (hasText(item) ? undefined : value(item.language)),
    language: item => value(item.language),
    author: item => person(item.authors?.[0]?.name),
    "author_detail.name": item => line(item.authors?.[0]?.name),
    "authors[#].name": (item, at) => line(item.authors?.[at]?.name),
    "author_detail.url": (item, _, { url }) => address(item.authors?.[0]?.url, url),
    "author_detail.href": (item, _, { url }) => address(item.authors?.[0]?.url, url),
    "authors[#].url": (item, at, { url }) => address(item.authors?.[at]?.url, url),
    "authors[#].href": (item, at, { url }) => address(item.authors?.[at]?.url, url),
    published: item => instant(item.date_published),
    published_parsed: item => instant(item.date_published),
    created: item => instant(item.date_published),
    created_parsed: item => instant(item.date_published),
    // What is equal to the publication is no modification in ours.
    updated: item => instant(item.date_modified ?? item.date_published),
    updated_parsed: item => instant(item.date_modified ?? item.date_published),
    category: item => line(item.tags?.[0]),
    "tags[#].term": (item, at) => line(item.tags?.[at]),
    "tags[#].label": (item, at) => line(item.tags?.[at]),
    "image.href": (item, _, { url }) => address(item.image, url),
    "media_thumbnail[0].url": (item, _, { url }) => address(item.image, url),
    "enclosures[#].url": (item, at, { url }) => address(item.attachments?.[at]?.url, url),
    "enclosures[#].href": (item, at, { url }) => address(item.attachments?.[at]?.url, url),
    "enclosures[#].type": (item, at) => value(item.attachments?.[at]?.mime_type),
    "enclosures[#].length": (item, at) => value(item.attachments?.[at]?.size_in_bytes),
    "media_content[#].url": (item, at, { url }) => address(item.attachments?.[at]?.url, url),
    "media_content[#].type": (item, at) => value(item.attachments?.[at]?.mime_type),
    comments: (item, _, { url }) => address(item.comments, url),
    "source.title": item => line(item.source?.title),
    "source.title_detail.value": item => line(item.source?.title),
    "source.link": (item, _, { url }) => address(item.source?.url, url),
    "source.href": (item, _, { url }) => address(item.source?.url, url),
    "source.links[0].href": (item, _, { url }) => address(item.source?.url, url),
  } satisfies Record<string, OfItem>),
);

/** feedparser's summary is an item's only text, too. */
function summaryOf(item: FeedItem, _: number, { url }: Read): Counterpart {
  return item.summary === undefined ? text(item, url) : line(item.summary);
}

const ofFeed = new Map<string, (read: Read) => Counterpart>(
  Object.entries({
    title: ({ feed }) => line(feed.title),
    "title_detail.value": ({ feed }) => line(feed.title),
    link: ({ feed, url }) => address(feed.homeUrl, url),
    "links[0].href": ({ feed, url }) => address(feed.homeUrl ?? feed.selfUrl, url),
    ttl: ({ feed }) => value(feed.ttlMinutes),
    newlocation: ({ feed, url }) => address(feed.newUrl, url),
  } satisfies Record<string, (read: Read) => Counterpart>),
);

/** What Magpie has for a claim; undefined where it keeps nothing of the kind. */
export function counterpartOf({ path, of }: Claim, read: Read): Counterpart | undefined {
  const [, ofEntry, rest = ""] = /^(?:entries\[(\d+)\]|feed)\.(.+)$/.exec(path) ?? [];
  if (ofEntry === undefined) return of === "value" ? ofFeed.get(rest)?.(read) : undefined;
  const item = read.feed.items[Number(ofEntry)] ?? { id: "" };
  if (of === "length") return rest === "tags" ? value(item.tags?.length ?? 0) : undefined;
  const at = Number(/\[(\d+)\]/.exec(rest)?.[1] ?? 0);
  return (ofItem.get(rest) ?? ofItem.get(rest.replace(/\[\d+\]/, "[#]")))?.(item, at, read);
}
