import { type LogEventRows, nothing, retried } from "./log-event.ts";

/** Events of the service `tracker`. */
export const trackerLogEvents = {
  "source.polled": {
    level: "debug",
    meaning: "A poll of a source ended with `outcome`.",
    action: nothing,
  },
  "poll.failed": {
    level: "error",
    meaning: "A poll of `source` ended with an error of Magpie. The source is polled again later.",
    action: "Report the line.",
  },
  "poll_scheduler.failed": {
    level: "error",
    meaning: "Due sources could not be taken, or their polls not ended.",
    action: "Check the disk of `DATA_DIR`; in a cluster, the servers at `MONGO_URL` and `REDIS_URL`.",
  },
  "join_scheduler.failed": {
    level: "error",
    meaning: "Requests to join private channels could not be continued.",
    action: retried,
  },
  "batch_scheduler.failed": {
    level: "error",
    meaning: "The entries of an import of sources could not be continued.",
    action: retried,
  },
  "monitor_scheduler.failed": {
    level: "error",
    meaning: "The checks of monitors could not be begun or continued.",
    action: retried,
  },
  "monitor_source.failed": {
    level: "error",
    meaning:
      "A source of `monitor` could not be tracked for an error of Magpie. The next check tries it again.",
    action: "Report the line.",
  },
  "policy.failed": {
    level: "error",
    meaning:
      "A key that has come to want content for other uses could not leave `source`, which it shares with others. The next poll tries it again; until then the source is refused for all of them what it is refused for one.",
    action: "Report the line.",
  },
  "worker_session.failed": {
    level: "warn",
    meaning: "The session that shows that this process lives could not be renewed, or dead ones not found.",
    action: "Check the disk of `DATA_DIR`; in a cluster, the server at `MONGO_URL`.",
  },
  "worker_session_end.failed": {
    level: "warn",
    meaning: "This process could not release its leases when it stopped. Others find it dead within 10 s.",
    action: nothing,
  },
  "event_log.pruned": {
    level: "info",
    meaning: "`references` events that have expired were removed from the log.",
    action: nothing,
  },
  "event_log_pruning.failed": {
    level: "error",
    meaning: "Expired events could not be removed, or older ones not be moved into the blob store.",
    action: retried,
  },
  "history.pruned": {
    level: "info",
    meaning:
      "`versions` versions of sources that are beyond `KEEP_DAYS`, `KEEP_MB` or `options.keep` were removed.",
    action: nothing,
  },
  "history_pruning.failed": {
    level: "error",
    meaning: "Versions, checks and values that are beyond their retention could not be removed.",
    action: retried,
  },
  "pruning.failed": {
    level: "error",
    meaning: "Expired versions, joins or imports could not be removed.",
    action: retried,
  },
  "sources.rescheduled": {
    level: "warn",
    meaning: "`sources` sources were due too far in the future, as a wrong clock had set them.",
    action: "Check the clocks of the machines.",
  },
  "rescheduling.failed": {
    level: "error",
    meaning: "It could not be checked whether sources are due too far in the future.",
    action: retried,
  },
  "source_counts.corrected": {
    level: "warn",
    meaning: "The numbers of sources of `keys` keys were wrong, after a crash, and were counted again.",
    action: nothing,
  },
  "change_repair.failed": {
    level: "warn",
    meaning: "Changes of sources that were begun and not finished could not be finished.",
    action: retried,
  },
  "unfollow.failed": {
    level: "debug",
    meaning: "An account or channel that nobody tracks any more could not be unfollowed. It is tried again.",
    action: nothing,
  },
  "unfollow_retry.failed": {
    level: "warn",
    meaning: "The unfollows that are still due could not be tried again.",
    action: retried,
  },
  "picture_cleanup.failed": {
    level: "debug",
    meaning: "The pictures of a watch that has ended could not be deleted. They expire later.",
    action: nothing,
  },
} as const satisfies LogEventRows;
