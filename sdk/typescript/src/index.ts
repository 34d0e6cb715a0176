export { Administration, type AuditExportOptions, type Backfilled } from "./administration.ts";
export { Magpie, type MagpieOptions, type WaitOptions } from "./client.ts";
export {
  type Answer,
  dataOf,
  type ErrorBody,
  type ErrorCode,
  EventGapError,
  JobFailedError,
  MagpieConnectionError,
  MagpieError,
  WebhookVerificationError,
} from "./errors.ts";
export type { EventFilters, EventsBreak, EventsOptions } from "./events.ts";
export { Feeds } from "./feeds.ts";
export { Job, type JobOptions, type JobState, type ResumeOptions } from "./job.ts";
export { Account, Keys, OwnKeys, type UsageOptions } from "./keys.ts";
export { itemsOf, type ListPage } from "./lists.ts";
export { type MonitorCheckFilter, type MonitorPageFilter, Monitors, NamedMonitor } from "./monitor.ts";
export type { RequestOptions } from "./requests.ts";
export type { components, operations, paths, webhooks } from "./schema.ts";
export {
  type ImportOptions,
  type PreviewOptions,
  type SourceFilter,
  type SourceName,
  Sources,
} from "./sources.ts";
export {
  type CheckFilter,
  type SeriesFilter,
  type SitePageFilter,
  type SiteTreeFilter,
  TrackedSource,
  type VersionFilter,
  type VersionPair,
} from "./tracked-source.ts";
export type * from "./types.ts";
export type { BatchJob, CrawlJob } from "./ways.ts";
export { type HeadersLike, type VerifyOptions, verifyWebhook } from "./webhook.ts";
export { Deliveries, type DeliveryFilter, Webhooks } from "./webhooks.ts";
