import type { Readable } from "node:stream";
import type { PageLink } from "../domain/extract/page-links.ts";
import type { Recipe } from "../domain/recipe/recipe.ts";
import type { Look } from "../domain/watch/look-at.ts";
import type { View } from "../domain/watch/view.ts";
import { action, type ParamsOf, type ResultOf, repeatable } from "./action.ts";
import { pageOptions } from "./page-options.ts";
import {
  type Infer,
  list,
  named,
  nothing,
  nullableText,
  object,
  rule,
  text,
  time,
  trusted,
  unchecked,
} from "./schema.ts";

export const pageMetadata = named("PageMetadata", {
  title: text,
  status_code: {
    type: "number",
    integer: true,
    description: "The target's own status; its 404 is not an error of the scrape.",
  },
  final_url: { ...text, description: "After redirects." },
  source_url: { ...text, optional: true, description: "Of a batch: the URL as it was asked for." },
  description: nullableText,
  language: { ...nullableText, description: "BCP 47 tag as the page declares it." },
  canonical_url: nullableText,
  page_title: {
    ...nullableText,
    description:
      "The page's own `<title>`, or a document's title. `title` may be that of OpenGraph or the first heading.",
  },
  author: {
    ...nullableText,
    description: 'Who wrote the page, without "By"; several are separated by commas.',
  },
  published_time: {
    ...nullableText,
    description:
      "ISO 8601: a time with the page's own offset (`2025-09-04T10:00:00+02:00`), or a date (`2025-09-04`) where the page gives no time or no offset.",
  },
  modified_time: { ...nullableText, description: "As `published_time`." },
  keywords: { ...list(text), nullable: true, description: "At most 50, each once." },
  site_name: nullableText,
  favicon: { ...nullableText, description: "Absolute URL, as the page declares it." },
  image: {
    ...nullableText,
    description: "Absolute URL of the image that represents the page where it is shared.",
  },
  robots: { ...nullableText, description: "The contents of `<meta name=robots>`." },
  content_type: {
    ...text,
    description: "The media type that the page was read as: `text/html`, `application/pdf`.",
  },
  word_count: {
    type: "number",
    integer: true,
    description: "Words of the content: of the whole page with `only_main_content: false`.",
  },
  og: { type: "record", value: text, description: "OpenGraph properties without `og:`." },
  engine: { type: "enum", values: ["http", "browser"], description: "The engine that read the page." },
  proxy_location: {
    ...nullableText,
    description: "Country of the proxy; null when the page was fetched directly.",
  },
  cached_at: {
    ...time,
    optional: true,
    description:
      "With `max_age`, when the answer is that of an earlier scrape: the time when that one began.",
  },
  warning: {
    ...text,
    optional: true,
    description:
      "Why the page came out nearly empty, was read as the server sent it, or is only the beginning of a document; absent otherwise.",
  },
});
export type PageMetadata = Infer<typeof pageMetadata>;

/** What a scrape yields; only the formats that were asked for are present. */
export const scrapeData = named("Page", {
  markdown: { ...text, optional: true, description: "GitHub Flavored Markdown." },
  html: {
    ...text,
    optional: true,
    description: "The content without scripts, styles and, by default, navigation and the like.",
  },
  raw_html: {
    ...text,
    optional: true,
    description: "The whole page, as the server sent it or the browser has it.",
  },
  links: { ...list(text), optional: true, description: "Absolute URLs, each once." },
  images: {
    ...list(text),
    optional: true,
    description: "Absolute URLs of the images, each once, in the order of the document.",
  },
  summary: {
    ...text,
    optional: true,
    description: "At most three sentences, verbatim; a model's may have five.",
  },
  json: {
    type: "object",
    optional: true,
    description: "What was extracted; it fits the schema that was sent.",
  },
  json_recipe: {
    type: "object",
    optional: true,
    description: "With `breakdown`: selectors that can be sent back as `output.json.recipe`.",
  },
  screenshot: { ...text, optional: true, description: "Key for `GET /web/screenshot/{key}`." },
  actions: {
    ...object({ screenshots: { ...list(text), description: "Keys as that of `screenshot`, in order." } }),
    optional: true,
    description: "With `js_render.actions`: what they gave.",
  },
  metadata: pageMetadata,
});
export type ScrapeData = Infer<typeof scrapeData>;

const version = rule({ type: "equal", value: "v1" });
export const scrapeState = rule({ type: "enum", values: ["pending", "completed", "failed"] });

/** A scrape that ended well. */
export const finishedScrape = named("FinishedScrape", {
  scrape_id: text,
  version,
  status: { type: "equal", value: "completed" },
  url: text,
  data: { ...scrapeData, description: "Only the formats that were asked for are present." },
  started_at: time,
  ended_at: time,
});
export type FinishedScrape = Infer<typeof finishedScrape>;

