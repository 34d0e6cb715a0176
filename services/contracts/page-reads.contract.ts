/** Reading pages for other services: crawls, polls, and pictures of watched pages. None of it is published. */
import type { PageLink } from "../../reader/page/page-links.ts";
import type { Learned, Snapshot } from "../domain/watch/snapshot.ts";
import type { View } from "../domain/watch/view.ts";
import { action, type ResultOf, repeatable } from "./action.ts";
import { scrapeData } from "./page.contract.ts";
import {
  count,
  type Infer,
  list,
  named,
  nothing,
  nullableText,
  object,
  rule,
  text,
  trusted,
} from "./schema.ts";
import { finishedScrape, type ScrapeRequest } from "./scraper.contract.ts";

const id = rule({ type: "string", min: 1 });
/** The session of a key that a page is read in. */
const readIn = { ...trusted<{ keyId: string; name: string }>(), optional: true } as const;

/** What is sent to a page that is asked for by POST. */
export interface Posted {
  body?: string;
  /** Where the headers of the request name no other. */
  contentType?: string;
}
const post = { ...trusted<Posted>(), optional: true } as const;

/** A page as a crawl sees it. */
const crawledPage = object({
  kind: { type: "equal", value: "page" },
  data: scrapeData,
  links: list(trusted<PageLink>()),
  /** What the page asks of crawlers by `<meta name=robots>` and `X-Robots-Tag`. */
  nofollow: { type: "boolean" },
  /** The wait in milliseconds that the site asked for with a 429 or 503. */
  retryAfterMs: { type: "number", nullable: true },
});

/** The server or the page itself redirects. */
const redirect = object({
  kind: { type: "equal", value: "redirect" },
  url: text,
  /** The target was read, and asks for no login; else it was not fetched. */
  wasRead: { type: "boolean", optional: true },
});
export type CrawledPage = Infer<typeof crawledPage> | Infer<typeof redirect>;

export type { PageLink };

/** A page as a service reads it that polls it. */
const polledPage = object({
  job: finishedScrape,
  /** When the site wants to be asked again: its `retry-after`, `cache-control` and `age`, where it sent them. */
  headers: { type: "record", value: text },
  /** What the views that were asked for see, in their order. */
  snapshots: { ...list(trusted<Snapshot>()), optional: true },
  /** What is kept of the page, where a view knows another one. */
  page: { ...trusted<KeptPage>(), optional: true },
  /** What tells at the next visit that it is unchanged; absent where only another visit can tell. */
  known: { ...trusted<KnownPage>(), optional: true },
  /** Where it leads, where that is asked for. */
  place: { ...trusted<PagePlace>(), optional: true },
});
export type PolledPage = Infer<typeof polledPage>;

/** What a page says of its own place among the pages of its site. */
export interface PagePlace {
  links: PageLink[];
  /** What it asks of crawlers by `<meta name=robots>` and `X-Robots-Tag`. */
  nofollow: boolean;
  noindex: boolean;
  /** The last address that permanent redirects alone led to; the page's own without any. */
  permanentUrl: string;
}

/** A page as an earlier visit found it: how a visit knows without reading it that it is unchanged. */
export interface KnownPage {
  /** Where it was found in the end. */
  url: string;
  /** The validators that its server gave it. Without any it is asked for unconditionally. */
  etag?: string;
  lastModified?: string;
  /** A hash of all that its reading depends on: the answer and the version of the rules; after it what it was read for. */
  fingerprint: string;
}

/** A page that is as it was known: nothing of it was read. */
const unchangedPage = object({
  unchanged: { type: "equal", value: true },
  status: { type: "number", integer: true },
  headers: polledPage.props.headers,
  /** With its newest validators. */
  known: trusted<KnownPage>(),
});
export type UnchangedPage = Infer<typeof unchangedPage>;

/**
 * The pages that were there in former crawls from an entry page with the format `changes` and this tag, a part at a time. Not
 * published.
 */
export const formerPages = repeatable("scraper.formerPages", {
  params: {
    keyId: id,
    tag: { type: "string", optional: true },
    entryUrl: id,
    crawlId: id,
    before: { type: "string", optional: true },
  },
  result: object({ urls: list(text), before: nullableText }),
});

/** Removes all screenshots of a crawl, which are kept until then. Not published. */
export const forgetScreenshots = repeatable("scraper.forgetScreenshots", {
  params: { crawlId: id },
  result: nothing,
});

/**
 * Reads a page for a service that polls it. It stores nothing, and ends with its timeout. With `takesSlot` it takes one of
 * the scrape slots of the caller in `meta`, or throws `rate_limited`. Not published.
 */
export const pollPage = repeatable("scraper.visit", {
  params: {
    keyId: id,
    owner: id,
    request: trusted<ScrapeRequest>(),
    /** Looked at beside the formats of the request; the page is fetched once for all. */
    views: { ...list(trusted<WantedView>()), optional: true },
    /** Returns the beginning of the Markdown only; the views see all of the page. */
    isBrief: { type: "boolean", optional: true },
    /** Answers `place`. */
    withPlace: { type: "boolean", optional: true },
    session: readIn,
    post,
    takesSlot: { type: "boolean", optional: true },
  },
  result: polledPage,
});

