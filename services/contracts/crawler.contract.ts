import { action, type ParamsOf, type ResultOf, repeatable } from "./action.ts";
import { scrapeData } from "./page.contract.ts";
import { pageOptions } from "./page-options.ts";
import { cursorOf, type Infer, limit, list, named, object, rule, text, time } from "./schema.ts";

const globs = (description: string) =>
  ({
    type: "array",
    max: 100,
    default: [],
    items: { type: "string", min: 1, max: 512 },
    description,
  }) as const;
const flag = (value: boolean, description: string) =>
  ({ type: "boolean", default: value, description }) as const;
/** Pages that one crawl or batch may read at a time. */
export const concurrency = rule({
  type: "number",
  integer: true,
  min: 1,
  max: 1000,
  optional: true,
  description: "Pages that are read at a time, at most; the operator's `CRAWL_CONCURRENCY` holds, too.",
});

const pages = (description: string) => ({ type: "number", integer: true, min: 0, description }) as const;

const crawlId = rule({ type: "string", min: 1, max: 64, description: "`crawl_id` of the crawl." });
export const version = rule({ type: "equal", value: "v1" });
const failure = named("Failure", { code: text, message: text });
const sometime = rule({ ...time, nullable: true, description: "Null while it runs." });

/** A place in the sequence of a crawl's pages that ended. */
const placeCursor = cursorOf(/^\d{1,12}$/);
export const nextCursor = rule({
  ...text,
  nullable: true,
  description: "Where the next page of this list begins; null when it has ended.",
});

export const webhookSecret = rule({
  ...text,
  optional: true,
  description: "Signs the deliveries to `webhook.url`. Shown once, when it was made for a key that had none.",
});

/** Starts a crawl. */
export const startCrawl = action("crawler.start", {
  params: {
    url: {
      type: "string",
      min: 1,
      max: 2048,
      description: "The entry page: an absolute http or https URL of a public address, without credentials.",
    },
    crawler: {
      type: "object",
      name: "CrawlerOptions",
      strict: true,
      // The validator does not look inside an object that it fills in, so this default is complete.
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
      description: "Which pages to read.",
      props: {
        limit: {
          type: "number",
          integer: true,
          min: 1,
          max: 100_000,
          default: 100,
          description: "Pages to scrape, at most; exact.",
        },
        include: globs(
          "Only pages that match one of these: globs (`*` within a path segment, `**` across) over the path, globs over the whole URL when they begin with `http`, or regular expressions in slashes (RE2). The entry page is always read.",
        ),
        exclude: globs("No page that matches one of these."),
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
        include_subdomains: flag(false, "Also hosts below the entry page's host."),
        include_external_links: flag(
          false,
          "Also linked pages of other sites, without following their links.",
        ),
        sitemaps: flag(true, "Also the pages that the site's sitemaps name."),
        ignore_query: {
          type: "boolean",
          optional: true,
          description: "Addresses that differ by their query alone are one page, which is read once.",
        },
        delay: {
          type: "number",
          min: 0,
          max: 60,
          optional: true,
          description:
            "Seconds between two requests to a host, at least; a longer `Crawl-delay` of its robots.txt holds.",
        },
        max_per_second: {
          type: "number",
          min: 0.01,
          max: 100,
          optional: true,
          description: "Pages that are asked for in a second, at most, of all hosts together.",
        },
        ignore_robots: {
          type: "boolean",
          optional: true,
          description:
            "On the hosts that the operator has named in `OWN_HOSTS`, such as a staging site, pages are read and links followed against robots.txt and `nofollow`; 403 where the entry page is on none of them.",
        },
        concurrency,
      },
    },
    ...pageOptions,
  },
  result: named("AcceptedCrawl", {
    crawl_id: text,
    version,
    status: { type: "equal", value: "crawling" },
    webhook_secret: webhookSecret,
  }),
});
/** The body of `POST /web/crawl` after validation: every default is filled in. */
export type CrawlRequest = ParamsOf<typeof startCrawl>;
/** Which pages of a site a crawl takes. */
export type CrawlerOptions = CrawlRequest["crawler"];
export type CrawlAccepted = ResultOf<typeof startCrawl>;

