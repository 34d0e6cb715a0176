import { type LogEventRows, nothing, retried } from "./log-event.ts";

/** Events of every process, whatever its services do. */
export const processLogEvents = {
  "process.failed": {
    level: "fatal",
    meaning:
      "An error that no code handled. A single process starts again; a node of a cluster ends with code 1.",
    action: "Report the line. Run the process under a supervisor: after five of them in ten minutes it ends.",
  },
  "process_stop.failed": {
    level: "fatal",
    meaning: "A stop threw `error`, or did not end within `seconds`. The process ends all the same.",
    action: "Report it if it repeats. Nothing that was acknowledged is lost.",
  },
  "service_drain.failed": {
    level: "error",
    meaning:
      "`left` calls of `service` had not ended when the stop had waited long enough. They were cut off.",
    action: "Nothing: callers repeat what may be repeated.",
  },
  "call.timed_out": {
    level: "warn",
    meaning: "A call of `action` had no answer within `timeout` milliseconds.",
    action: "Check whether the node `nodeID` runs and how busy its processor is.",
  },
  "event_loop.blocked": {
    level: "warn",
    meaning: "One piece of work kept the process from everything else for `ms` milliseconds.",
    action: "See [what holds the event loop](../operations/monitoring.md#what-holds-the-event-loop).",
  },
  "disk.failed": {
    level: "error",
    meaning:
      "The disk of `DATA_DIR` is `kind`: full, read-only, slow, or failing. Requests that must store something get 503 with the cause. Once for each episode.",
    action: "See [a disk in trouble](../operations/storage.md#a-disk-in-trouble).",
  },
  "disk.recovered": {
    level: "info",
    meaning: "The disk of `DATA_DIR` takes files again, `seconds` after `disk.failed`.",
    action: nothing,
  },
  "gauge_read.failed": {
    level: "warn",
    meaning: "The metric `gauge` could not be read, so this answer lacks it.",
    action: "Look at the store of the service, which most gauges read.",
  },
  "spans.dropped": {
    level: "warn",
    meaning: "`spans` spans were dropped because the collector of traces was away for too long.",
    action: "Look at the collector, or set `OTEL_TRACES_SAMPLER_ARG` to a smaller share.",
  },
  "trace_export.failed": {
    level: "warn",
    meaning: "The collector of traces did not take the spans. They wait and are sent again.",
    action: "Check `OTEL_EXPORTER_OTLP_ENDPOINT` and the collector.",
  },
  "trace_export.refused": {
    level: "warn",
    meaning: "The collector of traces refused the spans with `status`. They are dropped.",
    action: "Check `OTEL_EXPORTER_OTLP_HEADERS` and what the collector accepts.",
  },
  "egress.refused": {
    level: "warn",
    meaning:
      "The egress guard refused the address `host`, and a setting could permit it. Once per host and minute; `unlogged` is the number of further hosts.",
    action: "Set what `permittedBy` says if the address is yours; otherwise nothing.",
  },
  "blobs.deleted": {
    level: "info",
    meaning: "`removed` expired binary results (screenshots) were deleted.",
    action: nothing,
  },
  "blob_cleanup.failed": {
    level: "error",
    meaning: "Expired binary results could not be deleted.",
    action: retried,
  },
  "event_log.failed": {
    level: "error",
    meaning:
      "The event log of a cluster could not be read or written, or too few replicas of Redis confirm it.",
    action: "Check the server at `REDIS_URL`, and its replicas where `error` names `REDIS_REPLICAS`.",
  },
  "history_content.failed": {
    level: "error",
    meaning: "A version of a source cannot be read: the file or blob of its content is damaged or gone.",
    action:
      "Check the disk of `DATA_DIR`; in a cluster, the bucket or MongoDB. The versions after it are kept whole.",
  },
  "queue.failed": {
    level: "error",
    meaning: "The queue of jobs could not be read or written.",
    action: "Check the disk of `DATA_DIR`; in a cluster, the server at `REDIS_URL`.",
  },
  "frontier.failed": {
    level: "error",
    meaning: "The frontier, which keeps the pages of crawls, could not be read or written.",
    action: "Check the disk of `DATA_DIR`; in a cluster, the server at `REDIS_URL`.",
  },
  "leases.failed": {
    level: "error",
    meaning: "Leases could not be taken or renewed. Work that needs one passes to another node.",
    action: "Check the disk of `DATA_DIR`; in a cluster, the server at `REDIS_URL`.",
  },
  "limiter.failed": {
    level: "error",
    meaning: "The counts of rate limits could not be read or written.",
    action: "Check the server at `REDIS_URL`.",
  },
  "host_politeness.failed": {
    level: "error",
    meaning: "The pauses between requests to a host could not be read or written.",
    action: "Check the server at `REDIS_URL`.",
  },
} as const satisfies LogEventRows;
