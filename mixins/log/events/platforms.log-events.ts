import { type LogEventRows, nothing, retried } from "./log-event.ts";

/** Events of the service `connectors`: social networks, and hubs of feeds. */
export const platformLogEvents = {
  "platform.connected": {
    level: "info",
    meaning: "Posts of a network arrive live.",
    action: nothing,
  },
  "platform.disconnected": {
    level: "warn",
    meaning: "The live connection to a network broke. Its sources are polled until it is back.",
    action: "If no `platform.connected` follows, do what `reason` says.",
  },
  "platform.failed": {
    level: "error",
    meaning: "A network refuses live posts, or a server of the cluster is away. It is tried again later.",
    action: "Check the credentials that `error` names.",
  },
  "driver_open.failed": {
    level: "error",
    meaning: "The driver of a network could not be opened, so its sources cannot be tracked.",
    action: "Correct the setting that `error` names, then restart.",
  },
  "driver_close.failed": {
    level: "warn",
    meaning: "The driver of a network could not be closed before another process opens it.",
    action: nothing,
  },
  "post_ingest.failed": {
    level: "warn",
    meaning: "Posts that came live could not be kept. A poll of the source reads them again.",
    action: "Check whether the service `tracker` runs and its store can be written.",
  },
  "gap_poll.failed": {
    level: "debug",
    meaning: "Polls of sources that may have missed posts could not be requested. They are requested again.",
    action: nothing,
  },
  "tracked_list.failed": {
    level: "debug",
    meaning: "The list of tracked sources could not be read. It is read again.",
    action: nothing,
  },
  "follow_list.failed": {
    level: "debug",
    meaning: "The list of followed accounts could not be read. It is read again.",
    action: nothing,
  },
  "follow_repair.failed": {
    level: "debug",
    meaning: "An account that is tracked and not followed could not be followed.",
    action: nothing,
  },
  "websub_subscription.requested": {
    level: "info",
    meaning: "A WebSub hub was asked to send changes of a feed, or to stop sending them (`wants`).",
    action: nothing,
  },
  "websub_subscription.verified": {
    level: "info",
    meaning: "A WebSub hub sends changes of a feed for `leaseSeconds`.",
    action: nothing,
  },
  "websub_subscription.refused": {
    level: "warn",
    meaning: "A WebSub hub refused a subscription. The feed is polled as usual.",
    action: nothing,
  },
  "websub_subscription.failed": {
    level: "warn",
    meaning: "A subscription to a WebSub hub could not be stored or read. The feed is polled as usual.",
    action: "Check the disk of `DATA_DIR`; in a cluster, the server at `MONGO_URL`.",
  },
  "websub_request.failed": {
    level: "warn",
    meaning: "A WebSub hub could not be reached. The feed is polled as usual.",
    action: nothing,
  },
  "websub_delivery.refused": {
    level: "warn",
    meaning: "A delivery of a WebSub hub was ignored: its signature is wrong, or nothing was subscribed.",
    action: nothing,
  },
  "discord_event.failed": {
    level: "warn",
    meaning: "A message of Discord's gateway could not be handled. A poll reads what is missing.",
    action: "Report the line if it repeats.",
  },
  "discord_threads.refused": {
    level: "debug",
    meaning: "The bot may not list the threads of a server.",
    action: "Give the bot the permission to view channels, if threads matter.",
  },
  "discord_content.refused": {
    level: "warn",
    meaning: "The bot may not read the text of messages.",
    action: "Do what `advice` says.",
  },
  "x_rules.refused": {
    level: "warn",
    meaning: "X did not accept some or all rules of the live stream. Their accounts are polled.",
    action: "Look at `first` or `reason`: most often the plan has fewer rules than accounts.",
  },
  "x_follow.refused": {
    level: "warn",
    meaning: "X refuses to follow an account. Its posts arrive all the same.",
    action: "Check `X_ACCESS_TOKEN` and what the plan allows.",
  },
  "telegram_connection.failed": {
    level: "warn",
    meaning: "There is no live connection to Telegram. Its sources are polled until it is back.",
    action: "If it lasts, check the session of the account with `npx magpie telegram:login`.",
  },
  "telegram_client.failed": {
    level: "warn",
    meaning: "Telegram's client reported an error.",
    action: retried,
  },
  "telegram_updates.failed": {
    level: "warn",
    meaning: "New messages of a channel could not be read live. A poll reads them.",
    action: nothing,
  },
  "telegram_gap.failed": {
    level: "warn",
    meaning: "A poll of channels that may have missed messages could not be requested.",
    action: "Check whether the service `tracker` runs.",
  },
  "telegram_join.refused": {
    level: "warn",
    meaning: "The account could not join a channel, so its messages are read by polls only.",
    action: "Look at `reason`: the account may be in too many channels.",
  },
  "telegram_preview.failed": {
    level: "debug",
    meaning: "The public preview of a channel could not be read. It is read again.",
    action: nothing,
  },
  "bluesky_message.failed": {
    level: "warn",
    meaning: "A message of Bluesky's relay could not be read and was skipped.",
    action: "Report the line if it repeats.",
  },
  "bluesky_commit.failed": {
    level: "warn",
    meaning: "The posts of a message of Bluesky's relay could not be read. A poll of the account reads them.",
    action: "Report the line if it repeats.",
  },
  "bluesky_notifications.refused": {
    level: "warn",
    meaning: "An account of Bluesky does not allow to be notified of its posts. They arrive all the same.",
    action: nothing,
  },
} as const satisfies LogEventRows;
