import { type LogEventRows, nothing, retried } from "./log-event.ts";

/** Events of the service `keys`, and of what the others do for keys and quotas. */
export const keysLogEvents = {
  "key_store.failed": {
    level: "error",
    meaning: "The store of API keys does not answer.",
    action: "Check the disk of `DATA_DIR`; in a cluster, the server at `MONGO_URL`.",
  },
  "audit_act.failed": {
    level: "error",
    meaning:
      "An act could not be kept in the audit log. The line has all of it; its client got 503, or signed in.",
    action: "Keep the line. Check whether the service `keys` runs and its store can be written.",
  },
  "audit_prune.failed": {
    level: "warn",
    meaning: "Acts that are older than `AUDIT_RETENTION` could not be removed.",
    action: retried,
  },
  "key_data.deleted": {
    level: "info",
    meaning: "What belonged to `keys` deleted keys was removed, since news of the deletion had not arrived.",
    action: nothing,
  },
  "key_cleanup.failed": {
    level: "warn",
    meaning: "What belongs to deleted keys could not be removed.",
    action: retried,
  },
  "usage_cleanup.failed": {
    level: "warn",
    meaning: "Counts of requests that are older than `USAGE_RETENTION` could not be removed.",
    action: retried,
  },
  "erasure.failed": {
    level: "error",
    meaning: "A step of an erasure did not succeed.",
    action: "It is repeated every 10 s. Check whether all services run.",
  },
  "quota_read.failed": {
    level: "warn",
    meaning: "It is not known which keys have quotas. The service asks again with the next delivery.",
    action: "Check whether the service `keys` runs.",
  },
  "quota_charge.failed": {
    level: "error",
    meaning: "The charge of some work could not be settled. It stays open, and counts.",
    action: "Check whether the service `keys` runs and its store can be written.",
  },
  "quota_count.failed": {
    level: "error",
    meaning: "The events of a key with quotas could not be counted.",
    action: retried,
  },
  "quota_notice.failed": {
    level: "error",
    meaning: "The event `quota.warning` or `quota.exceeded` of a key could not be appended.",
    action: retried,
  },
} as const satisfies LogEventRows;
