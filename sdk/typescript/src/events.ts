import { createParser, type EventSourceMessage } from "eventsource-parser";
import { EventGapError, errorOf, MagpieConnectionError, MagpieError } from "./errors.ts";
import { pause } from "./pause.ts";
import { backoff } from "./retrying-fetch.ts";
import type { Event } from "./types.ts";

/** Which events; one has to pass each filter that is given. */
export interface EventFilters {
  /** Only events of these types: `["web.page.changed"]`. */
  types?: readonly EventType[];
  /** Only events of sources with these ids, or of these kinds (`rss`, `web`, …). */
  sources?: readonly string[];
  /** Only events of sources that have one of these tags of the key now. */
  tags?: readonly string[];
}

export interface EventsOptions extends EventFilters {
  /** Begins after the event with this `seq`; 0 for all that are kept. Without it, with what is new from now on. */
  after?: number;
  /**
   * With filters: the seconds, 1 to 25, that one request waits for an event. Fewer where a proxy in between ends requests
   * sooner. Events come at once either way.
   */
  waitSeconds?: number;
  signal?: AbortSignal;
}

/** How the service is asked. */
export interface EventSource {
  /** Opens the stream after a position. */
  stream(after: number | undefined, signal: AbortSignal): Promise<Response>;
  /** Asks for a page of events. */
  page(query: URLSearchParams, signal: AbortSignal): Promise<Response>;
}

type EventType = Event["type"];

interface Hello {
  seq: number;
  heartbeat_ms: number;
}

/** How far the reading has come; with the event that brought it there. */
interface Step {
  seq: number;
  event?: Event;
}

/** What ends the reading for good: another attempt would end the same way. */
const final = new Set(["unauthorized", "forbidden", "validation_failed", "not_found"]);
const defaultHeartbeatMs = 25_000;
const mostWaitSeconds = 25;

/**
 * The events of a key, without end. A stream that breaks off continues after the last event, so nothing is lost or repeated. Throws an
 * EventGapError when events that follow the position are kept no longer, a MagpieError when the key or a filter is refused,
 * and the signal's reason when it is aborted.
 */
export async function* followEvents(
  source: EventSource,
  { after, signal, waitSeconds = mostWaitSeconds, ...filters }: EventsOptions,
): AsyncGenerator<Event, void, void> {
  const wanted = queryOf(filters);
  let position = after;
  for (let failures = 0; ; failures += 1) {
    const reading = new AbortController();
    const end = signal ? AbortSignal.any([signal, reading.signal]) : reading.signal;
    try {
      const steps =
        wanted.size > 0 ? pages(source, wanted, waitSeconds, position, end) : messages(source, position, end);
      for await (const { seq, event } of steps) {
        position = seq;
        failures = 0;
        if (event) yield event;
      }
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error instanceof EventGapError || (error instanceof MagpieError && final.has(error.code)))
        throw error;
      const asked = error instanceof MagpieError ? error.retryAfter : undefined;
      await pause(asked === undefined ? backoff(failures) : asked * 1000, signal);
      continue;
    } finally {
      reading.abort();
    }
    await pause(backoff(failures), signal);
  }
}

function queryOf(filters: EventFilters): URLSearchParams {
  const given = Object.entries(filters as Record<string, readonly string[] | undefined>);
  return new URLSearchParams(given.flatMap(([name, values = []]) => values.map(value => [name, value])));
}

/** One connection to the stream. */
async function* messages(
  source: EventSource,
  after: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<Step, void, void> {
  const response = await source.stream(after, signal);
  if (!response.ok) throw await refusal(response, after);
  let position = after;
  for await (const { event: type, data } of messagesOf(response)) {
    const content = JSON.parse(data);
    if (type === "error") throw endOf(content, position);
    // A stream without a position is live from here on, and resumes here.
    position = type === "hello" ? (position ?? (content as Hello).seq) : (content as Event).seq;
    yield type === "hello" ? { seq: position } : { seq: position, event: content as Event };
  }
}

interface EventPage {
  data: Event[];
  next_after: number;
}

/** A wait that ends early, as when the service stops, is no reason to ask in a hurry. */
const emptyMs = 200;

/** One request after the other; each waits at the service until there is an event that passes the filters. */
async function* pages(
  source: EventSource,
  wanted: URLSearchParams,
  waitSeconds: number,
  after: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<Step, void, void> {
  let position = after ?? (await newest(source, signal));
  yield { seq: position };
  for (;;) {
    const query = new URLSearchParams(wanted);
    query.set("after", String(position));
    query.set("wait_seconds", String(waitSeconds));
    const response = await source.page(query, signal);
    if (!response.ok) throw await refusal(response, position);
    const { data, next_after } = (await response.json()) as EventPage;
    for (const event of data) yield { seq: event.seq, event };
    position = next_after;
    yield { seq: position };
    if (data.length === 0) await pause(emptyMs, signal);
  }
}

/** Where the events end now, which a stream says at its beginning: the clocks of two machines differ. */
async function newest(source: EventSource, signal: AbortSignal): Promise<number> {
  const look = new AbortController();
  try {
    for await (const { seq } of messages(source, undefined, AbortSignal.any([signal, look.signal])))
      return seq;
  } finally {
    look.abort();
  }
  throw new Error("The stream ended before it began.");
}

async function refusal(response: Response, after: number | undefined): Promise<Error> {
  const body: unknown = await response.json().catch(() => undefined);
  const error = errorOf(response, body);
  const oldest = Number(error.body.oldest_seq);
  return error.status === 410 && oldest >= 0 ? new EventGapError(after ?? 0, oldest) : error;
}

/** The error of a stream's last message. */
function endOf(
  frame: { code: string; message: string; oldest_seq?: number },
  after: number | undefined,
): Error {
  if (frame.code === "cursor_too_old") return new EventGapError(after ?? 0, frame.oldest_seq ?? 0);
  return new MagpieError(frame.code === "unauthorized" ? 401 : 503, frame as Record<string, unknown>);
}

/** The messages of a stream until it ends. A stream that is silent for two heartbeats and more is broken. */
async function* messagesOf(response: Response): AsyncGenerator<EventSourceMessage, void, void> {
  const messages: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: message => messages.push(message) });
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  if (!reader) return;
  let heartbeatMs = defaultHeartbeatMs;
  for (;;) {
    const { done, value } = await withDeadline(reader.read(), heartbeatMs * 2.5, response.url);
    if (done) return;
    parser.feed(decoder.decode(value, { stream: true }));
    for (const message of messages.splice(0)) {
      if (message.event === "hello") heartbeatMs = (JSON.parse(message.data) as Hello).heartbeat_ms;
      yield message;
    }
  }
}

function withDeadline<T>(promise: Promise<T>, ms: number, url: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const silent = () =>
      reject(new MagpieConnectionError(url, new Error(`the stream is silent for ${ms} ms`)));
    const timer = setTimeout(silent, ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
