import { EventGapError, errorOf, MagpieConnectionError, MagpieError } from "./errors.ts";
import { pause } from "./pause.ts";
import { type Break, resume, type Step, streamMessages } from "./resume.ts";
import type { Event } from "./types.ts";

/** An event has to pass each filter that is given. */
export interface EventFilters {
  /** Only events of these types: `["web.page.changed"]`. */
  types?: readonly EventType[] | undefined;
  /** Only events of sources with these ids, or of these kinds (`rss`, `web`, …). */
  sources?: readonly string[] | undefined;
  /** Only events of sources that have one of these tags of the key now. */
  tags?: readonly string[] | undefined;
  /** True: without changes that the judge of their source has dismissed. */
  meaningful?: boolean | undefined;
}

export interface EventsOptions extends EventFilters {
  /** The events begin after the one with this `seq`; 0 for all that are kept. Without it they begin with new ones. */
  after?: number | undefined;
  /** In place of `after`: the events begin at this time. ISO 8601, or a Date. */
  since?: Date | string | undefined;
  /** The events end before this time, however late they are read. Without `after` and `since` they begin with the oldest. */
  until?: Date | string | undefined;
  /** False ends with the newest event that there is at the start. True by default, and false with `until`. */
  follow?: boolean | undefined;
  /**
   * The seconds, 1 to 25, that one request with filters waits for an event; 25 by default. Choose fewer where a proxy in
   * between ends requests sooner. Events come at once either way.
   */
  waitSeconds?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Called when a connection has failed or ended, before another one. An error that it throws ends the events. */
  onBreak?(broken: EventsBreak): void;
}

/** A connection that has failed, or that the service has ended. */
export interface EventsBreak extends Break {
  error: MagpieError | MagpieConnectionError | undefined;
}

/** The requests that reading events needs. */
export interface EventSource {
  /** The address of the service. */
  url: string;
  /** Milliseconds before another connection, at most, whatever the service asks for. */
  maxWaitMs: number;
  /** Opens the stream after a position. */
  stream(after: number | undefined, signal: AbortSignal): Promise<Response>;
  /** Asks for a page of events. */
  page(query: URLSearchParams, signal: AbortSignal): Promise<Response>;
}

type EventType = Event["type"];

const mostWaitSeconds = 25;

/**
 * Reads the events of a key. A stream that breaks continues after the last event, so nothing is lost or repeated. Throws an
 * EventGapError when events that follow the position have expired, a MagpieError when the key or a filter is refused,
 * and the signal's reason when it is aborted.
 */
export function followEvents(source: EventSource, options: EventsOptions): AsyncGenerator<Event, void, void> {
  const { after, signal, since, until, waitSeconds = mostWaitSeconds, onBreak, ...rest } = options;
  const { follow = until === undefined, ...filters } = rest;
  const wanted = queryOf(filters);
  if (until !== undefined) wanted.set("until", isoOf(until));
  const begin = since === undefined ? undefined : isoOf(since);
  const isOfPages = wanted.size > 0 || begin !== undefined;
  const connect = isOfPages
    ? pages(source, wanted, { waitSeconds: follow ? waitSeconds : 0, begin })
    : stream(source, follow);
  const report = (broken: Break) =>
    onBreak?.({
      ...broken,
      error: broken.error === undefined ? undefined : failure(source.url, broken.error),
    });
  return resume(connect, { after, signal, onBreak: report, maxWaitMs: source.maxWaitMs });
}

function isoOf(time: Date | string): string {
  return typeof time === "string" ? time : time.toISOString();
}

function failure(url: string, error: unknown): MagpieError | MagpieConnectionError {
  return error instanceof MagpieError ? error : new MagpieConnectionError(url, error);
}

function queryOf({ meaningful, ...filters }: EventFilters): URLSearchParams {
  const given = Object.entries(filters as Record<string, readonly string[] | undefined>);
  const query = new URLSearchParams(
    given.flatMap(([name, values = []]) => values.map(value => [name, value])),
  );
  if (meaningful) query.set("meaningful", "true");
  return query;
}