/** The answer to an asynchronous scrape. */
export const acceptedScrape = named("AcceptedScrape", {
  scrape_id: text,
  version,
  status: { ...scrapeState, description: "`pending`, unless the same request was sent before." },
  webhook_secret: {
    ...text,
    optional: true,
    description:
      "Signs the deliveries to `webhook.url`. Shown once, when it was made for a key that had none.",
  },
});

export type AcceptedScrape = Infer<typeof acceptedScrape>;

/** A scrape in any state. */
export const scrapeJob = named("Scrape", {
  ...finishedScrape.props,
  status: scrapeState,
  data: {
    ...scrapeData,
    optional: true,
    description: "When `completed`: the formats that were asked for.",
  },
  error: {
    ...named("Failure", { code: text, message: text }),
    optional: true,
    description: "When `failed`.",
  },
  started_at: { ...time, optional: true, description: "Once it has started." },
  ended_at: { ...time, optional: true, description: "Once it has ended." },
});
export type ScrapeJob = Infer<typeof scrapeJob>;

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

/** The server or the page itself redirects; the target was not fetched. */
const redirect = object({ kind: { type: "equal", value: "redirect" }, url: text });
export type CrawledPage = Infer<typeof crawledPage> | Infer<typeof redirect>;

export type { PageLink };

/** A page as a service reads it that polls it. */
const polledPage = object({
  job: finishedScrape,
  /** When the site wants to be asked again: its `retry-after`, `cache-control` and `age`, where it sent them. */
  headers: { type: "record", value: text },
  /** What the views that were asked for see, in their order. */
  looks: { ...list(trusted<Look>()), optional: true },
});
export type PolledPage = Infer<typeof polledPage>;

/**
 * Scrapes one page. Answers when it is done; with `mode: async`, when it is stored and queued. With
 * `meta.idempotencyKey` a repeated request is the same scrape. When a node dies the bus repeats the call: without a key
 * as another scrape, since nobody knows of the first.
 */
export const scrape = repeatable("scraper.scrape", {
  params: {
    url: {
      type: "string",
      min: 1,
      max: 2048,
      description: "The page: an absolute http or https URL of a public address, without credentials.",
    },
    mode: {
      type: "enum",
      values: ["sync", "async"],
      default: "sync",
      description: "`sync` answers with the page, `async` at once with a `scrape_id`.",
    },
    timeout: {
      type: "number",
      integer: true,
      min: 1000,
      max: 600_000,
      default: 30_000,
      description:
        "Milliseconds that the request waits for a synchronous scrape; then the answer is 408 `scrape_timeout` with the `scrape_id`, and the scrape continues. A scrape, synchronous or not, may take twice this time, at least one minute and at most ten.",
    },
    breakdown: {
      type: "boolean",
      default: false,
      description:
        "With the `json` format: also returns the recipe of the extraction, as `data.json_recipe`.",
    },
    max_age: {
      type: "number",
      integer: true,
      min: 0,
      max: 604_800_000,
      default: 0,
      description:
        "Milliseconds: an equal scrape by the same key that began no longer ago answers in place of the site, with `metadata.cached_at`. Scrapes are kept for 24 hours. 0 asks the site.",
    },
    ...pageOptions,
  },
  result: { type: "multi", rules: [finishedScrape, acceptedScrape] },
});
/** The body of `POST /web/scrape` after validation: every default is filled in. */
export type ScrapeRequest = ParamsOf<typeof scrape>;

const scrapeId = rule({ type: "string", min: 1, max: 64, description: "`scrape_id` of the scrape." });

/** The state of a scrape. 404 for another owner's; 410 once it has expired. */
export const scrapeStatus = repeatable("scraper.status", {
  params: { scrape_id: scrapeId },
  result: scrapeJob,
});

/** Ends a pending scrape as `failed`, code `cancelled`; `already_finished` when it has ended. */
export const cancelScrape = action("scraper.cancel", {
  params: { scrape_id: scrapeId },
  result: scrapeJob,
});

/** The PNG of a screenshot, as a stream. 404 for an unknown or expired key and for another owner's. */
export const screenshot = repeatable("scraper.screenshot", {
  params: {
    key: {
      type: "string",
      min: 1,
      max: 256,
      description:
        "`data.screenshot` of a scrape, or one of `data.change.screenshot` of a page that the key tracks.",
    },
  },
  result: unchecked<Readable>(),
});

const id = rule({ type: "string", min: 1 });

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
    takesSlot: { type: "boolean", optional: true },
  },
  result: polledPage,
});

/** A view of a polled page, and the recipe by which its fields were found last. */
export interface WantedView {
  view: View;
  recipe?: Recipe;
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
  },
  result: object({ pictures: changePictures, kept: text }),
});
export type TakenPicture = ResultOf<typeof pictureChange>;

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
      /** Also the texts of links. */
      linkTexts: { type: "boolean", optional: true },
      /** Takes one of the scrape slots of the caller in `meta`, or throws `rate_limited`. */
      takesSlot: { type: "boolean", optional: true },
    },
    result: { type: "multi", rules: [crawledPage, redirect] },
  },
  "by caller",
);
