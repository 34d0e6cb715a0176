import { repeatable } from "./action.ts";
import type { CrawlProgress, CrawlState } from "./crawler.contract.ts";
import { cursor, limit } from "./paging.ts";
import type { ScrapeJob } from "./scraper.contract.ts";
import type { TrackJob } from "./social-tracking.contract.ts";
import { type Source, type SourceKind, sourceKinds } from "./source.ts";
import type { Webhook } from "./webhook.contract.ts";

/*
 * What administrators see of the work of an installation, of all keys, a page at a time. Times are ISO 8601.
 */

export interface Listed<Row> {
  data: Row[];
  /** Where the page after it begins; null at the end. */
  next_cursor: string | null;
  message: string;
}

export interface Wanted {
  cursor?: string;
  limit: number;
}

/** A tracked source, and how its polling goes. */
export interface SourceStanding extends Source {
  /** Keys that track it. */
  keys: number;
  health: "ok" | "failing" | "gone";
  /** Polls that failed since the last good one. */
  failures: number;
  polled_at: string;
  due_at: string;
}

/** How far the deliveries to an endpoint have come. */
export interface LaneStanding {
  key_id: string;
  url: string;
  status: Webhook["status"];
  /** Events that are still to be delivered. */
  waiting: number;
  /** Failures in a row. */
  failures: number;
  /** When a failing endpoint is tried next; null where deliveries flow, or stand. */
  next_attempt_at: string | null;
}

export interface ScrapeStanding {
  scrape_id: string;
  key_id: string;
  url: string;
  status: ScrapeJob["status"];
  started_at: string | null;
  ended_at: string | null;
}

export interface CrawlStanding {
  crawl_id: string;
  key_id: string;
  url: string;
  status: CrawlState;
  progress: CrawlProgress;
  started_at: string;
  ended_at: string | null;
}

/** A key's wish to be let into a gated channel. */
export interface JoinJob extends TrackJob {
  key_id: string;
  /** The kind in upper case. */
  source: string;
  /** When it fails, unless somebody lets us in before. */
  fails_at: string;
  ended_at: string | null;
}

const page = {
  $$strict: true,
  cursor,
  limit: limit("Entries a page."),
};

/** Tracked sources, of one kind if told, in the order of their ids. */
export const listSources = repeatable<Wanted & { source?: SourceKind }, Listed<SourceStanding>>(
  "tracker.listSources",
  {
    ...page,
    source: {
      type: "enum",
      values: [...sourceKinds],
      optional: true,
      description: "Only sources of this kind.",
    },
  },
);

/** Webhook endpoints, with one status if told, in the order of their keys, newest first. */
export const listLanes = repeatable<Wanted & { status?: Webhook["status"] }, Listed<LaneStanding>>(
  "webhook.listLanes",
  {
    ...page,
    status: {
      type: "enum",
      values: ["ACTIVE", "FAILED"],
      optional: true,
      description: "Only endpoints with this status.",
    },
  },
);

/** Scrapes that are kept, newest first. */
export const listScrapes = repeatable<Wanted, Listed<ScrapeStanding>>("scraper.list", page);

/** Crawls that are kept, newest first. */
export const listCrawls = repeatable<Wanted, Listed<CrawlStanding>>("crawler.list", page);

/** Wishes to be let into gated channels, in the order of their ids. */
export const listJoins = repeatable<Wanted, Listed<JoinJob>>("tracker.listJoins", page);
