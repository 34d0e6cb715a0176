import { setImmediate as yieldToLoop } from "node:timers/promises";
import { WakeSignal } from "../../../mixins/async/wake-signal.ts";
import type { TaggedSources } from "../../../mixins/clients/tagged-sources.ts";
import type { EventLog } from "../../../mixins/event-log/event-log.ts";
import { meaningful as meaningfulRule } from "../../contracts/endpoint-options.ts";
import { fail, invalid } from "../../contracts/errors.ts";
import { type Event, eventTypes } from "../../contracts/events.ts";
import {
  count,
  type Infer,
  type InferFields,
  limit,
  list,
  named,
  rule,
  time,
} from "../../contracts/schema.ts";
import { tags } from "../../contracts/source.ts";
import { anyEvent } from "../openapi/events.ts";
import { passes, sourceOrKind } from "./event-filter.ts";
import { positionIn, streamScopes } from "./protocol.ts";
import type { Registry } from "./registry.ts";

const moment = rule({
  ...time,
  pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/,
  messages: { stringPattern: "must be a time as 2025-03-25T09:30:00Z" },
  optional: true,
});

const fields = {
  after: {
    ...count,
    max: 999_999_999_999_999,
    convert: true,
    optional: true,
    description: "Only events after the one with this `seq`. By default from the oldest that is kept.",
  },
  since: { ...moment, description: "In place of `after`: only events from this time on." },
  until: { ...moment, description: "Only events before this time; `more` is false after the last of them." },
  types: {
    type: "array",
    items: { type: "enum", values: eventTypes },
    min: 1,
    unique: true,
    optional: true,
    description: "Only events of these types.",
  },
  sources: {
    type: "array",
    items: sourceOrKind,
    min: 1,
    max: 100,
    unique: true,
    optional: true,
    description: "Only events of sources with these ids, or of these kinds.",
  },
  tags: {
    ...tags,
    min: 1,
    optional: true,
    description: "Only events of sources that have any of these tags of the key now.",
  },
  meaningful: { ...meaningfulRule, convert: true },
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
  next_cursor: {
    ...count,
    nullable: true,
    description: "`next_after` while there are more events now, otherwise null.",
  },
  more: { type: "boolean", description: "There may be more events now." },
});
export type EventPage = Infer<typeof eventPage>;

type Portion = Omit<EventPage, "next_cursor">;

/** What reading needs of the gateway. */
export interface EventReading {
  readonly log: Pick<EventLog, "readWithin" | "bounds" | "positionAt">;
  readonly registry: Registry;
  readonly tagged: Pick<TaggedSources, "of">;
}

/** What is read of a log at a time, and about what an answer holds. */
const portionBytes = 256 * 1024;
const answerBytes = 1024 * 1024;
/** Events that are read together where a filter leaves some out. */
const portionEvents = 500;
/** A filter that fits little makes no call without waiting read a whole log. */
const portionsPerPage = 50;
/** A hint that the log has grown may be lost, so the log is read again after this time. */
const readAgainMs = 5_000;

/**
 * Reads a key's events from a position, and waits for one where there is none: until the time is over, the client has gone
 * (`gone`), the gateway stops or the key is deleted. Throws `expired` for a position that the log no longer has.
 */
export async function readEvents(
  reading: EventReading,
  keyId: string,
  params: EventsRequest,
  gone: AbortSignal,
): Promise<EventPage> {
  const { log, registry } = reading;
  const ending = params.until === undefined ? undefined : new Date(params.until);
  const isOver = ending !== undefined && ending.getTime() <= Date.now();
  const deadline = performance.now() + (isOver ? 0 : params.wait_seconds * 1000);
  let page: Portion = { data: [], next_after: await startOf(log, keyId, params), more: false };
  const grown = new WakeSignal();
  const ends = new AbortController();
  const stop = () => {
    ends.abort();
    grown.notify();
  };
  const waiting = { keyId, scopes: streamScopes, wake: () => grown.notify(), end: stop };
  registry.add(waiting);
  gone.addEventListener("abort", stop, { once: true });
  try {
    for (;;) {
      const end = ending && (await log.positionAt(keyId, ending));
      page = await readPage(reading, keyId, { ...params, end }, page.next_after);
      const leftMs = deadline - performance.now();
      if (page.data.length > 0 || leftMs <= 0 || ends.signal.aborted || gone.aborted)
        return { ...page, next_cursor: page.more ? page.next_after : null };
      if (!page.more) await grown.wait(Math.min(leftMs, readAgainMs));
    }
  } finally {
    registry.remove(waiting);
    gone.removeEventListener("abort", stop);
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
    { oldest_seq: bounds.oldest },
  );
}

/** A request that ends with the event at a position. */
type Bounded = EventsRequest & { end: number | undefined };

async function readPage(
  { log, tagged }: Pick<EventReading, "log" | "tagged">,
  keyId: string,
  { types, sources, tags, meaningful, limit: most, end = Number.POSITIVE_INFINITY }: Bounded,
  after: number,
): Promise<Portion> {
  const data: Event[] = [];
  let position = after;
  let bytes = 0;
  const budget = {
    events: types || sources || tags || meaningful ? portionEvents : most,
    bytes: portionBytes,
  };
  for (let portions = 0; portions < portionsPerPage; portions += 1) {
    const { events, more } = await log.readWithin(keyId, position, budget);
    // Asked after the read: a source was tagged before its events came.
    const filter = { types, sources, meaningful, ...(tags && { tagged: await tagged.of(keyId, tags) }) };
    for (const event of events) {
      if (event.seq > end) return { data, next_after: position, more: false };
      if (data.length === most || bytes > answerBytes) return { data, next_after: position, more: true };
      position = event.seq;
      if (!passes(event, filter)) continue;
      bytes += event.json.length;
      data.push(JSON.parse(event.json) as Event);
    }
    if (!more) return { data, next_after: position, more: false };
    if (data.length === most) break;
    await yieldToLoop();
  }
  return { data, next_after: position, more: true };
}
