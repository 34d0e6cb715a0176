/** An item under the names of JSON Feed 1.1 (jsonfeed.org/version/1.1), whatever the dialect that it came in. */
export interface FeedItem {
  /** The feed's own identifier; else the link; else a hash of the content. */
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
  /** Texts were cut, so that the item fits into an event. */
  truncated?: true;
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
  size_in_bytes?: number;
  duration_in_seconds?: number;
}

export interface Feed {
  title?: string;
  /** The page that the feed belongs to. */
  homeUrl?: string;
  /** WebSub hubs (W3C WebSub, 4) that the document names. */
  hubs: string[];
  /** The address that the document gives as its own. */
  selfUrl?: string;
  /** Where the document says that the feed has moved to. */
  newUrl?: string;
  /** RSS 2.0 `ttl`, or the interval of the syndication module where that is longer. */
  ttlMinutes?: number;
  /** RSS 2.0 `skipHours` and `skipDays`, in GMT; days from 0, Sunday. */
  skipHours: number[];
  skipDays: number[];
  /** In the order of the document. */
  items: FeedItem[];
}
