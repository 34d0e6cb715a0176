import { type LogEventRows, nothing, retried } from "./log-event.ts";

/** Events of the service `webhook-dispatcher`. */
export const webhooksLogEvents = {
  "delivery.attempted": {
    level: "debug",
    meaning: "An attempt to deliver an event ended with `outcome`.",
    action: nothing,
  },
  "digest.attempted": {
    level: "debug",
    meaning: "An attempt to deliver a digest of `events` events ended with `outcome`.",
    action: nothing,
  },
  "notice.attempted": {
    level: "debug",
    meaning: "An attempt to deliver the notice of a job ended with `outcome`.",
    action: nothing,
  },
  "notice.abandoned": {
    level: "info",
    meaning: "The notice of a job was not delivered and is not tried again.",
    action: "Tell the owner of the key, if the job matters.",
  },
  "webhook.failed": {
    level: "info",
    meaning: "An endpoint became `FAILED`. Its events are kept for 72 hours.",
    action: "Tell the owner of the key; see [webhooks](../guides/webhooks.md).",
  },
  "lane_store.failed": {
    level: "error",
    meaning: "The lanes `laneIds` could not be read or written. Their deliveries continue a moment later.",
    action: "Check the disk of `DATA_DIR`; in a cluster, the servers at `MONGO_URL` and `REDIS_URL`.",
  },
  "lane_maintenance.failed": {
    level: "error",
    meaning: "The regular check of lanes and old deliveries failed.",
    action: retried,
  },
  "webhook_store.failed": {
    level: "error",
    meaning: "The store of endpoints does not answer.",
    action: "Check the disk of `DATA_DIR`; in a cluster, the server at `MONGO_URL`.",
  },
  "attempt_list.failed": {
    level: "error",
    meaning:
      "`attempts` attempts could not be added to the list of deliveries. The deliveries themselves count.",
    action: "Check the disk of `DATA_DIR`; in a cluster, the server at `MONGO_URL`.",
  },
  "lane_thread.failed": {
    level: "error",
    meaning:
      "A thread that delivers ended, or was ended because it did not answer for 30 s. The main thread delivers in its place; what was under way is sent again.",
    action: "Report the line if it repeats.",
  },
  "notice_run.failed": {
    level: "warn",
    meaning: "A run of a job's notice ended with an error of Magpie. The queue runs it again.",
    action: retried,
  },
  "notice_repair.failed": {
    level: "warn",
    meaning: "Notices whose run was lost could not be queued again.",
    action: retried,
  },
  "mail_server.refused": {
    level: "warn",
    meaning: "The mail server refused the session before it saw a mail.",
    action: "Check `SMTP_URL` and `SMTP_FROM`; the answer of the server is in the line.",
  },
  "mail_confirmation.sent": {
    level: "info",
    meaning: "The mail that asks for consent was sent to the address of an endpoint.",
    action: nothing,
  },
  "mail_confirmation.failed": {
    level: "warn",
    meaning:
      "The mail that asks for consent could not be sent. It is tried again unless the address is wrong.",
    action: "Look at `answer`, which is the mail server's.",
  },
  "feed_ping.failed": {
    level: "warn",
    meaning: "A WebSub hub could not be notified of a change of an outgoing feed.",
    action: "Check the hub that `WEBSUB_HUB` names.",
  },
} as const satisfies LogEventRows;
