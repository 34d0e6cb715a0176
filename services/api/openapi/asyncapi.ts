import { type EventType, eventTypes } from "../../contracts/events.ts";
import { named, text } from "../../contracts/schema.ts";
import { atOrigin } from "../response/at-origin.ts";
import type { OwnAnswer } from "../routes/route.ts";
import { errorFrame, eventFrame, helloFrame } from "../streams/protocol.ts";
import { components, NamedParts, typeName } from "./components.ts";
import { packageVersion } from "./document.ts";
import {
  anyNotice,
  batch,
  batchExample,
  eventSchema,
  noticeExample,
  signatures,
  summaries,
} from "./events.ts";
import { eventExamples } from "./examples.ts";
import { answerSchema } from "./json-schema.ts";

type Json = Record<string, unknown>;

const authFrame = named("AuthFrame", {
  type: { type: "equal", value: "auth" },
  key: { ...text, description: "The API key; only where the request could not carry it in a header." },
});

const helloExample = { type: "hello", seq: 7, oldest_seq: 1, heartbeat_ms: 25_000 };

/** Where events begin in a stream. */
const streamQuery = {
  type: "object",
  properties: {
    after: { type: "integer", minimum: 0, description: "Events after the one with this `seq`." },
    meaningful: { type: "boolean", description: "Without events that a judge has dismissed." },
  },
};

/** Answers with the events as AsyncAPI: what webhooks receive, and what the two streams carry. */
export const asyncapi: OwnAnswer = {
  kind: "own",
  params: {},
  result: { type: "object" },
  answer: (context, _params, req) =>
    atOrigin(context, req, "asyncapi", {
      type: "application/json; charset=utf-8",
      write: origin => JSON.stringify(asyncApiDocument(origin)),
    }),
};

/**
 * The AsyncAPI 3.0 document of a gateway at this origin, from the schemas that the OpenAPI document has. Magpie is the
 * application, so its operations `send`.
 */
export function asyncApiDocument(origin: string): Json {
  const names = new NamedParts("schemas");
  const { host, protocol } = new URL(origin);
  const isSecure = protocol === "https:";
  const events = Object.fromEntries(eventTypes.map(type => [typeName(type), eventMessage(type, names)]));
  const messages = { ...events, ...otherMessages(names) };
  const document = {
    asyncapi: "3.0.0",
    info: {
      title: "Magpie",
      version: packageVersion(),
      description:
        "Events of tracked sources, as they are delivered. The same events reach webhooks, the WebSocket and server-sent events; each comes at least once, and its `id` is the same every time. Requests are described at `/openapi.json`.",
      license: { name: "MIT" },
    },
    defaultContentType: "application/json",
    servers: {
      http: { host, protocol: isSecure ? "https" : "http", security: keys },
      websocket: { host, protocol: isSecure ? "wss" : "ws", security: keys },
    },
    channels: {
      webhook: {
        address: null,
        description:
          "An endpoint of a key, as it was given to `POST /webhooks`. Requests are signed (Standard Webhooks).",
        messages: referTo([...Object.keys(events), "Batch", "JobNotice"]),
        bindings: { http: {} },
      },
      websocket: {
        address: "/stream",
        description: "Connect again with `after`, the `seq` of the last event: nothing is lost or repeated.",
        servers: [{ $ref: "#/servers/websocket" }],
        messages: referTo(["Hello", "EventFrame", "Error", "Auth"]),
        bindings: { ws: { method: "GET", query: streamQuery } },
      },
      sse: {
        address: "/stream/sse",
        description: "Server-sent events: `id` is the event's `seq`. `Last-Event-ID` resumes like `after`.",
        servers: [{ $ref: "#/servers/http" }],
        messages: referTo(["Hello", ...Object.keys(events), "Error"]),
      },
    },
    operations: {
      deliver: {
        ...operation("send", "webhook", "POSTs what is new"),
        bindings: { http: { method: "POST" } },
      },
      pushFrames: {
        ...operation("send", "websocket", "Sends what is new, one frame an event"),
        messages: ofChannel("websocket", ["Hello", "EventFrame", "Error"]),
      },
      authenticate: {
        ...operation(
          "receive",
          "websocket",
          "Takes the API key of a browser, as the first frame within 5 seconds",
        ),
        messages: ofChannel("websocket", ["Auth"]),
      },
      pushServerSentEvents: {
        ...operation("send", "sse", "Sends what is new"),
        bindings: { http: { method: "GET", query: streamQuery } },
      },
    },
    components: { messages, schemas: names.all(), securitySchemes },
  };
  return withoutDiscriminators(document);
}

function eventMessage(type: EventType, names: NamedParts): Json {
  return message(type, summaries[type], eventSchema(type, names), eventExamples[type]);
}

function otherMessages(names: NamedParts): Json {
  const schema = (rule: Parameters<typeof answerSchema>[0]) => answerSchema(rule, names);
  return {
    Batch: message("batch", "Several events in one request", schema(batch), batchExample),
    JobNotice: message("job", "A job has started or ended", schema(anyNotice), noticeExample),
    Hello: message("hello", "Where the log is, once at the start", schema(helloFrame), helloExample),
    EventFrame: message("event", "An event in a frame", schema(eventFrame), {
      type: "event",
      event: eventExamples["rss.item.created"],
    }),
    Error: message("error", "Why the stream ends, before it does", schema(errorFrame), {
      type: "error",
      code: "too_slow",
      message: "The client reads events too slowly. Connect again, after the last event you have.",
    }),
    Auth: message("auth", "The API key, from a browser", schema(authFrame), { type: "auth", key: "mk_…" }),
  };
}

function message(name: string, summary: string, payload: Json, example: object): Json {
  const isDelivered = !["hello", "event", "error", "auth"].includes(name);
  return {
    name,
    summary,
    payload,
    ...(isDelivered && { headers }),
    examples: [{ payload: example }],
  };
}

/** Standard Webhooks 1.0; streams carry none of them. */
const headers = {
  type: "object",
  description: "Of webhooks only.",
  properties: Object.fromEntries(
    Object.entries(signatures).map(([name, description]) => [name, { type: "string", description }]),
  ),
};

const { apiKey, bearer } = components.securitySchemes;
const securitySchemes = {
  apiKey: { type: "httpApiKey", in: apiKey.in, name: apiKey.name, description: apiKey.description },
  bearer,
};
const keys = Object.keys(securitySchemes).map(name => ({ $ref: `#/components/securitySchemes/${name}` }));

function operation(action: "send" | "receive", channel: string, summary: string): Json {
  return { action, channel: { $ref: `#/channels/${channel}` }, summary };
}

function referTo(names: string[]): Json {
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/messages/${name}` }]));
}

function ofChannel(channel: string, names: string[]): Json[] {
  return names.map(name => ({ $ref: `#/channels/${channel}/messages/${name}` }));
}

/** OpenAPI's objects that name a discriminator are no part of AsyncAPI, where it is a text. */
function withoutDiscriminators(document: Json): Json {
  const isOfOpenApi = (value: unknown) => typeof value === "object" && value !== null && "mapping" in value;
  return JSON.parse(
    JSON.stringify(document, (name, value) =>
      name === "discriminator" && isOfOpenApi(value) ? undefined : value,
    ),
  );
}