/** Reads a page as `visit` does for views, unless it is as an earlier visit knew it. Not published. */
export const revisitPage = repeatable("scraper.revisit", {
  params: {
    keyId: id,
    owner: id,
    request: trusted<ScrapeRequest>(),
    views: list(trusted<WantedView>()),
    known: trusted<KnownPage>(),
    withPlace: { type: "boolean", optional: true },
    session: readIn,
    post,
  },
  result: { type: "multi", rules: [polledPage, unchangedPage] },
});

/** A page without what nobody sees or selects by: every form of a version is made from it. */
export interface KeptPage {
  /** SHA-256 of the HTML, hex. */
  hash: string;
  /** The HTML: zstd, base64. */
  html: string;
  title: string;
}

/** A view of a polled page, and what its last check learned of the page. */
export interface WantedView extends Learned {
  view: View;
  /** The hash of the page that is kept. */
  page?: string;
  /** Answers the parts of the page, too, for a person who points at one. */
  outline?: boolean;
}

/** Pictures of a change. Each is a key for `GET /web/screenshot/{key}`. */
export const changePictures = object({
  /** The page at the last picture; null for the first one, or when that one is lost. */
  before: nullableText,
  after: text,
  /** What differs, in red over the page; null without `before`, or where the pictures are too large to compare. */
  difference: nullableText,
});
export type ChangePictures = Infer<typeof changePictures>;

/**
 * Takes a picture of a page that keys watch, compares it with the last one (`kept`), and keeps it for the next time. The
 * pictures of a change are stored for as long as its event, and are for the keys that track the source `watchId`. Not
 * published.
 */
export const pictureChange = action("scraper.pictureChange", {
  params: {
    keyId: id,
    owner: id,
    request: trusted<ScrapeRequest>(),
    /** `_id` of the source. */
    watchId: id,
    /** What the last call answered. */
    kept: { type: "string", optional: true },
    session: readIn,
  },
  result: object({
    pictures: changePictures,
    kept: text,
    /** The size of the pictures that were stored for the change. */
    bytes: { type: "number", integer: true },
  }),
});
export type TakenPicture = ResultOf<typeof pictureChange>;

const pictureBox = named("PictureBox", {
  selector: { ...text, description: "The selector that matches it." },
  x: { type: "number", integer: true },
  y: { type: "number", integer: true },
  width: count,
  height: count,
});
export type PictureBox = Infer<typeof pictureBox>;

/** A picture of a page, and where its elements are on it. */
export const pagePicture = named("PagePicture", {
  key: { ...text, description: "For `GET /web/screenshot/{key}`, as long as results are kept." },
  width: { ...count, description: "Of the picture, in CSS pixels, as all numbers here." },
  height: count,
  boxes: {
    ...list(pictureBox),
    description:
      "Where the elements are that the selectors of the outline and of the options match, from the top left corner.",
  },
});
export type PagePicture = Infer<typeof pagePicture>;

/**
 * Takes a picture of a page for a person who points at it; `owner` may see it. It takes one of the scrape slots of the caller
 * in `meta`, or throws `rate_limited`. Not published.
 */
export const picturePage = action("scraper.picturePage", {
  params: {
    keyId: id,
    owner: id,
    request: trusted<ScrapeRequest>(),
    selectors: list(text),
    session: readIn,
  },
  result: pagePicture,
});

/** Removes the pictures that are kept of a source which nobody tracks any more. Not published. */
export const forgetPictures = repeatable("scraper.forgetPictures", {
  params: { watchId: id },
  result: nothing,
});

/** The error type that says that reading a page ended the node. */
export const endedNode = "ENDED_NODE";

/**
 * Reads one page of a crawl, for the crawler. It reports redirects of the server or the page in place of following them.
 * The pages of one crawl may share a browser context and a proxy. The user's headers, and cookies without a domain, go to
 * pages of the origin of `entryUrl` only. Screenshots are kept until `forgetScreenshots`. Not published. Fails with the
 * type `endedNode` when reading the page ended the node.
 */
export const crawlPage = repeatable(
  "scraper.crawlPage",
  {
    params: {
      crawlId: id,
      entryUrl: id,
      keyId: id,
      owner: id,
      request: trusted<ScrapeRequest>(),
      /** Follows redirects, as a scrape does. */
      follow: { type: "boolean", optional: true },
      /** Redirects that are followed in a session: they may end at its login. */
      through: { ...list(text), optional: true },
      /** Nothing leads to the page any more: a former crawl knew it. */
      hidden: { type: "boolean", optional: true },
      /** Addresses that differ by their query alone are one page. */
      ignoreQuery: { type: "boolean", optional: true },
      /** Also the texts of links. */
      linkTexts: { type: "boolean", optional: true },
      /** Takes one of the scrape slots of the caller in `meta`, or throws `rate_limited`. */
      takesSlot: { type: "boolean", optional: true },
      /** The id of the page's charge to the quotas of the key, which the caller settles. */
      charge: { type: "string", optional: true },
    },
    result: { type: "multi", rules: [crawledPage, redirect] },
  },
  "by caller",
);
