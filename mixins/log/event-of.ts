import type { Event, EventData, EventType } from "../../services/contracts/events.ts";
import { eventId } from "./event-id.ts";
import type { WrittenEvent } from "./log.ts";

/** What is stored of an event, once for all keys. */
export interface StoredBody {
  bodyId: string;
  type: EventType;
  timestamp: string;
  /** The id of the event's source; null or missing where none is concerned. */
  source?: string | null;
  /** JSON. */
  data: string;
}

/** The event that a body is in the log of a key. */
export function eventOf(keyId: string, seq: number, { bodyId, type, timestamp, data }: StoredBody): Event {
  const id = eventId(keyId, bodyId, timestamp);
  return { id, type, timestamp, seq, data: JSON.parse(data) as EventData };
}

/** The same, written as JSON. */
export function writtenEventOf(
  keyId: string,
  seq: number,
  { bodyId, type, timestamp, source = null, data }: StoredBody,
): WrittenEvent {
  const id = eventId(keyId, bodyId, timestamp);
  const json = `{"id":"${id}","type":"${type}","timestamp":"${timestamp}","seq":${seq},"data":${data}}`;
  return { seq, id, type, source, json };
}
