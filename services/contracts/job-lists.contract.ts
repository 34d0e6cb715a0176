import { action, type ParamsOf, repeatable } from "./action.ts";
import { cancelledCrawl, crawlProgress, crawlState } from "./crawler.contract.ts";
import { keyId, nullableTime, ofKey, pageOf, pageOfKey, pageWith } from "./paging.ts";
import { cursorOf, type Infer, named, nullableText, text, time } from "./schema.ts";
import { scrapeJob, scrapeState } from "./scraper.contract.ts";
import { trackJob } from "./tracker.contract.ts";

/*
 * Scrapes, crawls and requests to join: of one key, and of all.
 */

const scrapeSummary = named("ScrapeSummary", {
  scrape_id: text,
  key_id: keyId,
  url: { ...text, description: "Empty once the result has expired." },
  status: scrapeState,
  status_code: {
    type: "number",
    integer: true,
    nullable: true,
    description: "The HTTP status of the page that was read; null where none was.",
  },
  error: scrapeJob.props.error,
  started_at: nullableTime,
  ended_at: nullableTime,
  expires_at: { ...nullableTime, description: "When the result is removed; null while it is pending." },
});
export type ScrapeSummary = Infer<typeof scrapeSummary>;

const withScrapeStatus = {
  status: { ...scrapeState, optional: true, description: "Only scrapes with this status." },
} as const;

/** Scrapes that are kept, newest first. */
export const listScrapes = repeatable("scraper.list", {
  params: { ...pageOf, key_id: ofKey, ...withScrapeStatus },
  result: pageWith(scrapeSummary),
});
export type ScrapesRequest = ParamsOf<typeof listScrapes>;

/** The same, of the calling key. */
export const listOwnScrapes = repeatable("scraper.listOwn", {
  params: { ...pageOfKey, cursor: cursorOf(/^scr_[0-9A-HJKMNP-TV-Z]{26}$/), ...withScrapeStatus },
  result: pageWith(scrapeSummary),
});

/** Cancels a scrape of any key. */
export const cancelAnyScrape = action("scraper.cancelAny", {
  params: { scrape_id: { ...text, min: 1, max: 64, description: "`scrape_id` of the scrape." } },
  result: scrapeJob,
});

const crawlSummary = named("CrawlSummary", {
  crawl_id: { ...text, description: "Of a batch its `batch_id`." },
  kind: { type: "enum", values: ["crawl", "batch"] },
  key_id: keyId,
  url: { ...text, description: "The entry page; of a batch the first of its URLs." },
  status: crawlState,
  progress: crawlProgress,
  started_at: time,
  ended_at: nullableTime,
  expires_at: { ...nullableTime, description: "When its pages are removed; null while it runs." },
});
export type CrawlSummary = Infer<typeof crawlSummary>;

const withCrawlStatus = {
  status: { ...crawlState, optional: true, description: "Only crawls with this status." },
} as const;

/** Crawls and batches that are kept, newest first. */
export const listCrawls = repeatable("crawler.list", {
  params: { ...pageOf, key_id: ofKey, ...withCrawlStatus },
  result: pageWith(crawlSummary),
});
export type CrawlsRequest = ParamsOf<typeof listCrawls>;

/** The same, of the calling key. */
export const listOwnCrawls = repeatable("crawler.listOwn", {
  params: { ...pageOfKey, cursor: cursorOf(/^crw_[0-9A-HJKMNP-TV-Z]{26}$/), ...withCrawlStatus },
  result: pageWith(crawlSummary),
});

/** Cancels a crawl or a batch of any key. */
export const cancelAnyCrawl = action("crawler.cancelAny", {
  params: { crawl_id: { ...text, min: 1, max: 64, description: "`crawl_id` of the crawl." } },
  result: cancelledCrawl,
});

/** A key's request to join a gated channel. */
const joinJob = named("Join", {
  ...trackJob.props,
  key_id: keyId,
  source: { ...text, description: "The kind in upper case." },
  sid: { ...nullableText, description: "What the key asked to track." },
  fails_at: { ...time, description: "When it fails, unless somebody approves it before." },
  ended_at: nullableTime,
});
export type JoinJob = Infer<typeof joinJob>;

const withJoinState = {
  status: { ...trackJob.props.state, optional: true, description: "Only requests in this state." },
} as const;

/** Requests to join gated channels, in the order of their ids. */
export const listJoins = repeatable("tracker.listJoins", {
  params: { ...pageOf, key_id: ofKey, ...withJoinState },
  result: pageWith(joinJob),
});
export type JoinsRequest = ParamsOf<typeof listJoins>;

/** The same, of the calling key. */
export const listOwnJoins = repeatable("tracker.listOwnJoins", {
  params: { ...pageOfKey, ...withJoinState },
  result: pageWith(joinJob),
});
