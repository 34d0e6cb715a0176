import { type LogEventRows, nothing, retried } from "./log-event.ts";

/** Events of the service `crawler`. */
export const crawlerLogEvents = {
  "crawl_run.ended": {
    level: "info",
    meaning:
      "A run of a crawl or a batch ended after `durationMs`: the crawl has ended, or another node continues it.",
    action: nothing,
  },
  "crawl_page.failed": {
    level: "error",
    meaning: "A page of a crawl ended with an error of Magpie.",
    action: "Report the line.",
  },
  "crawl_notice.failed": {
    level: "error",
    meaning: "A notice of a crawl could not be handed to the webhook service.",
    action: retried,
  },
  "crawl_repair.failed": {
    level: "error",
    meaning: "The search for crawls that no node continues failed.",
    action: retried,
  },
  "crawl_expiry.failed": {
    level: "error",
    meaning: "Crawls that have expired could not be removed; `about` is the crawl.",
    action: retried,
  },
  "host_pause.failed": {
    level: "error",
    meaning: "A host asked for a pause, and the pause could not be stored for other crawls.",
    action: "In a cluster check the server at `REDIS_URL`.",
  },
} as const satisfies LogEventRows;
