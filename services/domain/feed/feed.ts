import { createHash } from "node:crypto";

/** An item with the field names of JSON Feed 1.1 (jsonfeed.org/version/1.1), whatever the format of its feed. */
export interface FeedItem {
  /** The item's identifier in the feed; else its link; else a hash of its content. */
  id: string;
  url?: string;
  external_url?: string;
  /** Plain text. */
  title?: string;
  content_html?: string;
  content_text?: string;
  /** Plain text. */
  summary?: string;
  image?: string;
  /** ISO 8601. */
  date_published?: string;
  date_modified?: string;
  authors?: Author[];
  tags?: string[];
  language?: string;
  attachments?: Attachment[];
  /** The address of a page with comments. */
  comments?: string;
  /** The feed or site that the item is from. */
  source?: { title?: string; url?: string };
  /** A digital object identifier, such as `10.1000/182`. */
  doi?: string;
  podcast?: Podcast;
  /** Where `content_html` is from, where the item's page was asked for; and why it is not from there. */
  content_source?: "feed" | "page";
  content_problem?: string;
  /** Texts were truncated, so that the item fits into an event. */
  truncated?: true;
}

/** The page of an item: its main content as HTML, or why there is none. */
export interface FoundPage {
  item: FeedItem;
  page: { html: string; url: string } | { problem: string };
}

/** An item whose page has nothing for it. */
export function ofFeed(item: FeedItem, problem: string): FeedItem {
  return { ...item, content_source: "feed", content_problem: problem };
}

export interface Author {
  name?: string;
  url?: string;
  avatar?: string;
}

export interface Attachment {
  url: string;
  mime_type: string;
  title?: string;
  /** What a picture or a video shows, for those who cannot see it. */
  alt?: string;
  size_in_bytes?: number;
  duration_in_seconds?: number;
}

/** What a podcast says of an episode. */
export interface Podcast {
  season?: number;
  episode?: number;
  transcripts?: PodcastFile[];
  /** A file of chapters. */
  chapters?: PodcastFile;
}

interface PodcastFile {
  url: string;
  mime_type?: string;
  language?: string;
}

export interface Feed {
  title?: string;
  /** The page that the feed belongs to. */
  homeUrl?: string;
  /** WebSub hubs (W3C WebSub, 4) that the document names. */
  hubs: string[];
  /** The address that the document names as its own. */
  selfUrl?: string;
  /** Where the document says that the feed has moved to. */
  newUrl?: string;
  /** Where older items are: the next page, or the archive before this document (RFC 5005). */
  nextUrl?: string;
  /** RSS 2.0 `ttl`, or the interval of the syndication module where that is longer. */
  ttlMinutes?: number;
  /** RSS 2.0 `skipHours` and `skipDays`, in GMT; days from 0, Sunday. */
  skipHours: number[];
  skipDays: number[];
  /** No item has an id of its own. */
  guidless?: true;
  /** In the order of the document. */
  items: FeedItem[];
}

/** An item as its format defines it: any field may be missing. */
type Draft = { [name in keyof FeedItem]?: FeedItem[name] | undefined };

/** The item with an id and without empty fields. */
export function toItem(draft: Draft): FeedItem {
  const fields = Object.entries(draft).filter(
    ([, value]) => value !== undefined && (!Array.isArray(value) || value.length > 0),
  );
  return { id: draft.id ?? draft.url ?? contentId(draft), ...Object.fromEntries(fields) };
}

/** The id of items with neither guid nor link. */
export function contentId({ title, content_html, content_text, summary }: Draft): string {
  const content = JSON.stringify([title, content_html ?? content_text ?? summary]);
  return `sha256:${createHash("sha256").update(content).digest("hex").slice(0, 32)}`;
}

/** The first value of each key, in order, at most `max`, which limits the lists of a hostile feed. */
export function distinct<T>(values: T[], keyOf: (value: T) => string, max = 50): T[] {
  const kept = new Map<string, T>();
  for (const value of values) if (kept.size < max && !kept.has(keyOf(value))) kept.set(keyOf(value), value);
  return [...kept.values()];
}
