import { hash } from "node:crypto";
import { encodeTime } from "ulid";
import type { Event, EventData, EventType } from "../../services/contracts/events.ts";
import type { EventsToErase, WrittenEvent } from "./event-log.ts";

/** The part of an event that is stored once for all keys. */
export interface StoredBody {
  bodyId: string;
  type: EventType;
  timestamp: string;
  /** The id of the event's source, or of its monitor; null or missing for an event without one. */
  source?: string | null;
  /** JSON. */
  data: string;
}

/** What an event is about, for readers who choose by sources and tags: its monitor, else its source. */
export function subjectOf({ source, monitor }: EventData): string | null {
  return monitor?.id ?? source?.id ?? null;
}

/** Whether an event is one of those that are erased. */
export function isToErase({ sourceIds, text, isOne }: EventsToErase, source: string, data: string): boolean {
  return sourceIds.includes(source) || (data.includes(text) && isOne(JSON.parse(data) as EventData));
}

/** What is left of an event whose content is erased: its identity, and so its id in every log. */
export const erasedContent = {
  type: "event.erased",
  source: null,
  data: JSON.stringify({ source: null }),
} as const;

/** The event in the log of a key. */
export function eventOf(keyId: string, seq: number, { bodyId, type, timestamp, data }: StoredBody): Event {
  const id = eventId(keyId, bodyId, timestamp);
  return { id, type, timestamp, seq, data: JSON.parse(data) as EventData };
}

/** The event as serialized JSON. */
export function writtenEventOf(keyId: string, seq: number, body: StoredBody): WrittenEvent {
  const { bodyId, type, timestamp, source: sourceId = null, data } = body;
  const id = eventId(keyId, bodyId, timestamp);
  const json = `{"id":"${id}","type":"${type}","timestamp":"${timestamp}","seq":${seq},"data":${data}}`;
  return { seq, id, type, timestamp, conversation: conversationOf(body), sourceId, json };
}

/** Crockford's base32, as in ULIDs. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * The id of an event in one key's log: `evt_` and a ULID whose time is the event's `timestamp` and whose 80 random bits
 * are a hash of key and body. Ids sort by time, and a repeated step makes the same id.
 */
export function eventId(keyId: string, bodyId: string, timestamp: string): string {
  const digest = hash("sha256", JSON.stringify([keyId, bodyId]), "buffer");
  return `evt_${encodeTime(Date.parse(timestamp), 10)}${base32(digest.subarray(0, 10))}`;
}

function base32(bytes: Uint8Array): string {
  let text = "";
  let [bits, held] = [0, 0];
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xfff;
    held += 8;
    for (; held >= 5; held -= 5) text += alphabet.charAt((bits >> (held - 5)) & 31);
  }
  return text;
}

/**
 * The conversation of an event, whose events arrive in order: a channel of a chat server, or else the source itself,
 * which is a chat, an account, a feed or a page. Null for an event without a source.
 */
function conversationOf({ type, source = null, data }: Pick<StoredBody, "type" | "source" | "data">) {
  if (source === null || !type.startsWith("chatserver.message.")) return source;
  const { message } = JSON.parse(data) as { message?: { channelId?: string } };
  return message?.channelId ? `${source}/${message.channelId}` : source;
}