type Connect = (after: number | undefined, signal: AbortSignal) => AsyncGenerator<Step<Event>, void, void>;

/** Connects to the stream. Without `follow`, the reading ends where the events ended when the first connection began. */
function stream(source: EventSource, follow: boolean): Connect {
  let newest: number | undefined;
  return async function* (after, signal) {
    let position = after;
    const open = async () => answered(await source.stream(after, signal), after);
    for await (const { event: type, data } of streamMessages(open)) {
      const content = JSON.parse(data);
      if (type === "error") throw endOf(content, position);
      if (type === "hello") newest ??= content.seq as number;
      // A stream without a position begins here, and later connections continue here.
      const seq: number = type === "hello" ? (position ?? content.seq) : content.seq;
      position = seq;
      const isLast = !follow && seq >= (newest ?? Number.POSITIVE_INFINITY);
      yield type === "hello" ? { seq, isLast } : { seq, isLast, item: content as Event };
    }
  };
}

interface EventPage {
  data: Event[];
  next_after: number;
  more: boolean;
}

/** The pause after an empty page: a service that stops ends waits early, and must not be asked in a hurry. */
const emptyMs = 200;

/**
 * Asks for one page after the other. Each request waits at the service until an event passes the filters, at most for
 * `waitSeconds`. Without a position they begin at the time `begin`, else with the oldest where they end at a time, else with
 * what is new.
 */
function pages(
  source: EventSource,
  wanted: URLSearchParams,
  { waitSeconds, begin }: { waitSeconds: number; begin: string | undefined },
): Connect {
  const isOfTime = begin !== undefined || wanted.has("until");
  return async function* (after, signal) {
    let position = after ?? (isOfTime ? undefined : await newestSeq(source, signal));
    // Only an answer shows that the service is there; a position that was given does not.
    if (after === undefined && position !== undefined) yield { seq: position };
    for (;;) {
      const query = new URLSearchParams(wanted);
      if (position !== undefined) query.set("after", String(position));
      else if (begin !== undefined) query.set("since", begin);
      query.set("wait_seconds", String(waitSeconds));
      const response = await answered(await source.page(query, signal), position);
      const { data, next_after, more } = (await response.json()) as EventPage;
      for (const event of data) yield { seq: event.seq, item: event };
      position = next_after;
      yield { seq: position, isLast: waitSeconds === 0 && !more };
      if (data.length === 0 && waitSeconds > 0) await pause(emptyMs, signal);
    }
  };
}

/** Asks a stream where the events end now. A time would not do: the clocks of two machines differ. */
async function newestSeq(source: EventSource, signal: AbortSignal): Promise<number> {
  const look = new AbortController();
  try {
    const steps = stream(source, true)(undefined, AbortSignal.any([signal, look.signal]));
    for await (const { seq } of steps) if (seq !== undefined) return seq;
  } finally {
    look.abort();
  }
  throw new Error("The stream ended before it began.");
}

async function answered(response: Response, after: number | undefined): Promise<Response> {
  if (response.ok) return response;
  throw await refusal(response, after);
}

async function refusal(response: Response, after: number | undefined): Promise<Error> {
  const body: unknown = await response.json().catch(() => undefined);
  const error = errorOf(response, body);
  const oldest = Number(error.body.oldest_seq);
  return error.status === 410 && oldest >= 0 ? new EventGapError(after ?? 0, oldest) : error;
}

/** The HTTP statuses of codes in a stream's last message. After all other codes another connection may succeed. */
const statusOf: Record<string, number> = { unauthorized: 401, validation_failed: 400 };

/** Makes the error of a stream's last message. */
function endOf(
  frame: { code: string; message: string; oldest_seq?: number },
  after: number | undefined,
): Error {
  if (frame.code === "cursor_too_old") return new EventGapError(after ?? 0, frame.oldest_seq ?? 0);
  return new MagpieError(statusOf[frame.code] ?? 503, frame as Record<string, unknown>);
}
