import { action, type ParamsOf, repeatable } from "./action.ts";
import {
  batch,
  changesOfEndpoint,
  endpointId,
  endpointState,
  expression,
  name,
  optionsOfEndpoint,
  optionsOfUrl,
  ordering,
  rotateSecret,
  secret,
  shownSecret,
  url,
  webhook,
} from "./endpoint-options.ts";
import { eventTypes, jobNoticeTypes } from "./events.ts";
import { jobWebhookFormats } from "./page-options.ts";
import { pageOfShort, pageWith } from "./paging.ts";
import { named, nothing, nullableText, object, rule, text, withMessage } from "./schema.ts";

/** The URL of the calling key's webhook. */
export const getWebhook = repeatable("webhook-dispatcher.get", {
  params: {},
  result: object({ data: nullableText, message: { ...text, optional: true } }),
});

/** The endpoints of the calling key and how their deliveries go, the first one first. */
export const listWebhooks = repeatable("webhook-dispatcher.list", {
  params: pageOfShort,
  result: pageWith(endpointState),
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
    rotate_secret: rotateSecret,
  },
  result: withMessage(named("ChangedWebhook", { ...webhook.props, secret: shownSecret })),
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

/*
 * The endpoints of a key, one by one. The first one is also `/webhook`.
 */

/** Adds an endpoint. 403 `key_limit_reached` when the key has 20. `secret` is shown here only. */
export const createEndpoint = action("webhook-dispatcher.createEndpoint", {
  params: optionsOfEndpoint,
  result: withMessage(named("NewWebhookEndpoint", { ...endpointState.props, secret })),
});

export const getEndpoint = repeatable("webhook-dispatcher.getEndpoint", {
  params: { id: endpointId },
  result: withMessage(endpointState),
});

/** Changes an endpoint. It starts again unless it is, or becomes, disabled. */
export const changeEndpoint = action("webhook-dispatcher.changeEndpoint", {
  params: { id: endpointId, ...changesOfEndpoint },
  result: withMessage(named("ChangedWebhookEndpoint", { ...endpointState.props, secret: shownSecret })),
});

/** The public keys of an endpoint. */
export const webhookKeys = repeatable("webhook-dispatcher.keys", {
  params: { id: endpointId },
  result: named("WebhookKeys", {
    keys: { type: "array", items: text, description: "Newest first, each `whpk_…`." },
  }),
});

export const removeEndpoint = action("webhook-dispatcher.removeEndpoint", {
  params: { id: endpointId },
  result: object({ message: text }),
});

/*
 * The endpoints of monitors. They have places of their own, and `/webhook` never speaks of them. Not published.
 */

const ofMonitor = rule({ type: "string", min: 1, description: "`id` of the monitor." });

/** Adds an endpoint of a monitor. */
export const createMonitorEndpoint = action("webhook-dispatcher.createOfMonitor", {
  params: { monitor: ofMonitor, ...optionsOfUrl },
  result: object({ id: text, secret: text }),
});

/** Throws what would refuse such an endpoint; `more` new ones are to come. Nothing changes. */
export const admitMonitorEndpoint = repeatable("webhook-dispatcher.admitOfMonitor", {
  params: { more: { type: "number", integer: true, min: 0 }, ...optionsOfUrl },
  result: nothing,
});

/** Removes the endpoints of a monitor. */
export const removeMonitorEndpoints = repeatable("webhook-dispatcher.removeOfMonitor", {
  params: { keyId: { type: "string", min: 1 }, monitor: ofMonitor },
  result: nothing,
});

/** Appends a `webhook.test` event for this endpoint alone. */
export const testEndpoint = action("webhook-dispatcher.testEndpoint", {
  params: { id: endpointId },
  result: withMessage(object({ event_id: text })),
});

const tried = (what: string) => ({
  ...expression,
  description: `${what} Left out: the webhook's own; null: none.`,
});

/** Evaluates the expressions of an endpoint, or others, on an event of the key. Nothing is sent. */
export const testTransform = repeatable("webhook-dispatcher.testTransform", {
  params: {
    id: endpointId,
    event_id: {
      type: "string",
      min: 1,
      max: 64,
      optional: true,
      description: "An event of the key; left out: the latest that the webhook wants, whatever its `filter`.",
    },
    filter: tried("A predicate to try."),
    transform: tried("A transform to try."),
  },
  result: withMessage(
    named("TransformTest", {
      event: { type: "object", description: "The event." },
      passes: { type: "boolean", description: "Whether the event would be delivered." },
      filter_problem: { ...nullableText, description: "Why the predicate failed; the event passes then." },
      content_type: { ...nullableText, description: "Of the body; null where there is none." },
      body: { ...nullableText, description: "What would be sent; null where the transform fails." },
      transform_problem: { ...nullableText, description: "Why the transform failed." },
    }),
  ),
});

const moment = rule({ type: "string", min: 1, max: 40, optional: true, description: "ISO 8601." });

/** Which events are delivered again. */
export const replayChoice = {
  since: { ...moment, description: "Only events since this time, ISO 8601." },
  until: { ...moment, description: "Only events before this time, ISO 8601." },
  event_ids: {
    type: "array",
    min: 1,
    max: 100,
    unique: true,
    items: { type: "string", min: 1, max: 64 },
    optional: true,
    description: "Only these events.",
  },
  event_types: {
    type: "array",
    min: 1,
    max: eventTypes.length,
    unique: true,
    items: { type: "enum", values: eventTypes },
    optional: true,
    description: "Only events of these types.",
  },
} as const;

export const replayed = withMessage(object({ events: { type: "number", integer: true } }));

/** Delivers events again to one endpoint, of those that it wants. */
export const replayEndpoint = action("webhook-dispatcher.replayEndpoint", {
  params: { id: endpointId, ...replayChoice },
  result: replayed,
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
    /** Goes out as `data.metadata`. */
    metadata: { type: "object", optional: true },
    /** With `firecrawl` the job is the whole body, and the signature has Firecrawl's header, too. */
    format: { type: "enum", values: jobWebhookFormats, optional: true },
    /** ISO 8601. */
    timestamp: required,
  },
  result: nothing,
});
/** What is announced about a job. */
export type JobNotice = ParamsOf<typeof announceJob>;
