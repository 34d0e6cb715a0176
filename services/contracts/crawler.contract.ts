import { action, repeatable } from "./action.ts";
import { type PageOptions, pageOptionsSchema } from "./page-options.ts";
import { cursor, limit } from "./paging.ts";
import type { ScrapeData } from "./scraper.contract.ts";

/** Which pages of a site a crawl takes. */
export interface CrawlerOptions {
  /** Pages that may complete or fail. */
  limit: number;
  /** Globs over the path, globs over the URL when they begin with `http`, or regular expressions in slashes. */
  include: string[];
  exclude: string[];
  /** Links from the entry page. */
  max_depth: number;
  include_entire_domain: boolean;
  include_subdomains: boolean;
  include_external_links: boolean;
  sitemaps: boolean;
}

/** The body of `POST /web/crawl` after validation: every default is filled in. */
export interface CrawlRequest extends PageOptions {
  url: string;
  crawler: CrawlerOptions;
}

export type CrawlState = "crawling" | "completed" | "failed" | "cancelled";

export interface CrawlAccepted {
  crawl_id: string;
  version: "v1";
  status: "crawling";
  /** The secret that signs deliveries to `webhook.url`; only when it was made for this request. */
  webhook_secret?: string;
}

/**
 * Why a crawl ended: nothing was left, the limit was reached, it was cancelled, its entry page failed, or it broke off
 * again and again for reasons of our own.
 */
export type StopReason = "finished" | "limit" | "cancelled" | "entry_failed" | "given_up";

/** A page that failed, with what is known of it. */
export interface FailedPage {
  metadata: { final_url: string; status_code?: number };
  error: { code: string; message: string };
}

export interface CrawlProgress {
  discovered: number;
  queued: number;
  /** Being read, or read as a copy and waiting for the page that it names. */
  running: number;
  completed: number;
  failed: number;
  skipped: number;
}

export interface CrawlStatus {
  crawl_id: string;
  version: "v1";
  status: CrawlState;
  url: string;
  stop_reason: StopReason | null;
  progress: CrawlProgress;
  /** Of the pages that ended as was asked, in the order in which they did; at most 10 MB. */
  data: (ScrapeData | FailedPage)[];
  /** Where the next page of results begins; null when this is the last of a crawl that has ended. */
  next_cursor: string | null;
  /** ISO 8601. */
  started_at: string;
  ended_at: string | null;
  /** Null while it crawls. */
  expires_at: string | null;
  /** Only when `failed`. */
  error?: { code: string; message: string };
}

/** A page that failed or was skipped. */
export interface CrawlError {
  url: string;
  status: "failed" | "skipped";
  /** Code: an error code, or `robots`, `redirect`, `limit`, … */
  code: string;
  message: string;
}

const globs = (description: string) => ({
  type: "array",
  max: 100,
  default: [],
  items: { type: "string", min: 1, max: 512 },
  description,
});
const flag = (value: boolean, description: string) => ({ type: "boolean", default: value, description });
const crawlId = { type: "string", min: 1, max: 64, description: "`crawl_id` of the crawl." };

/** Begins a crawl. */
export const startCrawl = action<CrawlRequest, CrawlAccepted>("crawler.start", {
  $$strict: true,
  url: {
    type: "string",
    min: 1,
    max: 2048,
    description: "The entry page: an absolute http or https URL of a public address, without credentials.",
  },
  crawler: {
    type: "object",
    strict: true,
    default: {
      limit: 100,
      include: [],
      exclude: [],
      max_depth: 3,
      include_entire_domain: false,
      include_subdomains: false,
      include_external_links: false,
      sitemaps: true,
    },
    description: "Which pages are taken.",
    props: {
      limit: {
        type: "number",
        integer: true,
        min: 1,
        max: 100_000,
        default: 100,
        description: "Pages that are scraped, at most; exact.",
      },
      include: globs(
        "Only pages that one of these fits: globs (`*` within a path segment, `**` across) over the path, globs over the whole URL when they begin with `http`, or regular expressions in slashes (RE2). The entry page is always taken.",
      ),
      exclude: globs("No page that one of these fits."),
      max_depth: {
        type: "number",
        integer: true,
        min: 0,
        max: 100,
        default: 3,
        description: "Links from the entry page. Pages that follow one another by `rel=next` count as one.",
      },
      include_entire_domain: flag(
        false,
        "The whole host, not only what lies below the entry page's directory.",
      ),
      include_subdomains: flag(false, "Hosts below the entry page's host too."),
      include_external_links: flag(false, "Pages elsewhere that are linked, without following on from them."),
      sitemaps: flag(true, "Begins with what the site's sitemaps name, too."),
    },
  },
  ...pageOptionsSchema,
});

/** How a crawl stands, and a page of its results. */
export const crawlStatus = repeatable<
  { crawl_id: string; cursor?: string; limit: number; status?: "completed" | "failed" },
  CrawlStatus
>("crawler.status", {
  $$strict: true,
  crawl_id: crawlId,
  cursor,
  limit: limit("Pages in an answer, at most."),
  status: {
    type: "enum",
    values: ["completed", "failed"],
    optional: true,
    description:
      "Only pages that ended so; left out, those that completed. Of failed pages only the metadata that is known.",
  },
});

/** The pages of a crawl that failed or were skipped, in the order in which they did. */
export const crawlErrors = repeatable<
  { crawl_id: string; cursor?: string; limit: number },
  { crawl_id: string; data: CrawlError[]; next_cursor: string | null }
>("crawler.errors", {
  $$strict: true,
  crawl_id: crawlId,
  cursor,
  limit: limit("Errors in an answer, at most."),
});

/** Ends a crawl that is under way; `already_finished` when it has ended by itself. */
export const cancelCrawl = action<
  { crawl_id: string },
  { crawl_id: string; version: "v1"; status: "cancelled" }
>("crawler.cancel", { $$strict: true, crawl_id: crawlId });
