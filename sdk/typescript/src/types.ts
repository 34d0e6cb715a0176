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

export type SourceKind = Schemas["TrackManyRequest"]["items"][number]["source"];
/** How a source is watched, for the calling key alone. */
export type WatchOptions = Schemas["WatchOptions"];
/** Options to change; null removes one. */
export type WatchChanges = Schemas["WatchChanges"];
/** A source to be tracked, of several. */
export type TrackItem = Schemas["TrackManyRequest"]["items"][number];
/** A source that is tracked now, with the options of the key. */
export type Tracked = Schemas["WatchedSource"];
/** A private channel, whose owner has to approve first. */
export type QueuedTrack = Schemas["QueuedTrack"];
export type TrackJob = Schemas["TrackJob"];
export type TrackBatch = Schemas["TrackBatch"];
export type TrackBatchEntry = Schemas["TrackBatchEntry"];
/** A source in the list of the key's sources, with its health. */
export type ListedSource = Schemas["TrackedSource"];
/** An account or a channel that a search has found. */
export type FoundSource = Schemas["DatedSource"];
export type SourcePreview = Schemas["SourcePreview"];

/** An endpoint that events are posted to, and what waits for it. */
export type Webhook = Schemas["WebhookState"];
export type NewWebhook = Schemas["NewWebhookEndpoint"];
export type WebhookRequest = Schemas["CreateEndpointRequest"];
export type WebhookChanges = Schemas["ChangeEndpointRequest"];
export type ReplayRequest = Schemas["ReplayEndpointRequest"];
/** An attempt to deliver an event. */
export type Delivery = Schemas["Delivery"];
/** An attempt, with what was sent. */
export type DeliveryWithBody = Schemas["DeliveryWithBody"];
export type RetriedDelivery = Schemas["RetriedDelivery"];
/** What expressions make of an event. */
export type TransformTest = Schemas["TransformTest"];
export type TransformTestRequest = Schemas["TestTransformRequest"];
export type EventTypeDescription = Schemas["EventTypeDescription"];

export type EventFeed = Schemas["EventFeed"];
export type FeedRequest = Schemas["CreateFeedRequest"];

export type ApiKey = Schemas["ApiKey"];
/** A key with its owner, its limits and its quotas. */
export type ApiKeyDetails = Schemas["ApiKeyDetails"];
export type KeyRequest = Schemas["CreateApiKeyRequest"];
export type KeyChanges = Schemas["UpdateApiKeyRequest"];
export type OwnKeyRequest = Schemas["CreateOwnKeyRequest"];
export type OwnKeyChanges = Schemas["RenameOwnKeyRequest"];
/** What a key says of itself. */
export type Me = Schemas["Me"];
/** What a key used by day, and what is left of its quotas. */
export type Usage = Omit<Schemas["GetUsageResponse"], "message">;

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

/** A post of the microblog, as its network gives it. */
export type MicroblogPost = Schemas["Post"];
/** Which posts of an account are fetched. */
export type BackfillRequest = Schemas["BackfillPostsRequest"];
/** What would become of a post. */
export type PlannedPost = Schemas["PlannedPost"];
/** An endpoint of any key, and how its deliveries go. */
export type Lane = Schemas["Lane"];
/** An attempt to deliver, with its key. */
export type KeyDelivery = Schemas["KeyDelivery"];
/** An act of a person or a key. */
export type AuditEvent = Schemas["AuditEvent"];
/** A source of any key, with its health. */
export type SourceSummary = Schemas["SourceSummary"];
export type ScrapeSummary = Schemas["ScrapeSummary"];
export type CrawlSummary = Schemas["CrawlSummary"];
export type CancelledCrawl = Schemas["CancelledCrawl"];
/** A request to join a private channel. */
export type Join = Schemas["Join"];
export type Owner = Schemas["Owner"];
/** A link by which an owner sets a password, once. */
export type OwnerLink = Schemas["OwnerLink"];
/** How far an erasure is. */
export type Erasure = Schemas["Erasure"];
export type ErasureRequest = Schemas["ErasureRequest"];
/** How an installation is. */
export type Overview = Schemas["Overview"];
/** What all keys used by day. */
export type TotalUsage = Schemas["TotalUsage"];

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
export type JobNotice = Schemas["JobNotice"];
/** The body of a delivery. */
export type WebhookBody = Event | EventBatch | JobNotice;
