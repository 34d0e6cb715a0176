import { listEndpointDeliveries, retryEndpointDelivery } from "../../contracts/deliveries.contract.ts";
import { keyScopes } from "../../contracts/key-scopes.ts";
import {
  changeEndpoint,
  createEndpoint,
  getEndpoint,
  removeEndpoint,
  replayEndpoint,
  testEndpoint,
  testTransform,
  webhookKeys,
} from "../../contracts/webhook-dispatcher.contract.ts";
import { eventCatalogue } from "../openapi/event-types.ts";
import type { Route } from "./route.ts";
import { attemptExample, bodyExample, stateExample } from "./webhook.routes.ts";

const common = { auth: "key", tag: "Webhook", status: 200 } as const;

const { id: _id, ...filtered } = stateExample;
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** The webhooks of a key, one by one. */
export const webhookEndpointRoutes: Route[] = [
  {
    ...common,
    name: "createEndpoint",
    scopes: ["webhooks"],
    method: "POST",
    path: "/webhooks",
    action: createEndpoint,
    status: 201,
    idempotent: true,
    summary: "Add a webhook",
    description:
      "A key has up to 20. Each gets the events that it wants, from now on, in its own order and at its own pace. Deliveries " +
      "are signed as Standard Webhooks specifies, with a secret of its own.",
    examples: {
      "of a tag": { url: filtered.url, event_types: filtered.event_types, tags: filtered.tags },
      "with a header": { url: filtered.url, headers: { authorization: "Bearer …" } },
      "by mail": { url: "mailto:person@example.com", tags: filtered.tags, digest: "1h" },
      "into files": { destination: { type: "folder", path: "shop" }, tags: filtered.tags },
      "with a filter and a body of your own": {
        url: filtered.url,
        event_types: ["microblog.post.created"],
        filter: "$.data.post.legacy.favorite_count > 100",
        transform: '{"text": data.post.legacy.full_text, "by": data.source.username}',
      },
      "of some sources": { url: filtered.url, sources: ["7e0d9f3a-5c11-4f9e-8d2b-1a2b3c4d5e6f"] },
    },
    responses: {
      201: {
        description: "The webhook; `secret` is shown here only.",
        example: { data: { ...stateExample, secret }, message: "The webhook is registered." },
      },
    },
    errors: ["invalid_url", "url_not_allowed", "key_limit_reached", "mail_unavailable"],
  },
  {
    ...common,
    name: "getEndpoint",
    scopes: ["read", "webhooks"],
    method: "GET",
    path: "/webhooks/{id}",
    action: getEndpoint,
    summary: "Show a webhook and how its deliveries go",
    description:
      "`waiting` counts what the webhook wants among its next 200 events, and everything after those.",
    responses: {
      200: {
        description: "The webhook.",
        example: { data: stateExample, message: "Webhook found." },
      },
    },
    errors: ["not_found"],
  },
  {
    ...common,
    name: "changeEndpoint",
    scopes: ["webhooks"],
    method: "PATCH",
    path: "/webhooks/{id}",
    action: changeEndpoint,
    summary: "Change, restart or disable a webhook",
    description:
      "What is not named stays. A `FAILED` webhook becomes `ACTIVE`, and what was kept is delivered first. A changed filter applies to " +
      "everything that is not delivered yet; what the former one left out stays out.",
    examples: {
      "start again": {},
      "another filter": { event_types: null, tags: ["home"] },
      disable: { enabled: false },
      "new secret": { rotate_secret: true },
      "no headers": { headers: null },
    },
    responses: {
      200: {
        description: "The webhook as it is now.",
        example: { data: stateExample, message: "The webhook is active." },
      },
    },
    errors: ["not_found", "invalid_url", "url_not_allowed", "mail_unavailable"],
  },
  {
    name: "webhookKeys",
    auth: "none",
    tag: "Webhook",
    status: 200,
    method: "GET",
    path: "/.well-known/webhooks/keys/{id}",
    action: webhookKeys,
    summary: "Show the public keys of a webhook",
    description:
      "Of a webhook with `asymmetric`: what checks its signatures `v1a`. After a new secret there are two for 24 hours. Anybody may ask.",
    responses: {
      200: {
        description: "The keys.",
        example: { keys: ["whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="] },
      },
    },
    errors: ["not_found"],
  },
  {
    ...common,
    name: "deleteEndpoint",
    scopes: ["webhooks"],
    method: "DELETE",
    path: "/webhooks/{id}",
    action: removeEndpoint,
    summary: "Remove one webhook",
    description: "Nothing is delivered to it any more. Other webhooks and the streams still get the events.",
    responses: {
      200: { description: "It is gone.", example: { message: "The webhook is removed." } },
    },
    errors: ["not_found"],
  },
  {
    ...common,
    name: "listEndpointDeliveries",
    scopes: ["read", "webhooks"],
    method: "GET",
    path: "/webhooks/{id}/deliveries",
    action: listEndpointDeliveries,
    summary: "List attempts to deliver to one webhook",
    description:
      "Newest first. A page may be short before the end: the list ends where `next_cursor` is null.",
    responses: {
      200: {
        description: "One page of attempts.",
        example: { data: [attemptExample], next_cursor: null, message: "Deliveries listed." },
      },
    },
    errors: ["not_found"],
  },
  {
    ...common,
    name: "retryEndpointDelivery",
    scopes: ["webhooks"],
    method: "POST",
    path: "/webhooks/{id}/deliveries/{delivery_id}/retry",
    action: retryEndpointDelivery,
    status: 202,
    summary: "Deliver one event to one webhook again",
    description:
      "As `POST /webhook/deliveries/{id}/retry`, for an attempt of this webhook. 404 for an attempt of another one.",
    responses: {
      202: {
        description: "The event was sent, and the attempt is listed.",
        example: {
          data: {
            event_id: attemptExample.event_id,
            delivery_id: "01JQ4T5W6X7Y8Z9ABCDEFGHJKQ",
            outcome: "succeeded",
          },
          message: "The receiver has taken the event.",
        },
      },
    },
    errors: ["not_found", "expired"],
  },
  {
    ...common,
    name: "testEndpoint",
    scopes: ["webhooks"],
    method: "POST",
    path: "/webhooks/{id}/test",
    action: testEndpoint,
    summary: "Send a test event to one webhook",
    description:
      "Sends the event `webhook.test` to this webhook alone, whatever its filter is. Where others wait for a digest, it is " +
      "sent at once, by itself.",
    responses: {
      200: {
        description: "The event is queued.",
        example: {
          data: { event_id: "evt_01JQ4T5W6X7Y8Z9ABCDEFGHJKM" },
          message: "The test event is on its way.",
        },
      },
    },
    errors: ["not_found"],
  },
  {
    ...common,
    name: "testTransform",
    scopes: ["webhooks"],
    method: "POST",
    path: "/webhooks/{id}/transform/test",
    action: testTransform,
    summary: "Try a filter and a transform on an event",
    description:
      "Evaluates the JSONata of this webhook, or what the request has in its place, on an event that the key has. Nothing is sent, and " +
      "nothing changes. An expression that fails for the event is no error of the request: the answer says why. One that is not JSONata is a 400.",
    examples: {
      "its own, on the latest event": {},
      "another one": { transform: '{"text": type}' },
    },
    responses: {
      200: {
        description: "What would be sent.",
        example: {
          data: {
            event: bodyExample,
            passes: true,
            filter_problem: null,
            content_type: "application/json",
            body: '{"text":"webhook.test"}',
            transform_problem: null,
          },
          message: "The event would be delivered.",
        },
      },
    },
    errors: ["not_found"],
  },
  {
    ...common,
    name: "replayEndpoint",
    scopes: ["webhooks"],
    method: "POST",
    path: "/webhooks/{id}/replay",
    action: replayEndpoint,
    summary: "Deliver events to one webhook again",
    description:
      "Of the events that the webhook wants, with the same ids. `since` alone delivers everything since then. With `until`, " +
      "`event_ids` or `event_types` it chooses up to 1,000 events, all of which must fit; more are a 400. Events are kept for 72 hours, or longer where the operator has set it.",
    examples: {
      since: { since: "2025-03-25T09:00:00Z" },
      "some types": {
        since: "2025-03-25T09:00:00Z",
        until: "2025-03-25T10:00:00Z",
        event_types: ["web.page.changed"],
      },
      "some events": { event_ids: ["evt_01JQ4T5W6X7Y8Z9ABCDEFGHJKM"] },
    },
    responses: {
      200: {
        description: "The events are queued.",
        example: { data: { events: 12 }, message: "These events will be delivered again, in order." },
      },
    },
    errors: ["not_found"],
  },
  {
    ...common,
    name: "listEventTypes",
    scopes: keyScopes,
    method: "GET",
    path: "/event-types",
    action: eventCatalogue,
    summary: "List the types of events",
    description: "What webhooks receive and streams carry, with the JSON Schema of each type and an example.",
    responses: {
      200: {
        description: "Every type of event.",
        example: { data: [], next_cursor: null, message: "Types of events listed." },
      },
    },
  },
];
