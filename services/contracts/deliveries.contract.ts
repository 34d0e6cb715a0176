import { action, repeatable } from "./action.ts";
import { endpointId } from "./endpoint-options.ts";
import { deliveryFailure } from "./failure-classes.ts";
import {
  cursorOf,
  type Infer,
  limit,
  list,
  named,
  nullableText,
  object,
  rule,
  text,
  time,
  withMessage,
} from "./schema.ts";

const outcome = rule({
  type: "enum",
  values: ["succeeded", "failed", "dead"],
  description:
    "`dead`: set aside after the last attempt. It becomes `failed` when the event is retried by hand and arrives.",
});

/** An attempt to deliver an event. */
const delivery = named("Delivery", {
  id: text,
  webhook_id: {
    ...nullableText,
    description: "`id` of the webhook; null for the notice of a job.",
  },
  event_id: text,
  type: text,
  seq: {
    type: "number",
    integer: true,
    nullable: true,
    description: "The event's position in the key's log; null for the notice of a job.",
  },
  url: { ...text, description: "Where it was sent." },
  attempt: { type: "number", integer: true, min: 1 },
  outcome,
  http_status: {
    type: "number",
    integer: true,
    nullable: true,
    description: "Null when no answer came. Of a mail: the code of SMTP.",
  },
  error: { ...deliveryFailure, nullable: true },
  duration_ms: { type: "number" },
  answer: { ...text, description: "Its first 2 KB." },
  at: time,
});
export type Delivery = Infer<typeof delivery>;

const status = rule({ ...outcome, optional: true, description: "Only attempts with this outcome." });
const cursor = cursorOf(/^[0-9A-HJKMNP-TV-Z]{26}$/);
const id = rule({ type: "string", min: 1, max: 64, description: "`id` of an attempt." });

const pageOfDeliveries = {
  status,
  event_id: {
    type: "string",
    min: 1,
    max: 64,
    optional: true,
    description: "Only attempts to deliver this event.",
  },
  cursor,
  limit: limit("Attempts a page."),
} as const;

/** Attempts to deliver to all endpoints of a key, newest first. */
export const listDeliveries = repeatable("webhook-dispatcher.deliveries", {
  params: pageOfDeliveries,
  result: object({ data: list(delivery), next_cursor: nullableText, message: text }),
});

/** Lists the attempts of one endpoint. A page may be short before the end. */
export const listEndpointDeliveries = repeatable("webhook-dispatcher.endpointDeliveries", {
  params: { id: endpointId, ...pageOfDeliveries },
  result: object({ data: list(delivery), next_cursor: nullableText, message: text }),
});

/** Shows an attempt with what was sent; 404 for another key's. */
export const showDelivery = repeatable("webhook-dispatcher.delivery", {
  params: { id },
  result: withMessage(
    named("DeliveryWithBody", {
      ...delivery.props,
      body: {
        type: "object",
        nullable: true,
        description:
          "The event as it was sent; of a batch, the event of this attempt. Null when it is no longer kept: events are kept for 72 hours, notices of jobs until they arrive.",
      },
    }),
  ),
});

const retried = withMessage(
  named("RetriedDelivery", {
    event_id: text,
    delivery_id: { ...text, description: "`id` of the new attempt." },
    outcome: { type: "enum", values: ["succeeded", "failed"], description: "Of the new attempt." },
  }),
);

/**
 * Sends the event of an attempt once more, alone, to the endpoint of that attempt. The lane of the endpoint does not
 * change.
 */
export const retryDelivery = action("webhook-dispatcher.retry", { params: { id }, result: retried });

/** The same; 404 for an attempt of another endpoint. */
export const retryEndpointDelivery = action("webhook-dispatcher.retryOfEndpoint", {
  params: { id: endpointId, delivery_id: id },
  result: retried,
});

const keyDelivery = named("KeyDelivery", {
  ...delivery.props,
  key_id: { ...text, description: "`id` of the key." },
});
export type KeyDelivery = Infer<typeof keyDelivery>;

/** Attempts of all keys, newest first, as administrators see them. */
export const listAllDeliveries = repeatable("webhook-dispatcher.allDeliveries", {
  params: {
    key_id: { type: "string", min: 1, max: 64, optional: true, description: "Only attempts for this key." },
    status,
    cursor,
    limit: limit("Attempts a page.", { max: 200, default: 50 }),
  },
  result: object({
    data: list(keyDelivery),
    next_cursor: nullableText,
    message: text,
  }),
});
