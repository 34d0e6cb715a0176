import { type Event, type EventType, eventTypes } from "../../contracts/events.ts";
import { type Fields, list, named, object, rule, text, time, variants } from "../../contracts/schema.ts";
import { chatMessage, messengerMessage, microblogPost } from "../../contracts/social.ts";
import { source } from "../../contracts/source.ts";
import { eventExamples } from "./examples.ts";
import { answerSchema } from "./json-schema.ts";
import { type NamedParts, typeName } from "./named-parts.ts";

type Json = Record<string, unknown>;

const feedItem = rule({
  type: "object",
  name: "FeedItem",
  description:
    "Names as in JSON Feed 1.1. `content_html` is cleaned: no scripts, styles, event handlers or forms, links to the web " +
    "or a mail address only, all of them absolute.",
});

/** What an event of each type carries beside `source`. */
const dataOf: Record<EventType, Fields> = {
  "microblog.post.created": { post: microblogPost },
  "chatserver.message.created": { message: chatMessage },
  "messenger.message.created": { message: messengerMessage },
  "rss.item.created": { item: feedItem },
  "rss.item.updated": { item: feedItem },
  "web.page.changed": {
    change: named("PageChange", {
      previousHash: text,
      currentHash: text,
      title: text,
      added: {
        ...list(text),
        description: "New lines; where only the order changed, the lines that moved.",
      },
      removed: { ...list(text), description: "Removed lines, likewise." },
      diff: { ...text, description: "A unified diff." },
      url: text,
    }),
  },
  "source.failing": { reason: text },
  "source.recovered": { reason: text },
  "source.gone": { reason: text },
  "webhook.test": {},
};

const summaries: Record<EventType, string> = {
  "microblog.post.created": "An account has posted",
  "chatserver.message.created": "A chat server has a new message",
  "messenger.message.created": "A channel of the messenger has a new message",
  "rss.item.created": "A feed has a new item",
  "rss.item.updated": "An item of a feed has changed",
  "web.page.changed": "A page has changed",
  "source.failing": "A source cannot be read",
  "source.recovered": "A source can be read again",
  "source.gone": "A source will not come back",
  "webhook.test": "A test event, requested by POST /webhook/test",
};

/** An event of one type. */
const eventOf = (type: EventType) =>
  named(`${typeName(type)}Event`, {
    id: { ...text, description: "The same in every delivery of this event." },
    type: { type: "equal", value: type },
    timestamp: time,
    seq: { type: "number", integer: true, min: 1, description: "Counts per key, without gaps." },
    data: object({ source: { ...source, nullable: true }, ...dataOf[type] }),
  });

/** An event, as webhooks and streams carry it: `type` says which. */
export const anyEvent = variants<Event>("Event", "type", eventTypes.map(eventOf));

/** The schema of an event of one type. */
export const eventSchema = (type: EventType, names?: NamedParts): Json => answerSchema(eventOf(type), names);

const batch = named("EventBatch", {
  id: { ...text, description: "Computed from the events: the same in every delivery of this batch." },
  type: { type: "equal", value: "batch" },
  timestamp: { ...time, description: "That of the last event." },
  events: { ...list(anyEvent), min: 1, description: "In the order of `seq`." },
});

const itemExample = eventExamples["rss.item.created"];
const batchExample = {
  id: "bat_7Q1vXr0y8mM2c5dZtq3nWbKe",
  type: "batch",
  timestamp: itemExample.timestamp,
  events: [itemExample],
};

/** `webhooks` of OpenAPI 3.1: what the registered endpoint receives. */
export function webhookDocs(names: NamedParts): Json {
  const single = eventTypes.map(type => [
    type,
    { post: delivery(type, summaries[type], eventSchema(type, names), eventExamples[type]) },
  ]);
  const summary = "Several events in one request, for an endpoint with `batch`";
  return Object.fromEntries([
    ...single,
    ["batch", { post: delivery("batch", summary, answerSchema(batch, names), batchExample) }],
  ]);
}

function delivery(type: string, summary: string, schema: Json, example: object): Json {
  return {
    operationId: `on${typeName(type)}`,
    tags: ["Events"],
    summary,
    parameters: signatureHeaders,
    requestBody: {
      required: true,
      content: { "application/json": { schema, example } },
    },
    responses: {
      "2XX": { description: "Delivered. Anything else, a redirect too, is a failed attempt." },
      "404": {
        description: "Nothing more is sent until the webhook is registered or changed. 410 likewise.",
      },
    },
    security: [],
  };
}

/** Standard Webhooks 1.0. */
const signatureHeaders = [
  header("webhook-id", "The id of the event, or of the batch."),
  header("webhook-timestamp", "Seconds since 1970, when it was signed."),
  header(
    "webhook-signature",
    "`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; two while a secret changes.",
  ),
];

function header(name: string, description: string): Json {
  return { name, in: "header", required: true, description, schema: { type: "string" } };
}
