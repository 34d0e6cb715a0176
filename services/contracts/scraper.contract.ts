import type { Readable } from "node:stream";
import type { PageLink } from "../domain/extract/crawl-hints.ts";
import { action, repeatable } from "./action.ts";
import { type PageOptions, pageOptionsSchema } from "./page-options.ts";

/** The body of `POST /web/scrape` after validation: every default is filled in. */
export interface ScrapeRequest extends PageOptions {
  url: string;
  mode: "sync" | "async";
  /** Milliseconds. */
  timeout: number;
  breakdown: boolean;
}

export interface PageMetadata {
  title: string;
  status_code: number;
  final_url: string;
  description: string | null;
  /** BCP 47 tag as the page declares it. */
  language: string | null;
  canonical_url: string | null;
  /** OpenGraph properties without their `og:` prefix. */
  og: Record<string, string>;
  engine: "http" | "browser";
  /** Country of the proxy that served; null when the page was fetched directly. */
  proxy_location: string | null;
}

/** What a scrape yields; only the formats that were asked for are present. */
export interface ScrapeData {
  markdown?: string;
  html?: string;
  raw_html?: string;
  links?: string[];
  summary?: string;
  json?: Record<string, unknown>;
  json_recipe?: Record<string, unknown>;
  /** Key for `GET /web/screenshot/{key}`. */
  screenshot?: string;
  metadata: PageMetadata;
}

export interface ScrapeJob {
  scrape_id: string;
  version: "v1";
  status: "pending" | "completed" | "failed";
  url?: string;
  /** Only when `completed`. */
  data?: ScrapeData;
  /** Only when `failed`. */
  error?: { code: string; message: string };
  /** ISO 8601; once it has started, and ended. */
  started_at?: string;
  ended_at?: string;
  /** The secret that signs deliveries to `webhook.url`; only when it was made for this request. */
  webhook_secret?: string;
}

/** A scrape that ended well. */
export interface FinishedScrape extends ScrapeJob {
  status: "completed";
  url: string;
  data: ScrapeData;
}

/** A page as a crawl sees it. */
export type CrawledPage =
  | {
      kind: "page";
      data: ScrapeData;
      links: PageLink[];
      /** Of `<meta name=robots>` and `X-Robots-Tag`: what the page asks of crawlers. */
      nofollow: boolean;
      /** What the site asked for with a 429 or 503, in milliseconds. */
      retryAfterMs: number | null;
    }
  /** The server leads elsewhere, or the page by itself; that other one was not fetched. */
  | { kind: "redirect"; url: string };

export type { PageLink };

/** A page as it is read for a room that comes again. */
export interface Visit {
  job: FinishedScrape;
  /** What the site asks of whoever comes again: its `retry-after`, `cache-control` and `age`, where it sent them. */
  headers: Record<string, string>;
}

/**
 * Scrapes one page: answers when it is done, or, asynchronously, when it is kept and queued. `meta.idempotencyKey` makes
 * a repeated request the same scrape. When its node dies it is made again: without a key as another scrape, since nobody
 * knows of the first.
 */
export const scrape = repeatable<ScrapeRequest, ScrapeJob>("scraper.scrape", {
  $$strict: true,
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
    description: "`sync` answers with the page, `async` at once with a `scrape_id` to ask for.",
  },
  timeout: {
    type: "number",
    integer: true,
    min: 1000,
    max: 600_000,
    default: 30_000,
    description:
      "Milliseconds that a synchronous scrape is waited for; then the answer is 408 `scrape_timeout` with the `scrape_id`, and the work goes on. In all it may take twice as long, at least one minute and at most ten; so may an asynchronous one.",
  },
  breakdown: {
    type: "boolean",
    default: false,
    description: "With the `json` format: also gives the recipe of the extraction, as `data.json_recipe`.",
  },
  ...pageOptionsSchema,
});

/** The PNG of a screenshot, as a stream. 404 for an unknown or expired key and for another owner's. */
export const screenshot = repeatable<{ key: string }, Readable>("scraper.screenshot", {
  $$strict: true,
  key: { type: "string", min: 1, max: 128, description: "`data.screenshot` of a scrape." },
});

/** Removes all screenshots of a crawl: they are kept until then. Not published. */
export const forgetScreenshots = repeatable<{ crawlId: string }, null>("scraper.forgetScreenshots", {
  $$strict: true,
  crawlId: { type: "string", min: 1 },
});

/** How a scrape stands. 404 for another owner's; 410 once it has expired. */
export const scrapeStatus = repeatable<{ scrape_id: string }, ScrapeJob>("scraper.status", {
  $$strict: true,
  scrape_id: { type: "string", min: 1, max: 64, description: "`scrape_id` of the scrape." },
});

/** Ends a pending scrape as `failed`, code `cancelled`; `already_finished` when it has ended. */
export const cancelScrape = action<{ scrape_id: string }, ScrapeJob>("scraper.cancel", {
  $$strict: true,
  scrape_id: { type: "string", min: 1, max: 64, description: "`scrape_id` of the scrape." },
});

/** Reads a page for a room that comes again. It leaves no record, and ends with its timeout. Not published. */
export const visitPage = repeatable<{ keyId: string; owner: string; request: ScrapeRequest }, Visit>(
  "scraper.visit",
  {
    $$strict: true,
    keyId: { type: "string", min: 1 },
    owner: { type: "string", min: 1 },
    request: { type: "object" },
  },
);

/**
 * One page of a crawl, for the crawler: where the server or the page itself leads to another is told, not followed. The pages of one crawl may share
 * a browser context and a proxy. The user's headers, and cookies without a domain, go to pages of the origin of
 * `entryUrl` only, where the user meant them to go. Screenshots are kept until `forgetScreenshots`. Not published.
 */
export const crawlPage = repeatable<
  { crawlId: string; keyId: string; owner: string; entryUrl: string; request: ScrapeRequest },
  CrawledPage
>("scraper.crawlPage", {
  $$strict: true,
  crawlId: { type: "string", min: 1 },
  entryUrl: { type: "string", min: 1 },
  keyId: { type: "string", min: 1 },
  owner: { type: "string", min: 1 },
  request: { type: "object" },
});
