import { setTimeout as sleep } from "node:timers/promises";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { request } from "undici";
import type { Event } from "../../services/contracts/events.ts";
import { note } from "./screen.ts";
import { askText, CommandError, exitCodes, refusal, type Server, unreachable } from "./server.ts";

/** An event, and the JSON that it came as: what a webhook would receive. */
export interface Received {
  event: Event;
  body: string;
}

export interface StreamOptions {
  /** Begins after this event; undefined: with what is new. */
  after?: number;
  /** Ends when everything that was there at the start is read. */
  untilNow?: boolean;
  signal: AbortSignal;
}

/** Where a reader is in the log of its key. */
interface Position {
  after: number | undefined;
  /** The newest event at the start; undefined before the first connection. */
  newest: number | undefined;
}

const pausesMs = [500, 1_000, 2_000, 5_000, 10_000];

/**
 * The events of a key, in order, each once. Where a connection ends, another one begins after the last event, for as long
 * as the signal permits; a first connection that fails is an error. What has expired meanwhile is named, never left out
 * in silence.
 */
export async function* readEvents(server: Server, options: StreamOptions): AsyncGenerator<Received> {
  const { signal, untilNow = false } = options;
  const position: Position = { after: options.after, newest: undefined };
  const isRead = () => untilNow && (position.after ?? 0) >= (position.newest ?? Number.POSITIVE_INFINITY);
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      for await (const received of connection(server, position, signal)) {
        failures = 0;
        if (received) yield received;
        if (isRead()) return;
      }
    } catch (error) {
      if (signal.aborted) return;
      recover(error, position);
    }
    const pause = pausesMs[Math.min(failures, pausesMs.length - 1)];
    await sleep(pause, undefined, { signal }).catch(() => undefined);
  }
}

interface EventPage {
  data: Event[];
  next_after: number;
  more: boolean;
}

/** A request waits so long for an event, in seconds. */
const waitSeconds = 20;

/**
 * The events of a key that pass filters, as names and values of the query of `GET /events`; in order, each once. A
 * request that fails for want of a service is repeated, after the first one has succeeded.
 */
export async function* readFiltered(
  server: Server,
  filters: string[][],
  { after, untilNow = false, signal }: StreamOptions,
): AsyncGenerator<Received> {
  let position = after;
  for (let failures = 0, hasBegun = false; !signal.aborted; ) {
    try {
      position ??= await newest(server, signal);
      const query = new URLSearchParams([...filters, ["after", String(position)], ["limit", "100"]]);
      if (!untilNow && hasBegun) query.set("wait", String(waitSeconds));
      const text = await askText(server, "GET", `/events?${query}`, undefined, undefined, signal);
      const page = JSON.parse(text) as EventPage;
      for (const event of page.data) yield { event, body: JSON.stringify(event) };
      [position, hasBegun, failures] = [page.next_after, true, 0];
      if (untilNow && !page.more) return;
    } catch (error) {
      if (signal.aborted) return;
      if (!hasBegun || (error as CommandError).exitCode !== exitCodes.unreachable) throw error;
      const pause = pausesMs[Math.min(failures, pausesMs.length - 1)];
      failures += 1;
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Where the log ends, as a stream says at its beginning: clocks of two machines differ. */
async function newest(server: Server, signal: AbortSignal): Promise<number> {
  const position: Position = { after: undefined, newest: undefined };
  for await (const _ of connection(server, position, signal)) break;
  if (position.newest === undefined) throw unreachable(server.url, new Error("the stream ended at once"));
  return position.newest;
}

/** Throws what another connection would not mend. */
function recover(error: unknown, position: Position): void {
  const { exitCode, oldest, message } = error as CommandError & { oldest?: number };
  if (oldest !== undefined && oldest > 0) {
    note(
      `Events ${(position.after ?? 0) + 1} to ${oldest - 1} have expired; what follows begins after them.`,
    );
    position.after = oldest - 1;
  } else if (position.newest === undefined || exitCode !== exitCodes.unreachable) throw error;
  else note(`${message} Connecting again, after event ${position.after}.`);
}

/** One connection: null when it is open, then its events. Moves the position. */
async function* connection(
  server: Server,
  position: Position,
  signal: AbortSignal,
): AsyncGenerator<Received | null> {
  for await (const { event: type, data } of messages(server, position.after, signal)) {
    if (type === "error") throw endingOf(data);
    if (type === "hello") {
      const { seq } = JSON.parse(data) as { seq: number };
      position.after ??= seq;
      position.newest ??= seq;
      yield null;
    } else {
      const event = JSON.parse(data) as Event;
      position.after = event.seq;
      yield { event, body: data };
    }
  }
}

/** The service sends something every 25 s. */
const silenceMs = 60_000;

async function* messages(
  { url, key }: Server,
  after: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<EventSourceMessage> {
  const query = after === undefined ? "" : `?after=${after}`;
  try {
    const { statusCode, body } = await request(`${url}/stream/sse${query}`, {
      headers: { "x-api-key": key, accept: "text/event-stream" },
      signal,
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
    });
    if (statusCode !== 200) throw refusalOf(statusCode, await body.text());
    const parsed: EventSourceMessage[] = [];
    const parser = createParser({ onEvent: message => parsed.push(message) });
    for await (const chunk of body.setEncoding("utf8")) {
      parser.feed(chunk);
      yield* parsed.splice(0);
    }
  } catch (error) {
    throw (error as CommandError).exitCode === undefined ? unreachable(url, error) : error;
  }
}

/** 410: what follows the position has expired; the answer says where the log begins now. */
function refusalOf(status: number, text: string): Error {
  const oldest = status === 410 ? (JSON.parse(text) as { oldest_seq?: number }).oldest_seq : undefined;
  return Object.assign(refusal(status, text), { oldest });
}

/** The last message of a stream that the service ends. */
function endingOf(data: string): Error {
  const { code, message, oldest_seq } = JSON.parse(data) as {
    code: string;
    message: string;
    oldest_seq?: number;
  };
  const exitCode = code === "unauthorized" ? exitCodes.refused : exitCodes.unreachable;
  return Object.assign(new CommandError(message, exitCode), { oldest: oldest_seq });
}
