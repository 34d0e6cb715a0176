import type { components } from "./schema.ts";

/*
 * Names for what the helpers take and answer. All others are in `components["schemas"]`.
 */

type Schemas = components["schemas"];

/** A scrape that answers with the page. */
export type ScrapeRequest = Omit<Schemas["ScrapeRequest"], "mode" | "webhook">;
/** A scrape that the service runs in the background, with a webhook for its end if one is named. */
export type AsyncScrapeRequest = Omit<Schemas["ScrapeRequest"], "mode">;
export type FinishedScrape = Schemas["FinishedScrape"];
export type AcceptedScrape = Schemas["AcceptedScrape"];
/** A scrape in any state. */
export type Scrape = Schemas["Scrape"];
/** A page as scrapes, crawls and batches return it: its metadata, and the formats of the request. */
export type Page = Schemas["Page"];

/** What is wanted of a document that is sent. */
export interface ParseRequest
  extends Partial<Pick<Schemas["ScrapeRequest"], "output" | "request" | "timeout" | "breakdown">> {
  /** The name of the file. */
  name?: string;
}
/** A document that was sent: the formats of the request, and what it says of itself. */
export interface ParsedDocument {
  data: Omit<Page, "metadata"> & {
    metadata: Omit<Page["metadata"], "status_code" | "final_url" | "engine" | "proxy_location"> & {
      /** As it was sent. */
      file_name: string;
    };
  };
  started_at: string;
  ended_at: string;
}

export type MapRequest = Schemas["MapSiteRequest"];
export type SiteMap = Schemas["SiteMap"];

/** The outcome of an import of an OPML document. */
export type OpmlImport = Schemas["OpmlImport"];

/** A tracked source with its options, health, latest check and values. */
export type SourceDetail = Schemas["SourceDetail"];
/** Checks in a row with the same outcome and reason. */
export type Check = Schemas["Check"];
/** A state of a source that differed from the one before. */
export type SourceVersion = Schemas["Version"];
export type VersionContent = Schemas["VersionContent"];
export type VersionDiff = Schemas["VersionDiff"];
export type ValuePoint = Schemas["ValuePoint"];
export type RehearseRequest = Schemas["RehearseRequest"];
/** What options would have made of the past. */
export type Rehearsal = Schemas["Rehearsal"];
/** A page of a tracked site, and how its visits go. */
export type WatchedPage = Schemas["WatchedPage"];
/** What lies below one part of the addresses of a site. */
export type SiteBranch = Schemas["SiteBranch"];
/** Sources that are checked together, by a schedule. */
export type Monitor = Schemas["Monitor"];
export type MonitorRequest = Schemas["CreateMonitorRequest"];
export type MonitorChanges = Schemas["ChangeMonitorRequest"];
export type MonitorCheck = Schemas["MonitorCheck"];
/** What a check found of one page. */
export type MonitorPage = Schemas["MonitorPage"];
/** A passage that a search found. */
export type Found = Schemas["Found"];

export type CrawlRequest = Schemas["CrawlRequest"];
export type AcceptedCrawl = Schemas["AcceptedCrawl"];
export type Crawl = Schemas["Crawl"];

export type BatchRequest = Schemas["BatchRequest"];
export type AcceptedBatch = Schemas["AcceptedBatch"];
export type Batch = Schemas["Batch"];

/** A page of a crawl or a batch that failed or was skipped. */
export type CrawlError = Schemas["CrawlError"];

/** An event, as streams carry it and webhooks receive it. Narrow it by `type`. */
export type Event = Schemas["Event"];
/** Several events in one delivery, for a webhook with `batch`. */
export type EventBatch = Schemas["EventBatch"];
/** A message to the webhook of a scrape, a crawl or a batch. It is on no stream. */
export interface JobNotice {
  id: string;
  type: `${"scrape" | "crawl" | "batch"}.${"started" | "completed" | "failed"}`;
  timestamp: string;
  seq: null;
  data: { source: null; job: Scrape | Crawl | Batch };
}
/** The body of a delivery. */
export type WebhookBody = Event | EventBatch | JobNotice;
