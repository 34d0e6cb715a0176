import type { Format } from "../domain/delivery/formats/formats.ts";
import { type DestinationOptions, destinationRules } from "./destinations.ts";
import { eventTypes } from "./events.ts";
import { heldForQuota } from "./quotas.contract.ts";
import {
  checkedByService,
  count,
  type Infer,
  named,
  nullableText,
  type Rule,
  rule,
  text,
  time,
} from "./schema.ts";
import { tags } from "./source.ts";

/*
 * What a webhook endpoint is, as requests name it and as answers show it.
 */

export const webhookStatus = rule({
  type: "enum",
  values: ["ACTIVE", "FAILED", "DISABLED", "UNCONFIRMED"],
  description:
    "`ACTIVE`: events are sent. `FAILED`: it failed too often; a change starts it again. `DISABLED`: its owner has switched " +
    "it off. `UNCONFIRMED`: an address of mail whose owner has not agreed yet. In these three, events are kept for 72 hours.",
});

const whole = rule({ type: "number", integer: true });

/** The endpoint of a key. */
export const webhook = named("Webhook", {
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

export const secret = rule({ ...text, description: "`whsec_…`, for checking signatures. Shown here only." });

export const url = rule({
  type: "string",
  min: 1,
  max: 2048,
  description: "HTTPS endpoint that receives events.",
});
/** The same, where an address of mail is one as well. */
const urlOrMail = rule({
  ...url,
  description:
    "HTTPS endpoint that receives events, or `mailto:person@example.com`: its owner gets a mail and has to confirm first.",
});
const anyDestination: Rule = {
  type: "multi",
  discriminator: "type",
  rules: Object.values(destinationRules),
};

/** Where an endpoint without a URL writes to. */
const destination = {
  ...checkedByService<DestinationOptions>(anyDestination),
  optional: true,
  description:
    "In place of `url`: a folder, bucket or queue that takes the events. Secrets are encrypted at rest; answers show `•••` for each, and one that is sent so stays as it is.",
} as const;

export const digests = ["15m", "1h", "1d"] as const;
export type Digest = (typeof digests)[number];
export const name = rule({
  type: "string",
  trim: true,
  min: 1,
  max: 100,
  nullable: true,
  optional: true,
  description: "A label of your own; null for none.",
});
export const ordering = rule({
  type: "enum",
  values: ["conversation", "none"],
  optional: true,
  description:
    "`conversation` (the default): the events of a channel, chat, account, feed or page arrive one after another. " +
    "`none`: they are sent in the order of `seq`, many at a time, and may arrive in another order.",
});
export const batch = rule({
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

export const shownSecret = rule({ ...secret, optional: true });

export const rotateSecret = rule({
  type: "boolean",
  optional: true,
  description: "Makes a new secret; for 24 hours deliveries are signed with both.",
});

/** How many endpoints a key may have, and how many its monitors may have beside them. */
export const mostEndpoints = 20;
export const mostOfMonitors = 500;

/** The parameter that names an endpoint. */
export const endpointId = rule({ type: "string", min: 1, max: 64, description: "`id` of the webhook." });

const known: Record<Format, true> = {
  standard: true,
  firecrawl: true,
  cloudevents: true,
  "cloudevents-binary": true,
  slack: true,
  discord: true,
  ntfy: true,
  apprise: true,
  teams: true,
  telegram: true,
  matrix: true,
  pushover: true,
  gotify: true,
  text: true,
};
/** How the body of a delivery is written: as the domain can, no less and no more. */
export const formats = Object.keys(known) as Format[];

/** What a filter may ask of judgements. */
export const meaningful = rule({
  type: "boolean",
  optional: true,
  description:
    "True: without the changes that a judge has dismissed by the goal of their source. Events that are not judged, or were not in time, pass.",
});

const eventType = { type: "enum", values: eventTypes } as const;

/** Which events an endpoint wants; null, or left out, for all. */
const filters = {
  event_types: {
    type: "array",
    min: 1,
    max: eventTypes.length,
    unique: true,
    items: eventType,
    nullable: true,
    optional: true,
    description: "Only events of these types; null for all. `GET /event-types` lists them.",
  },
  sources: {
    type: "array",
    min: 1,
    max: 100,
    unique: true,
    items: { type: "string", min: 1, max: 64 },
    nullable: true,
    optional: true,
    description: "Only events of the sources with these ids; null for all.",
  },
  tags: {
    ...tags,
    min: 1,
    nullable: true,
    optional: true,
    description:
      "Only events of sources that have any of these tags of the key when the endpoint comes to them; null for all.",
  },
  meaningful: { ...meaningful, nullable: true },
} as const;

/** A JSONata expression. */
export const expression = { type: "string", min: 1, max: 4000, nullable: true, optional: true } as const;

const further = {
  filter: {
    ...expression,
    description:
      "A predicate in JSONata over the event, such as `$.data.post.legacy.favorite_count > 100`: only events for which it is true. " +
      "One for which it fails or takes too long is delivered. Null for none.",
  },
  transform: {
    ...expression,
    description:
      "JSONata that makes the body of a delivery from the event, or from the batch; an object or array is sent as JSON, a text as plain text. " +
      "With `standard` only. Null for none.",
  },
  headers: {
    type: "record",
    key: { type: "string", min: 1, max: 100 },
    value: { type: "string", empty: true, max: 4096 },
    nullable: true,
    optional: true,
    description:
      "Headers of your own, at most 50, sent with each delivery; answers show their names only. Null removes them.",
  },
  enabled: {
    type: "boolean",
    optional: true,
    description:
      "False: nothing is sent, and events are kept for 72 hours. True delivers what was kept first.",
  },
  format: {
    type: "enum",
    values: formats,
    optional: true,
    description:
      "How the body is written; `standard`, the default, is the event as JSON; `firecrawl` is for programs that take webhooks of Firecrawl, `cloudevents` and `cloudevents-binary` for those that take CloudEvents 1.0. Of mails: `standard` has text and HTML, `text` is " +
      "plain text; they take no other.",
  },
  template: {
    type: "string",
    min: 1,
    max: 4000,
    nullable: true,
    optional: true,
    description:
      "The text of a message, for mails and for formats other than `standard`; null for the usual one.",
  },
  metadata: {
    type: "object",
    nullable: true,
    optional: true,
    description:
      "With `firecrawl`: an object of your own, at most 4 KB as JSON, that each delivery carries as `metadata`.",
  },
  asymmetric: {
    type: "boolean",
    optional: true,
    description:
      "True: deliveries also have a signature `v1a` (Ed25519). Receivers check it with the public key, which cannot sign.",
  },
  timeout_ms: {
    type: "number",
    integer: true,
    min: 1_000,
    max: 30_000,
    nullable: true,
    optional: true,
    description: "How long an answer may take, 1,000 to 30,000 milliseconds; null for 5,000.",
  },
  client_certificate: {
    type: "object",
    name: "ClientCertificate",
    strict: true,
    nullable: true,
    optional: true,
    props: {
      certificate: {
        type: "string",
        min: 1,
        max: 32_768,
        description: "PEM: the certificate, and after it those of its issuers.",
      },
      private_key: {
        type: "string",
        min: 1,
        max: 16_384,
        description: "PEM, without a passphrase. Encrypted at rest; no answer shows it.",
      },
    },
    description: "What connections to the endpoint show where its TLS asks (mutual TLS). Null removes it.",
  },
  fallback: {
    type: "string",
    min: 1,
    max: 64,
    nullable: true,
    optional: true,
    description:
      "`id` of another webhook of the key, with a URL: while this one is `FAILED`, its events go there, one in a request, in their order. Null for none.",
  },
  rate: {
    type: "object",
    name: "WebhookRateOptions",
    strict: true,
    optional: true,
    nullable: true,
    props: {
      per_second: { type: "number", min: 0.01, max: 1000, description: "Events a second, 0.01 to 1,000." },
      burst: {
        type: "number",
        integer: true,
        min: 1,
        max: 1000,
        optional: true,
        description: "Events that may come at once after a pause; by default those of a second.",
      },
    },
    description:
      "The most events that are sent; those of a batch count each. Others wait in their order. Null for no limit.",
  },
  digest: {
    type: "enum",
    values: digests,
    nullable: true,
    optional: true,
    description:
      "For `mailto:` addresses: one mail per interval with all events in it. Null, the default: a mail for each event or batch.",
  },
} as const;

/** What a new endpoint with a URL may have. */
export const optionsOfUrl = { url: urlOrMail, name, ordering, batch, ...filters, ...further } as const;

/** What a new endpoint may have: `url` or `destination`, and what belongs to it. */
export const optionsOfEndpoint = {
  ...optionsOfUrl,
  url: { ...urlOrMail, optional: true, nullable: false },
  destination,
} as const;

/** What may change; what is not named stays. A null as `url` is refused, not taken for a field that was left out. */
export const changesOfEndpoint = { ...optionsOfEndpoint, rotate_secret: rotateSecret } as const;

const shown = { optional: false, nullable: true } as const;

/** An endpoint as its owner sees it. */
export const endpointState = named("WebhookState", {
  id: text,
  name: nullableText,
  url: { ...text, description: "Of a destination: where it is, without secrets." },
  destination: { ...destination, optional: false, nullable: true },
  status: webhookStatus,
  enabled: { type: "boolean", description: "False where `status` is `DISABLED`." },
  ordering: webhook.props.ordering,
  batch: webhook.props.batch,
  event_types: { ...filters.event_types, ...shown },
  sources: { ...filters.sources, ...shown },
  tags: { ...filters.tags, ...shown },
  meaningful: { ...meaningful, optional: false },
  headers: {
    type: "record",
    value: text,
    description: "The names of its own headers; each value reads `•••`.",
  },
  format: { ...further.format, optional: false },
  template: { ...nullableText, description: further.template.description },
  filter: { ...nullableText, description: further.filter.description },
  filter_problem: {
    ...named("FilterProblem", { message: text, at: time }),
    nullable: true,
    description:
      "Why `filter` failed for an event last, which was delivered then; null after a change of it.",
  },
  transform: { ...nullableText, description: further.transform.description },
  metadata: { ...further.metadata, optional: false },
  asymmetric: { ...further.asymmetric, optional: false },
  public_keys: {
    type: "array",
    items: text,
    description:
      "With `asymmetric`: the keys that check `v1a`, newest first, each `whpk_…`. `GET /.well-known/webhooks/keys/{id}` has them, too.",
  },
  fallback: { ...further.fallback, optional: false },
  falls_back: { type: "boolean", description: "It is `FAILED`, and its events go to `fallback` now." },
  rate: {
    ...named("WebhookRate", { per_second: { type: "number" }, burst: whole }),
    nullable: true,
    description: "The most events that are sent; null for no limit.",
  },
  timeout_ms: { ...whole, description: "How long an answer may take, in milliseconds." },
  client_certificate: {
    ...named("ShownClientCertificate", {
      subject: text,
      fingerprint: { ...text, description: "SHA-256 of the certificate." },
      expires_at: time,
    }),
    nullable: true,
  },
  digest: { ...further.digest, optional: false },
  monitor: { ...nullableText, description: "The monitor that it belongs to, and is removed with." },
  waiting: { ...count, description: "Events that wait for delivery." },
  failures: { ...count, description: "Failed attempts in a row." },
  next_attempt_at: { ...time, nullable: true, description: "Of a failing endpoint." },
  held: heldForQuota,
});
export type WebhookState = Infer<typeof endpointState>;
