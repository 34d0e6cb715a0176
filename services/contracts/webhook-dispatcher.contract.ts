import { action, type ParamsOf, repeatable } from "./action.ts";
import { jobNoticeTypes } from "./events.ts";
import {
  count,
  type Infer,
  list,
  named,
  nothing,
  nullableText,
  object,
  rule,
  text,
  time,
  withMessage,
} from "./schema.ts";

export const webhookStatus = rule({ type: "enum", values: ["ACTIVE", "FAILED"] });

const whole = rule({ type: "number", integer: true });

/** The endpoint of a key. */
const webhook = named("Webhook", {
  id: text,
  apiKey: { ...text, description: "The key value that it belongs to." },
  name: nullableText,
  url: text,
  status: webhookStatus,
  ordering: { type: "enum", values: ["conversation", "none"] },
  batch: {
    ...named("WebhookBatch", { max_events: whole, max_wait_ms: whole }),
    nullable: true,
    description: "Null: each event is sent in a request of its own.",
  },
});
export type Webhook = Infer<typeof webhook>;

const secret = rule({ ...text, description: "`whsec_…`, for checking signatures. Shown here only." });

const url = rule({ type: "string", min: 1, max: 2048, description: "HTTPS endpoint that receives events." });
const name = rule({
  type: "string",
  trim: true,
  min: 1,
  max: 100,
  nullable: true,
  optional: true,
  description: "A label of your own; null for none.",
});
const ordering = rule({
  type: "enum",
  values: ["conversation", "none"],
  optional: true,
  description:
    "`conversation` (the default): the events of a channel, chat, account, feed or page arrive one after another. " +
    "`none`: they are sent in the order of `seq`, many at a time, and may arrive in another order.",
});
const batch = rule({
  type: "object",
  name: "WebhookBatchOptions",
  strict: true,
  optional: true,
  nullable: true,
  props: {
    max_events: {
      type: "number",
      integer: true,
      min: 1,
      max: 1000,
      default: 100,
      description: "Events in one request, at most; by default 100. A body stays near 1 MB.",
    },
    max_wait_ms: {
      type: "number",
      integer: true,
      min: 0,
      max: 60_000,
      default: 1_000,
      description: "How long the first event of a batch waits for others; by default 1,000.",
    },
  },
  description: "Several events in one request: `{id, type: batch, timestamp, events}`. Null switches it off.",
});

/** The URL of the calling key's webhook. */
export const getWebhook = repeatable("webhook-dispatcher.get", {
  params: {},
  result: object({ data: nullableText, message: { ...text, optional: true } }),
});

const state = named("WebhookState", {
  id: text,
  name: nullableText,
  url: text,
  status: webhookStatus,
  ordering: webhook.props.ordering,
  batch: webhook.props.batch,
  waiting: { ...count, description: "Events that wait for delivery." },
  failures: { ...count, description: "Failed attempts in a row." },
  next_attempt_at: { ...time, nullable: true, description: "Of a failing endpoint." },
});
export type WebhookState = Infer<typeof state>;

/** The endpoints of the calling key and how their deliveries go: one, or none. */
export const listWebhooks = repeatable("webhook-dispatcher.list", {
  params: {},
  result: object({ data: list(state), next_cursor: nullableText, message: text }),
});

/** Registers or overwrites; 201 when new. `secret` is shown here only. */
export const registerWebhook = action("webhook-dispatcher.register", {
  params: { url, name, ordering, batch },
  result: withMessage(named("NewWebhook", { ...webhook.props, secret })),
});

/** Changes the webhook and starts it again. `secret` is there when `rotate_secret` made one. */
export const changeWebhook = action("webhook-dispatcher.change", {
  params: {
    // There is always a URL: a null is refused, not taken for a field that was left out.
    url: { ...url, optional: true, nullable: false },
    name,
    ordering,
    batch,
    rotate_secret: {
      type: "boolean",
      optional: true,
      description: "Makes a new secret; for 24 hours deliveries are signed with both.",
    },
  },
  result: withMessage(named("ChangedWebhook", { ...webhook.props, secret: { ...secret, optional: true } })),
});

export const removeWebhook = action("webhook-dispatcher.remove", {
  params: {},
  result: object({ message: text }),
});

/** Appends a `webhook.test` event to the key's log. */
export const testWebhook = action("webhook-dispatcher.test", {
  params: {},
  result: withMessage(object({ event_id: text })),
});

/** Delivers again what happened since, at most the retention. */
export const replayWebhook = action("webhook-dispatcher.replay", {
  params: { since: { type: "string", min: 1, max: 40, description: "ISO 8601." } },
  result: withMessage(object({ events: { type: "number", integer: true } })),
});

const required = rule({ type: "string", min: 1 });
const headers = rule({ type: "record", value: { type: "string", empty: true } });

/**
 * Checks the URL and the headers of a job's own webhook, and makes sure that the key has a secret to sign with. `secret`
 * is there only when this call made it: the caller shows it. Errors name `webhook.url` or `webhook.headers.<name>`. Not
 * published.
 */
export const prepareJobWebhook = action("webhook-dispatcher.prepareJob", {
  params: { keyId: required, url: required, headers: { ...headers, optional: true } },
  result: object({ secret: { ...text, optional: true } }),
});

/** Delivers a notice in at most five attempts. It is on disk when this resolves. Not published. */
export const announceJob = repeatable("webhook-dispatcher.announceJob", {
  params: {
    /** A notice with a known id is not delivered again. For example `scr_….completed`. */
    id: required,
    type: { type: "enum", values: jobNoticeTypes },
    keyId: required,
    url: required,
    headers,
    /** Goes out as `data.job`; cut where the body would be over 256 KB. */
    job: { type: "object" },
    /** ISO 8601. */
    timestamp: required,
  },
  result: nothing,
});
/** What is announced about a job. */
export type JobNotice = ParamsOf<typeof announceJob>;
