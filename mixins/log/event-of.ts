import type { Event, EventData, EventType } from "../../services/contracts/events.ts";
import { eventId } from "./event-id.ts";

/** What is stored of an event, once for all keys. */
export interface StoredBody {
  bodyId: string;
  type: EventType;
  timestamp: string;
  /** JSON. */
  data: string;
}

/** The event that a body is in the log of a key. */
export function eventOf(keyId: string, seq: number, { bodyId, type, timestamp, data }: StoredBody): Event {
  const id = eventId(keyId, bodyId, timestamp);
  return { id, type, timestamp, seq, data: JSON.parse(data) as EventData };
}
