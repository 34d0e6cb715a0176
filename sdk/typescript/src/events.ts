import { createParser, type EventSourceMessage } from "eventsource-parser";
import { EventGapError, errorOf, MagpieConnectionError, MagpieError } from "./errors.ts";
import { pause } from "./pause.ts";
import { backoff } from "./retrying-fetch.ts";
import type { Event } from "./types.ts";

export interface EventsOptions {
  /** Begins after the event with this `seq`; 0 for all that are kept. Without it, with what is new from now on. */
  after?: number;
  signal?: AbortSignal;
}

/** Opens the stream after a position. */
export type OpenStream = (after: number | undefined, signal: AbortSignal) => Promise<Response>;

interface Hello {
  seq: number;
  heartbeat_ms: number;
}

/** What ends a stream for good: another attempt would end the same way. */
const final = new Set(["unauthorized", "forbidden", "validation_failed", "not_found"]);
const defaultHeartbeatMs = 25_000;

/**
 * The events of a key, without end. A broken stream is opened again after the last event, so nothing is lost or repeated.
 * Throws an EventGapError when events that follow the position are kept no longer, a MagpieError when the key is refused, and
 * the signal's reason when it is aborted.
 */
export async function* followEvents(
  open: OpenStream,
  { after, signal }: EventsOptions,
): AsyncGenerator<Event, void, void> {
  let position = after;
  for (let failures = 0; ; failures += 1) {
    const stream = new AbortController();
    try {
      const end = signal ? AbortSignal.any([signal, stream.signal]) : stream.signal;
      const response = await open(position, end);
      if (!response.ok) throw await refusal(response, position);
      for await (const { event, data } of messagesOf(response)) {
        const content = JSON.parse(data);
        if (event === "error") throw endOf(content, position);
        failures = 0;
        // A stream without a position is live from here on, and resumes here.
        if (event === "hello") position ??= (content as Hello).seq;
        else {
          position = (content as Event).seq;
          yield content as Event;
        }
      }
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error instanceof EventGapError || (error instanceof MagpieError && final.has(error.code)))
        throw error;
      const asked = error instanceof MagpieError ? error.retryAfter : undefined;
      await pause(asked === undefined ? backoff(failures) : asked * 1000, signal);
      continue;
    } finally {
      stream.abort();
    }
    await pause(backoff(failures), signal);
  }
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
