import { createHash } from "node:crypto";

/** The size of a batch, and how long it waits for more events. */
export interface BatchLimits {
  /** 1 to 1,000. */
  max_events: number;
  /** From the first event on, in milliseconds. */
  max_wait_ms: number;
}

/** How events are delivered to an endpoint. */
export interface DeliveryOptions {
  /**
   * `conversation`: the events of a conversation one after the other. `none`: as many at a time as the window permits.
   */
  ordering: "conversation" | "none";
  /** Null: one event per request. */
  batch: BatchLimits | null;
}

/** How a lane delivers. */
export interface LaneOptions extends DeliveryOptions {
  /** Each attempt writes a file: one after the other, in the order of the log. */
  inFiles?: boolean;
}

export const defaultDeliveryOptions: DeliveryOptions = { ordering: "conversation", batch: null };

/** Milliseconds for connecting, sending, headers, and the part of an answer's body that is kept; of an endpoint that names no other. */
export const exchangeMs = 5_000;

/** The largest size of a batch of several events, in bytes of JSON. */
export const batchBytes = 1_000_000;

/** What a batch contains of an event. */
interface Batched {
  id: string;
  /** ISO 8601. */
  timestamp: string;
  /** JSON. */
  body: string;
}

/**
 * Joins events in one body: `{"id","type":"batch","timestamp","events":[…]}`. The id is a function of the events' ids
 * and their order, so that a retry of the same batch has the same id; the timestamp is that of the last event.
 */
export function batchOf(events: readonly Batched[]): { id: string; body: string } {
  const digest = createHash("sha256")
    .update(events.map(event => event.id).join())
    .digest("base64url");
  const id = `bat_${digest.slice(0, 24)}`;
  const timestamp = events.at(-1)?.timestamp ?? "";
  const bodies = events.map(({ body }) => body).join();
  return { id, body: `{"id":"${id}","type":"batch","timestamp":"${timestamp}","events":[${bodies}]}` };
}
