import {
  changeWebhook,
  getWebhook,
  listDeliveries,
  registerWebhook,
  removeWebhook,
  replayWebhook,
  testWebhook,
} from "../../contracts/webhook.contract.ts";
import { delivery, shape, webhook, withMessage } from "../openapi/schemas.ts";
import type { Route } from "../route.ts";

const common = { auth: "key", tag: "Webhook", status: 200 } as const;
const message = { type: "string" };
const secret = { type: "string", description: "`whsec_…`, for checking signatures. Shown here only." };

const example = {
  id: "01JQ4T5W6X7Y8Z9ABCDEFGHJKM",
  apiKey: "mk_…",
  name: "production",
  url: "https://example.com/hooks/magpie",
  status: "ACTIVE",
};

export const webhookRoutes: Route[] = [
  {
    ...common,
    method: "GET",
    path: "/webhook",
    action: getWebhook,
    summary: "Show the registered URL",
    description: "`message` is there when none is registered, or when it is `FAILED`.",
    responses: {
      200: {
        description: "The URL, or null when none is registered.",
        schema: shape({ data: { type: ["string", "null"] }, message }, ["message"]),
        example: { data: example.url },
      },
    },
  },
  {
    ...common,
    method: "POST",
    path: "/webhook",
    action: registerWebhook,
    summary: "Register a URL",
    description:
      "One URL per key; a new one overwrites the old. The status becomes `ACTIVE`, and what was kept while it was " +
      "`FAILED` is delivered first. Deliveries are signed as Standard Webhooks says.",
    examples: { plain: { url: example.url }, named: { url: example.url, name: "production" } },
    responses: {
      200: {
        description: "It takes the place of the one before.",
        schema: withMessage(shape({ ...webhook.properties, secret })),
      },
      201: {
        description: "The key's first.",
        schema: withMessage(shape({ ...webhook.properties, secret })),
        example: {
          data: { ...example, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" },
          message: "The webhook is registered.",
        },
      },
    },
    errors: ["invalid_url", "url_not_allowed"],
  },
  {
    ...common,
    method: "PATCH",
    path: "/webhook",
    action: changeWebhook,
    summary: "Change the webhook, or start it again",
    description:
      "The body may be empty. The status becomes `ACTIVE`. After `rotate_secret` deliveries carry signatures with the " +
      "new and the old secret for 24 hours.",
    examples: {
      "start again": {},
      rename: { name: "staging" },
      "new secret": { rotate_secret: true },
    },
    responses: {
      200: {
        description: "The webhook as it is now.",
        schema: withMessage(shape({ ...webhook.properties, secret }, ["secret"])),
        example: { data: example, message: "The webhook is active." },
      },
    },
    errors: ["not_found", "invalid_url", "url_not_allowed"],
  },
  {
    ...common,
    method: "DELETE",
    path: "/webhook",
    action: removeWebhook,
    summary: "Remove the webhook",
    responses: {
      200: {
        description: "It is gone.",
        schema: shape({ message }),
        example: { message: "The webhook is removed." },
      },
    },
    errors: ["not_found"],
  },
  {
    ...common,
    method: "GET",
    path: "/webhook/deliveries",
    action: listDeliveries,
    summary: "List attempts to deliver",
    description: "Newest first. `next_cursor` leads to older ones; null at the end.",
    responses: {
      200: {
        description: "One page of attempts.",
        schema: shape({
          data: { type: "array", items: delivery },
          next_cursor: { type: ["string", "null"] },
          message,
        }),
      },
    },
  },
  {
    ...common,
    method: "POST",
    path: "/webhook/test",
    action: testWebhook,
    summary: "Send a test event",
    description: "`webhook.test` takes the way of every other event.",
    responses: {
      200: {
        description: "It is on its way.",
        schema: withMessage(shape({ event_id: { type: "string" } })),
        example: {
          data: { event_id: "evt_01JQ4T5W6X7Y8Z9ABCDEFGHJKM" },
          message: "A test event is on its way.",
        },
      },
    },
    errors: ["not_found"],
  },
  {
    ...common,
    method: "POST",
    path: "/webhook/replay",
    action: replayWebhook,
    summary: "Deliver again",
    description:
      "Delivers the events since a time once more, under their own ids. Events are kept for 72 hours.",
    examples: { since: { since: "2025-03-25T09:00:00Z" } },
    responses: {
      200: {
        description: "They are on their way.",
        schema: withMessage(shape({ events: { type: "integer" } })),
        example: { data: { events: 12 }, message: "12 events are delivered again." },
      },
    },
    errors: ["not_found"],
  },
];