/** A page that failed, with what is known of it. */
const failedPage = rule({
  ...named("FailedPage", {
    metadata: object({
      final_url: text,
      status_code: { type: "number", integer: true, optional: true },
      source_url: { ...text, optional: true, description: "Of a batch: the URL as it was asked for." },
    }),
    error: failure,
  }),
  description: "With `status=failed`.",
});
export type FailedPage = Infer<typeof failedPage>;

/** A page that has ended: it was read, or it failed. */
export const endedPage = rule({ type: "multi", rules: [scrapeData, failedPage] });

export const crawlState = rule({ type: "enum", values: ["crawling", "completed", "failed", "cancelled"] });
export type CrawlState = Infer<typeof crawlState>;

export const crawlProgress = named("CrawlProgress", {
  discovered: pages("Pages found: the sum of the others."),
  queued: pages("Pages that wait to be read."),
  /** This counts pages that were read as a copy and wait for the page that they name. */
  running: pages("Pages that are being read."),
  completed: pages("Pages that were read."),
  failed: pages("Pages that could not be read."),
  skipped: pages("Pages that were skipped, for example because of robots.txt."),
});
export type CrawlProgress = Infer<typeof crawlProgress>;

/** Which of the pages that ended an answer has. */
export const pagesWanted = {
  cursor: placeCursor,
  limit: limit("Pages in an answer, at most."),
  status: {
    type: "enum",
    values: ["completed", "failed"],
    optional: true,
    description:
      "Only pages with this outcome; by default those that completed. Failed pages have only the metadata that is known.",
  },
} as const;

/** Pages that ended, and how far the crawl or the batch has come. */
export const pagesFound = {
  progress: crawlProgress,
  data: {
    ...list(endedPage),
    description: "At most 10 MB.",
  },
  /** Null at the end of a crawl that has ended; never while it crawls. */
  next_cursor: nextCursor,
  started_at: time,
  ended_at: sometime,
  expires_at: sometime,
  error: { ...failure, optional: true, description: "Only when `failed`." },
} as const;

/** The state of a crawl, and a page of its results in the order in which they ended. */
export const crawlStatus = repeatable("crawler.status", {
  params: { crawl_id: crawlId, ...pagesWanted },
  result: named("Crawl", {
    crawl_id: text,
    version,
    status: crawlState,
    url: text,
    /**
     * `finished`: no page was left. `limit`: the limit was reached. `entry_failed`: the entry page failed. `given_up`: the
     * crawl broke off again and again for reasons of our own. `quota`: a quota of the key is used up.
     */
    stop_reason: {
      type: "enum",
      values: ["finished", "limit", "quota", "cancelled", "entry_failed", "given_up"],
      nullable: true,
      description: "Null while the crawl runs.",
    },
    ...pagesFound,
  }),
});
export type CrawlStatus = ResultOf<typeof crawlStatus>;
/** Why a crawl ended. */
export type StopReason = NonNullable<CrawlStatus["stop_reason"]>;

/** A page that failed or was skipped. `code` is an error code, or `robots`, `redirect`, `limit`, … */
export const crawlError = named("CrawlError", {
  url: text,
  status: { type: "enum", values: ["failed", "skipped"] },
  code: text,
  message: text,
});
export type CrawlError = Infer<typeof crawlError>;

/** Which of the errors an answer has. */
export const errorsWanted = { cursor: placeCursor, limit: limit("Errors in an answer, at most.") };

/** The pages of a crawl that failed or were skipped, in the order in which they ended. */
export const crawlErrors = repeatable("crawler.errors", {
  params: { crawl_id: crawlId, ...errorsWanted },
  result: object({ crawl_id: text, data: list(crawlError), next_cursor: nextCursor }),
});

export const cancelledCrawl = named("CancelledCrawl", {
  crawl_id: text,
  version,
  status: { type: "equal", value: "cancelled" },
});

/** Cancels a running crawl; `already_finished` when it has ended by itself. */
export const cancelCrawl = action("crawler.cancel", {
  params: { crawl_id: crawlId },
  result: cancelledCrawl,
});
