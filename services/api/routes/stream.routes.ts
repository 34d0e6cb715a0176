import { invalid } from "../../contracts/errors.ts";
import type { Route } from "../route.ts";
import { serveSse } from "../stream/serve-sse.ts";

const params = {
  $$strict: true,
  after: {
    type: "number",
    integer: true,
    min: 0,
    optional: true,
    description: "Begins strictly after the event with this `seq`. Without it the stream is live only.",
  },
};

const common = { method: "GET", auth: "key", tag: "Stream", status: 200 } as const;

export const streamRoutes: Route[] = [
  {
    ...common,
    path: "/stream",
    action: {
      params,
      answer: () => {
        throw invalid(
          "upgrade",
          "required",
          "Connect with a WebSocket, or read server-sent events at /stream/sse.",
        );
      },
    },
    status: 101,
    summary: "Events over a WebSocket",
    description: `The key goes into \`x-api-key\`, or, from browsers, into a first frame \`{"type":"auth","key":"…"}\` within 5 seconds; never into the URL.

Frames are JSON: \`{"type":"hello","seq","oldest_seq","heartbeat_ms"}\` once, \`{"type":"event","event"}\` with the same body that webhooks carry, and \`{"type":"error","code","message"}\` before a close. Frames from the client are not needed.

Keep the \`seq\` of the last event and connect again with \`?after=\`: nothing is lost or repeated. Events are kept for 72 hours.

| close | meaning |
|---|---|
| 1001 | The service stops. Connect again, after the last event. |
| 1011, 1013 | A fault on our side, or no room right now. Connect again later. |
| 4400 | \`after\` is ahead of the newest event. |
| 4401 | No valid key, or the key was deleted. |
| 4408 | Events were taken too slowly. Connect again, after the last one. |
| 4410 | \`cursor_too_old\`: what follows \`after\` has expired; the frame before tells \`oldest_seq\`. |
| 4429 | The key is over its rate limit. |`,
    responses: { 101: { description: "The connection is a WebSocket from here on." } },
  },
  {
    ...common,
    path: "/stream/sse",
    action: { params, stream: serveSse },
    summary: "Events as server-sent events",
    description:
      "The same events: `id` is the event's `seq`, `data` its body. The first message is of the event type `hello`, the " +
      "last before an end that is not the client's may be of the type `error`. `Last-Event-ID` resumes, as `after` does, " +
      "and stands above it. A position that has expired is 410 with `oldest_seq`.",
    responses: {
      200: {
        description: "A stream without an end.",
        type: "text/event-stream",
        example: 'id: 7\ndata: {"id":"evt_01JQ4T5W6X7Y8Z9ABCDEFGHJK7","type":"webhook.test","seq":7}\n\n',
      },
    },
    errors: ["expired"],
  },
];
