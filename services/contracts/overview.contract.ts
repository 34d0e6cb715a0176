import { action, repeatable } from "./action.ts";
import {
  count,
  type Infer,
  list,
  named,
  nullableText,
  object,
  rule,
  text,
  time,
  withMessage,
} from "./schema.ts";

/** What each process counts, by minute. */
export const activityKinds = ["requests", "events", "delivered", "failed", "polls", "scrapes"] as const;
export type ActivityKind = (typeof activityKinds)[number];

/** Minutes that a process remembers, the present one included. */
export const activityMinutes = 60;

const perMinute = list(count);

const series = named("ActivitySeries", {
  requests: { ...perMinute, description: "Requests that were made with an API key." },
  events: { ...perMinute, description: "Events that were appended, once for each key." },
  delivered: { ...perMinute, description: "Attempts to deliver that the receiver took." },
  failed: { ...perMinute, description: "Attempts to deliver that failed." },
  polls: { ...perMinute, description: "Polls of sources." },
  scrapes: { ...perMinute, description: "Scrapes that ended." },
});
export type ActivitySeries = Infer<typeof series>;

const perhaps = rule({ ...count, nullable: true });

/** What one node has under way; null for what could not be read in time. */
const underWay = object({ scrapes_running: perhaps, events_waiting: perhaps });
export type UnderWay = Infer<typeof underWay>;

const activity = object({
  node: text,
  /** Minutes since the epoch, of the last number in each series. */
  minute: { type: "number", integer: true },
  series,
  under_way: underWay,
});
export type NodeActivity = Infer<typeof activity>;

/** What one node has done and has under way. The gateway asks each node; nobody else may answer for it. */
export const nodeActivity = action("$magpie.activity", { params: {}, result: activity });

/*
 * What each service has in its store, counted by index.
 */

export const countKeys = repeatable("keys.counts", { params: {}, result: object({ keys: count }) });
export const countSources = repeatable("tracker.counts", {
  params: {},
  result: object({ sources: count, sources_failing: count }),
});
export const countEndpoints = repeatable("webhook-dispatcher.counts", {
  params: {},
  result: object({ endpoints: count, endpoints_failed: count }),
});
export const countScrapes = repeatable("scraper.counts", {
  params: {},
  result: object({ scrapes_waiting: count }),
});
export const countCrawls = repeatable("crawler.counts", {
  params: {},
  result: object({ crawls_running: count }),
});

const known = (description: string) =>
  rule({ ...perhaps, description: `${description} Null when it could not be read in time.` });

const counts = named("OverviewCounts", {
  keys: known("API keys."),
  sources: known("Tracked sources."),
  sources_failing: known("Sources whose `health` is `failing`."),
  endpoints: known("Webhook endpoints."),
  endpoints_failed: known("Endpoints that are `FAILED`."),
  events_waiting: known("Events that wait for delivery, without those that are kept for `FAILED` endpoints."),
  scrapes_running: known("Scrapes that run."),
  scrapes_waiting: known("Scrapes in the queue."),
  crawls_running: known("Crawls that run."),
});
export type OverviewCounts = Infer<typeof counts>;

const overview = named("Overview", {
  ready: { type: "boolean", description: "Whether `GET /health/ready` answers 200." },
  parts: list(
    object({
      name: { ...text, description: "A service, or a server that all nodes share." },
      status: { type: "enum", values: ["ready", "degraded", "unavailable"] },
      problem: { ...nullableText, description: "What is wrong and what to do about it." },
    }),
  ),
  counts,
  rates: object({
    from: { ...time, description: "When the first minute began." },
    step_s: { type: "number", integer: true },
    series: {
      ...series,
      description: "60 numbers each, oldest first; the last is the minute that has not ended.",
    },
  }),
  nodes: list(
    object({
      id: text,
      services: list(text),
      answered: { type: "boolean", description: "False: its numbers are missing in this answer." },
    }),
  ),
});
export type Overview = Infer<typeof overview>;

/** The state of an installation at a glance. */
export const overviewAnswer = withMessage(overview);
