import { meaningful } from "../../contracts/endpoint-options.ts";
import { readEventsTool } from "../mcp/tools.ts";
import { checkParams } from "../request/check-params.ts";
import { allEventsParams } from "../streams/all-events.ts";
import { streamFrame, streamScopes } from "../streams/protocol.ts";
import { type EventsRequest, eventPage, readEvents, readEventsParams } from "../streams/read-events.ts";
import type { Route } from "./route.ts";

const params = {
  $$strict: true,
  after: {
    type: "number",
    integer: true,
    min: 0,
    optional: true,
    description: "Starts after the event with this `seq`. Without it the stream has live events only.",
  },
  meaningful,
} as const;

const common = { method: "GET", auth: "key", tag: "Stream", status: 200 } as const;

const endless = {
  description: "An endless stream.",
  type: "text/event-stream",
  example: 'id: 7\ndata: {"id":"evt_01JQ4T5W6X7Y8Z9ABCDEFGHJK7","type":"webhook.test","seq":7}\n\n',
};

export const streamRoutes: Route[] = [
  {
    ...common,
    name: "openStream",
    scopes: streamScopes,
    path: "/stream",
    action: {
      kind: "key-events",
      params,
      otherwise: "Connect with a WebSocket, or read server-sent events at /stream/sse.",
    },
    status: 101,
    summary: "Events over a WebSocket",
    description: `Send the key in \`x-api-key\`, as \`Authorization: Bearer\` or, from browsers, in a first frame \`{"type":"auth","key":"…"}\` within 5 seconds; never in the URL.

Frames are JSON: \`{"type":"hello","seq","oldest_seq","heartbeat_ms"}\` once, \`{"type":"event","event"}\` with the same body that webhooks carry, and \`{"type":"error","code","message"}\` before a close. Frames from the client are not needed.

Keep the \`seq\` of the last event and connect again with \`?after=\`: nothing is lost or repeated. Events are kept for 72 hours, or longer where the operator has set it.

| close | meaning |
|---|---|
| 1001 | The service is stopping. Connect again, after the last event. |
| 1011, 1013 | An error on our side, or too much load. Connect again later. |
| 4400 | \`after\` is ahead of the newest event. |
| 4401 | No valid key, or the key was deleted. |
| 4408 | Events were taken too slowly. Connect again, after the last one. |
| 4410 | \`cursor_too_old\`: the events after \`after\` have expired; the error frame gives \`oldest_seq\`. |
| 4429 | The key is over its rate limit. |

A request without an upgrade that accepts \`text/event-stream\` gets the same events as server-sent events, as at \`/stream/sse\`.`,
    responses: {
      101: {
        description: "The connection is now a WebSocket. Each of its frames is such an object.",
        schema: streamFrame,
        example: { type: "hello", seq: 7, oldest_seq: 1, heartbeat_ms: 25_000 },
      },
      200: { ...endless, description: "Server-sent events, for a request that accepts them." },
    },
    errors: ["expired"],
  },
  {
    ...common,
    name: "streamEvents",
    scopes: streamScopes,
    path: "/stream/sse",
    action: { kind: "key-events", params },
    summary: "Events as server-sent events",
    description:
      "The same events: `id` is the event's `seq`, `data` its body. The first message has the event type `hello`; when the " +
      "service ends the stream, the last one may have the type `error`. `Last-Event-ID` resumes like `after`, and takes " +
      "precedence over it. A position that has expired is 410 with `oldest_seq`.",
    responses: { 200: endless },
    errors: ["expired"],
  },
  {
    ...common,
    name: "readEvents",
    scopes: ["read"],
    path: "/events",
    action: {
      kind: "own",
      params: readEventsParams,
      result: eventPage,
      answer: async ({ streams }, params, { admission }, gone) => {
        const { keyId } = admission?.caller ?? {};
        if (keyId === undefined) throw new TypeError("events belong to a key");
        checkParams(readEventsParams, params);
        return { body: await readEvents(streams.context, keyId, params as EventsRequest, gone) };
      },
    },
    aliases: {
      type: "types",
      event_types: "types",
      source: "sources",
      tag: "tags",
      wait: "wait_seconds",
      cursor: "after",
    },
    tool: readEventsTool,
    summary: "Read events a page at a time",
    description:
      "The events of the streams, for programs that ask now and then: send `next_after` of each answer as `after` of the " +
      "next request, and nothing is lost or repeated. With `wait_seconds` a request waits for an event where there is none. " +
      "A position that has expired is a 410.\n\n" +
      "`types`, `sources` and `tags` leave events out: an event has one of the types, comes from one of the sources, and its " +
      "source has one of the tags. Give a name several times for several values. With `meaningful` what a judge has dismissed is " +
      "left out. `next_after` moves over what is left out, " +
      "and a request that waits ends with an event that is wanted, or with its time.",
    examples: {
      "what is new": { after: 6, wait_seconds: 20 },
      "of some sources": { after: 6, types: ["rss.item.created"], tags: ["birds"] },
    },
    responses: {
      200: {
        description: "The events after the position, the oldest first.",
        example: {
          data: [
            {
              id: "evt_01JQ4T5W6X7Y8Z9ABCDEFGHJK7",
              type: "webhook.test",
              timestamp: "2025-03-25T09:30:00.000Z",
              seq: 7,
              data: { source: null },
            },
          ],
          next_after: 7,
          next_cursor: null,
          more: false,
        },
      },
    },
    errors: ["expired"],
  },
  {
    name: "streamAllEvents",
    method: "GET",
    auth: "admin",
    tag: "Administration",
    status: 200,
    path: "/internal/events",
    action: { kind: "all-events", params: allEventsParams },
    aliases: { types: "type", event_types: "type", sources: "source" },
    summary: "Follow the events of all keys as server-sent events",
    description:
      "What is appended to the logs of all keys from now on: `data` is the event as `/stream/sse` has it, with `key_id` beside. " +
      "It is for watching: above 50 events a second the stream has a random part of them, and once a second the event `sampled` " +
      "says how many it had and of how many (`{sent, of}`, after the filters). It keeps no position, so nothing is resumed. With " +
      "`recent` it begins with the newest events that are there. It ends with the session that opened it.",
    responses: {
      200: {
        description: "An endless stream.",
        type: "text/event-stream",
        example:
          'data: {"key_id":"01JQ4T5W6X7Y8Z9ABCDEFGHJKM","id":"evt_01JQ4T5W6X7Y8Z9ABCDEFGHJK7","type":"webhook.test","seq":7}\n\nevent: sampled\ndata: {"sent":50,"of":731}\n\n',
      },
    },
  },
];
