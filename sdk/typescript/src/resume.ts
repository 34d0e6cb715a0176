/*
 * Reads a stream through connections that break. The dashboard runs this file and `pause.ts` in browsers, so they import
 * only packages and each other.
 *
 *   for await (const message of resume((after, signal) => steps(after, signal), { signal })) …
 */
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { backoff, pause } from "./pause.ts";

/** A piece of what a connection reads. */
export interface Step<Item> {
  /** The next connection continues after this `seq`. Undefined leaves the position as it is. */
  seq?: number | undefined;
  /** What was read; a step without it only moves the position. */
  item?: Item;
  /** There is nothing more to read. */
  isLast?: boolean;
}

/** A connection that has failed or ended; another one follows. */
export interface Break {
  /** Undefined where the service ended the connection without saying why. */
  error: unknown;
  /** Milliseconds until the next connection. */
  waitMs: number;
  /** The next connection continues after this `seq`; undefined where nothing has arrived and no position was given. */
  after: number | undefined;
  /** Whether any connection so far was read. */
  hasBegun: boolean;
}

export interface ResumeOptions {
  after?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Called before the wait for another connection. An error that it throws ends the reading. */
  onBreak?: ((broken: Break) => void) | undefined;
  /** Milliseconds before the second connection, at most; they double with each failure in a row. */
  firstWaitMs?: number | undefined;
  /** Milliseconds before another connection, at most, whatever the service asks for. A minute by default. */
  maxWaitMs?: number | undefined;
}

/** The fields of an error that decide whether and when another connection follows. `retryAfter` is in seconds. */
interface Refusal {
  status?: number | undefined;
  retryAfter?: number | undefined;
}

/**
 * Reads connections one after the other, each from where the one before it ended, so that nothing is lost or repeated.
 * Ends with the last step. Throws the signal's reason when it is aborted, and a refusal that another connection would
 * get again: an error whose `status` is 400 to 499, except 408 and 429.
 */
export async function* resume<Item>(
  connect: (after: number | undefined, signal: AbortSignal) => AsyncIterable<Step<Item>>,
  { after, signal, onBreak, firstWaitMs, maxWaitMs = 60_000 }: ResumeOptions = {},
): AsyncGenerator<Item, void, void> {
  let position = after;
  let hasBegun = false;
  for (let failures = 0; ; failures += 1) {
    const connection = new AbortController();
    const end = signal ? AbortSignal.any([signal, connection.signal]) : connection.signal;
    let failure: unknown;
    try {
      for await (const { seq, item, isLast } of connect(position, end)) {
        // What has arrived before an abort, and was not taken yet, is not given any more.
        signal?.throwIfAborted();
        position = seq ?? position;
        failures = 0;
        hasBegun = true;
        if (item !== undefined) yield item;
        if (isLast) return;
      }
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (isFinal(error)) throw error;
      failure = error;
    } finally {
      connection.abort();
    }
    const waitMs = Math.min(maxWaitMs, askedMs(failure) ?? backoff(failures, firstWaitMs));
    onBreak?.({ error: failure, waitMs, after: position, hasBegun });
    await pause(waitMs, signal);
  }
}

function isFinal(error: unknown): boolean {
  const { status = 0 } = Object(error) as Refusal;
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/** The milliseconds that the service asks for; undefined where it names no number. */
function askedMs(failure: unknown): number | undefined {
  const { retryAfter = Number.NaN } = Object(failure) as Refusal;
  return retryAfter >= 0 ? retryAfter * 1000 : undefined;
}

/** The milliseconds between two messages of the service at most, until its first message names them. */
const usualHeartbeatMs = 25_000;

/**
 * Opens a stream of server-sent events and reads its messages until it ends. A stream that is silent for two heartbeats
 * and more, or that does not open in that time, is broken.
 */
export async function* streamMessages(
  open: () => Promise<Response>,
  heartbeatMs = usualHeartbeatMs,
): AsyncGenerator<EventSourceMessage, void, void> {
  let silenceMs = heartbeatMs * 2.5;
  const response = await withDeadline(open(), silenceMs);
  const reader = response.body?.getReader();
  if (!reader) return;
  const messages: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: message => messages.push(message) });
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await withDeadline(reader.read(), silenceMs);
    if (done) return;
    parser.feed(decoder.decode(value, { stream: true }));
    for (const message of messages.splice(0)) {
      if (message.event === "hello") silenceMs = heartbeatIn(message.data, heartbeatMs) * 2.5;
      yield message;
    }
  }
}

function heartbeatIn(hello: string, usualMs: number): number {
  const { heartbeat_ms = usualMs } = JSON.parse(hello) as { heartbeat_ms?: number };
  return heartbeat_ms;
}

function withDeadline<T>(promise: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The stream was silent for ${ms} ms.`)), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
