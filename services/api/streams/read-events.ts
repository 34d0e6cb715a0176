import { setImmediate as nextTurn } from "node:timers/promises";
import { WakeSignal } from "../../../mixins/async/wake-signal.ts";
import type { EventLog } from "../../../mixins/event-log/event-log.ts";
import { fail, invalid } from "../../contracts/errors.ts";
import { type Event, eventTypes } from "../../contracts/events.ts";
import { count, type Infer, type InferFields, limit, list, named, time } from "../../contracts/schema.ts";
import { anyEvent } from "../openapi/events.ts";
import { positionIn } from "./protocol.ts";
import type { Registry } from "./registry.ts";

const fields = {
  after: {
    ...count,
    max: 999_999_999_999_999,
    convert: true,
    optional: true,
    description: "Only events after the one with this `seq`. By default from the oldest that is kept.",
  },
  since: {
    ...time,
    pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/,
    messages: { stringPattern: "must be a time as 2025-03-25T09:30:00Z" },
    optional: true,
    description: "In place of `after`: only events from this time on.",
  },
  types: {
    type: "array",
    items: { type: "enum", values: eventTypes },
    min: 1,
    unique: true,
    optional: true,
    description: "Only events of these types.",
  },
  limit: limit("Events in the answer, at most."),
  wait_seconds: {
    type: "number",
    integer: true,
    min: 0,
    max: 25,
    default: 0,
    convert: true,
    description: "How long to wait for an event where there is none.",
  },
} as const;

export const readEventsParams = { $$strict: true, ...fields } as const;
export type EventsRequest = InferFields<typeof fields>;

export const eventPage = named("EventPage", {
  data: { ...list(anyEvent), description: "As the streams carry them, the oldest first." },
  next_after: { ...count, description: "The `after` of the next call." },
  more: { type: "boolean", description: "There may be more events now." },
});
export type EventPage = Infer<typeof eventPage>;

/** What reading needs of the gateway. */
export interface EventReading {
  readonly log: Pick<EventLog, "readWithin" | "bounds" | "positionAt">;
  readonly registry: Registry;
}

/** Of a log at a time, and of an answer about. */
const portionBytes = 256 * 1024;
const answerBytes = 1024 * 1024;
/** A filter that fits little makes no call read a whole log. */
const portionsPerCall = 50;
/** A hint that the log has grown may be lost. */
const lookAgainMs = 5_000;

/**
 * Reads a key's events from a position, and waits for one where there is none: until the time is over, the client has gone
 * (`gone`), the gateway stops or the key is deleted. Throws `expired` for a position that the log no longer has.
 */
export async function readEvents(
  { log, registry }: EventReading,
  keyId: string,
  params: EventsRequest,
  gone: AbortSignal,
): Promise<EventPage> {
  const until = performance.now() + params.wait_seconds * 1000;
  let page: EventPage = { data: [], next_after: await startOf(log, keyId, params), more: false };
  const grown = new WakeSignal();
  const ends = new AbortController();
  const end = () => {
    ends.abort();
    grown.notify();
  };
  const waiting = { keyId, wake: () => grown.notify(), end };
  registry.add(waiting);
  gone.addEventListener("abort", end, { once: true });
  try {
    for (;;) {
      page = await readPage(log, keyId, params, page.next_after);
      const leftMs = until - performance.now();
      if (page.data.length > 0 || page.more || leftMs <= 0 || ends.signal.aborted || gone.aborted)
        return page;
      await grown.wait(Math.min(leftMs, lookAgainMs));
    }
  } finally {
    registry.remove(waiting);
    gone.removeEventListener("abort", end);
  }
}

async function startOf(
  log: EventReading["log"],
  keyId: string,
  { after, since }: EventsRequest,
): Promise<number> {
  if (after !== undefined && since !== undefined)
    throw invalid("since", "exactly_one", "Give `after` or `since`, not both.");
  const bounds = await log.bounds(keyId);
  if (after === undefined && since === undefined) return Math.max(0, bounds.oldest - 1);
  if (since !== undefined)
    return Math.max(await log.positionAt(keyId, new Date(since)), bounds.oldest - 1, 0);
  const position = positionIn(bounds, after);
  if (typeof position === "number") return position;
  if (position.error?.oldest_seq === undefined)
    throw invalid("after", "too_large", `\`after\` is ahead of the newest event, ${bounds.latest}.`);
  throw fail(
    "expired",
    `Events after this position have expired. The oldest that is kept is ${bounds.oldest}: read after ${bounds.oldest - 1}, or without \`after\`.`,
  );
}

async function readPage(
  log: EventReading["log"],
  keyId: string,
  { types, limit: most }: EventsRequest,
  after: number,
): Promise<EventPage> {
  const data: Event[] = [];
  let position = after;
  let bytes = 0;
  for (let portions = 0; portions < portionsPerCall; portions += 1) {
    const { events, more } = await log.readWithin(keyId, position, { events: most, bytes: portionBytes });
    for (const { seq, type, json } of events) {
      if (data.length === most || bytes > answerBytes) return { data, next_after: position, more: true };
      position = seq;
      if (types && !(types as string[]).includes(type)) continue;
      bytes += json.length;
      data.push(JSON.parse(json) as Event);
    }
    if (!more) return { data, next_after: position, more: false };
    if (data.length === most) break;
    await nextTurn();
  }
  return { data, next_after: position, more: true };
}
