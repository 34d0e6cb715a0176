export {
  type ImportOptions,
  Magpie,
  type MagpieOptions,
  type RequestOptions,
  type WaitOptions,
} from "./client.ts";
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
export { Job, type JobOptions, type JobState, type ResumeOptions } from "./job.ts";
export { itemsOf, type ListPage } from "./lists.ts";
export { type MonitorCheckFilter, type MonitorPageFilter, NamedMonitor } from "./monitor.ts";
export type { components, operations, paths, webhooks } from "./schema.ts";
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
