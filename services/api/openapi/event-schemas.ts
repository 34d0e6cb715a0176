import { type EventType, eventTypes } from "../../contracts/events.ts";
import { eventExamples } from "./event-examples.ts";
import { shape, source } from "./schemas.ts";
import { chatMessage, messengerMessage, microblogPost } from "./social-schemas.ts";

type Json = Record<string, unknown>;

const text = { type: "string" };

/** What an event of each type carries beside `source`. */
const dataOf: Record<EventType, Json> = {
  "microblog.post.created": { post: microblogPost },
  "chatserver.message.created": { message: chatMessage },
  "messenger.message.created": { message: messengerMessage },
  "rss.item.created": { item: { type: "object", description: "Names as in JSON Feed 1.1." } },
  "rss.item.updated": { item: { type: "object", description: "Names as in JSON Feed 1.1." } },
  "web.page.changed": {
    change: shape({
      previousHash: text,
      currentHash: text,
      title: text,
      added: { type: "array", items: text },
      removed: { type: "array", items: text },
      diff: { ...text, description: "Unified." },
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
  "webhook.test": "A test, asked for by POST /webhook/test",
};

export const eventSchema = (type: EventType): Json =>
  shape({
    id: { ...text, description: "The same in every delivery of this event." },
    type: { const: type },
    timestamp: { ...text, format: "date-time" },
    seq: { type: "integer", minimum: 1, description: "Counts per key, without gaps." },
    data: shape({ source: { anyOf: [source, { type: "null" }] }, ...dataOf[type] }),
  });

/** `webhooks` of OpenAPI 3.1: what the registered endpoint receives. */
export function webhookDocs(): Json {
  return Object.fromEntries(eventTypes.map(type => [type, { post: delivery(type) }]));
}

function delivery(type: EventType): Json {
  return {
    operationId: `on${type.replace(/(^|\.)(\w)/g, (_, _dot, letter: string) => letter.toUpperCase())}`,
    tags: ["Events"],
    summary: summaries[type],
    parameters: signatureHeaders,
    requestBody: {
      required: true,
      content: { "application/json": { schema: eventSchema(type), example: eventExamples[type] } },
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
  header("webhook-id", "The event's id."),
  header("webhook-timestamp", "Seconds since 1970, when it was signed."),
  header(
    "webhook-signature",
    "`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; two while a secret changes.",
  ),
];

function header(name: string, description: string): Json {
  return { name, in: "header", required: true, description, schema: text };
}
