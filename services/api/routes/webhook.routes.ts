import { listDeliveries, retryDelivery, showDelivery } from "../../contracts/deliveries.contract.ts";
import {
  changeWebhook,
  getWebhook,
  listWebhooks,
  registerWebhook,
  removeWebhook,
  replayWebhook,
  testWebhook,
} from "../../contracts/webhook-dispatcher.contract.ts";
import type { Route } from "./route.ts";

const common = { auth: "key", tag: "Webhook", status: 200 } as const;

const example = {
  id: "01JQ4T5W6X7Y8Z9ABCDEFGHJKM",
  apiKey: "mk_…",
  name: "production",
  url: "https://example.com/hooks/magpie",
  status: "ACTIVE",
  ordering: "conversation",
  batch: null,
};

const { apiKey: _apiKey, ...shown } = example;
export const stateExample = {
  ...shown,
  destination: null,
  enabled: true,
  event_types: ["rss.item.created", "web.page.changed"],
  sources: null,
  tags: ["work"],
  meaningful: false,
  headers: { authorization: "•••" },
  format: "standard",
  template: null,
  filter: null,
  filter_problem: null,
  transform: null,
  rate: null,
  fallback: null,
  falls_back: false,
  metadata: null,
  asymmetric: false,
  public_keys: [],
  timeout_ms: 5000,
  client_certificate: null,
  digest: null,
  monitor: null,
  waiting: 0,
  failures: 0,
  next_attempt_at: null,
  held: null,
};

export const bodyExample = {
  id: "evt_01JQ4T5W6X7Y8Z9ABCDEFGHJKM",
  type: "webhook.test",
  timestamp: "2025-03-25T09:30:00.000Z",
  seq: 7,
  data: { source: null },
};

const registered = (message: string) => ({
  data: { ...example, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" },
  message,
});

export const attemptExample = {
  id: "01JQ4T5W6X7Y8Z9ABCDEFGHJKP",
  webhook_id: example.id,
  event_id: bodyExample.id,
  type: bodyExample.type,
  seq: bodyExample.seq,
  url: example.url,
  attempt: 1,
  outcome: "failed",
  http_status: 503,
  error: "status_503",
  duration_ms: 41,
  answer: "Down for maintenance.",
  at: "2025-03-25T09:30:00.120Z",
};

export const webhookRoutes: Route[] = [
  {
    ...common,
    name: "listWebhooks",
    scopes: ["read", "webhooks"],
    method: "GET",
    path: "/webhooks",
    action: listWebhooks,
    summary: "List webhooks and how their deliveries go",
    description: "A key has up to 20 webhooks. The first one is also `/webhook`.",
    responses: {
      200: {
        description: "The webhooks of the calling key.",
        example: {
          data: [stateExample],
          next_cursor: null,
          message: "Webhooks listed.",
        },
      },
    },
  },
  {
    ...common,
    name: "getWebhook",
    scopes: ["read", "webhooks"],
    method: "GET",
    path: "/webhook",
    action: getWebhook,
    summary: "Show the registered URL",
    description: "`message` is present when none is registered, or when it is `FAILED`.",
    responses: {
      200: {
        description: "The URL, or null when none is registered.",
        example: { data: example.url },
      },
    },
  },
  {
    ...common,
    name: "setWebhook",
    scopes: ["webhooks"],
    method: "POST",
    path: "/webhook",
    action: registerWebhook,
    summary: "Register a URL",
    description:
      "The first webhook of the key: a new URL overwrites the old. `POST /webhooks` adds others. The status becomes `ACTIVE`, and events that were kept " +
      "while it was `FAILED` are delivered first. Deliveries are signed as Standard Webhooks specifies.",
    examples: {
      plain: { url: example.url },
      named: { url: example.url, name: "production" },
      batches: { url: example.url, batch: { max_events: 200, max_wait_ms: 500 } },
    },
    responses: {
      200: {
        description: "It replaces the previous one.",
        example: registered("The webhook is registered in place of the former one."),
      },
      201: {
        description: "The key had none before.",
        example: registered("The webhook is registered."),
      },
    },
    errors: ["invalid_url", "url_not_allowed"],
  },
  {
    ...common,
    name: "changeWebhook",
    scopes: ["webhooks"],
    method: "PATCH",
    path: "/webhook",
    action: changeWebhook,
    summary: "Change or restart the webhook",
    description:
      "The body may be empty. The status becomes `ACTIVE`. After `rotate_secret` deliveries carry signatures with the " +
      "new and the old secret for 24 hours.",
    examples: {
      "start again": {},
      rename: { name: "staging" },
      "new secret": { rotate_secret: true },
      "many at a time": { ordering: "none" },
      "no batches": { batch: null },
    },
    responses: {
      200: {
        description: "The webhook as it is now.",
        example: { data: example, message: "The webhook is active." },
      },
    },
    errors: ["not_found", "invalid_url", "url_not_allowed"],
  },
  {
    ...common,
    name: "deleteWebhook",
    scopes: ["webhooks"],
    method: "DELETE",
    path: "/webhook",
    action: removeWebhook,
    summary: "Remove the webhook",
    description: "Nothing is delivered any more. The streams still carry the events.",
    responses: {
      200: {
        description: "It is gone.",
        example: { message: "The webhook is removed." },
      },
    },
    errors: ["not_found"],
  },
  {
    ...common,
    name: "listDeliveries",
    scopes: ["read", "webhooks"],
    method: "GET",
    path: "/webhook/deliveries",
    action: listDeliveries,
    summary: "List attempts to deliver",
    description:
      "Of all webhooks of the key, newest first. `next_cursor` leads to older ones; null at the end.",
    responses: {
      200: {
        description: "One page of attempts.",
        example: { data: [attemptExample], next_cursor: null, message: "Deliveries listed." },
      },
    },
  },
  {
    ...common,
    name: "getDelivery",
    scopes: ["read", "webhooks"],
    method: "GET",
    path: "/webhook/deliveries/{id}",
    action: showDelivery,
    summary: "Show an attempt and what was sent",
    description: "Attempts are kept for 72 hours.",
    responses: {
      200: {
        description: "The attempt.",
        example: { data: { ...attemptExample, body: bodyExample }, message: "Delivery found." },
      },
    },
    errors: ["not_found"],
  },
  {
    ...common,
    name: "retryDelivery",
    scopes: ["webhooks"],
    method: "POST",
    path: "/webhook/deliveries/{id}/retry",
    action: retryDelivery,
    status: 202,
    summary: "Deliver one event again",
    description:
      "Sends the event of this attempt once more, alone and with the same `webhook-id`, and answers when the receiver has. " +
      "It works for a `FAILED` webhook, too, and does not change its status. The order of other events and their retries stay as " +
      "they are. 410 when the event is no longer kept.",
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
    name: "testWebhook",
    scopes: ["webhooks"],
    method: "POST",
    path: "/webhook/test",
    action: testWebhook,
    summary: "Send a test event",
    description: "Sends the event `webhook.test` the way that every other event goes.",
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
    name: "replayDeliveries",
    scopes: ["webhooks"],
    method: "POST",
    path: "/webhook/replay",
    action: replayWebhook,
    summary: "Deliver again",
    description:
      "Delivers the events since a time again, with the same ids. Events are kept for 72 hours, or longer where the operator has set it.",
    examples: { since: { since: "2025-03-25T09:00:00Z" } },
    responses: {
      200: {
        description: "The events are queued.",
        example: { data: { events: 12 }, message: "12 events are delivered again." },
      },
    },
    errors: ["not_found"],
  },
];
