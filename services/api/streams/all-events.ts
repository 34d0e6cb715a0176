import type { Server } from "node:http";
import type { WrittenEvent } from "../../../mixins/event-log/event-log.ts";
import type { ParamsSchema } from "../../contracts/action.ts";
import { meaningful } from "../../contracts/endpoint-options.ts";
import { fail } from "../../contracts/errors.ts";
import { type EventType, eventTypes } from "../../contracts/events.ts";
import { count } from "../../contracts/schema.ts";
import { checkParams } from "../request/check-params.ts";
import type { Request, Response } from "../request/request.ts";
import { type EventFilter, passes, sourceOrKind } from "./event-filter.ts";
import type { StreamOptions } from "./event-stream.ts";
import { type Ending, endingOf, tooSlow } from "./protocol.ts";
import { type KeyEvent, recentEvents } from "./recent-events.ts";
import { Sampler } from "./sampler.ts";
import { beginSse, endSse, endWithSession } from "./sse.ts";
import type { Streams } from "./streams.ts";

/** Which events a stream is about. */
interface AllEventsRequest {
  type?: EventType;
  source?: string;
  key_id?: string;
  meaningful?: boolean;
  recent?: number;
}

export const allEventsParams: ParamsSchema = {
  $$strict: true,
  type: { type: "enum", values: eventTypes, optional: true, description: "Only events of this type." },
  source: { ...sourceOrKind, optional: true },
  key_id: { type: "string", min: 1, max: 64, optional: true, description: "Only events of this key." },
  meaningful: { ...meaningful, convert: true },
  recent: {
    ...count,
    max: 100,
    convert: true,
    optional: true,
    description: "Begin with the newest events that are there, at most this many.",
  },
};

/** Events a second beyond which a stream has a sample. */
const mostPerSecond = 50;

interface EventSource {
  readonly streams: Pick<Streams, "feed" | "context" | "all">;
  readonly server: Server;
}

/**
 * The new events of all keys as server-sent events, for an administrator. It starts with what is appended from now on, or
 * with the newest that are there (`recent`), and keeps no position: what a slow connection does not take is counted and left
 * out. It ends with the session that opened it: `holds` says whether that still does.
 */
export function serveAllEvents(
  { streams, server }: EventSource,
  req: Request,
  res: Response,
  params: Record<string, unknown>,
  holds?: () => Promise<boolean>,
): void {
  checkParams(allEventsParams, params);
  if (!server.listening) throw fail("overloaded", "The service is stopping. Try again shortly.");
  if (!beginSse(req, res)) return;
  const stream = new AllEvents(streams, res, params);
  res.on("drain", () => stream.writable());
  const recheck = holds && endWithSession(stream, holds, streams.context);
  res.once("close", () => {
    void recheck?.stop();
    stream.close();
  });
  stream.start();
}

/** A connection that follows the events of all keys. */
export class AllEvents {
  readonly #streams: EventSource["streams"];
  readonly #options: StreamOptions;
  readonly #res: Response;
  readonly #filter: EventFilter;
  readonly #keyId: string | undefined;
  readonly #sampler = new Sampler(mostPerSecond);
  readonly #timers: NodeJS.Timeout[] = [];
  #stall: NodeJS.Timeout | undefined;
  #unfollow: (() => void) | undefined;
  #isClosed = false;
  readonly #recent: number;
  /** What was appended while the recent events were read; undefined when they are sent. */
  #held: KeyEvent[] | undefined;
  readonly #sent = new Set<string>();

  constructor(
    streams: EventSource["streams"],
    res: Response,
    { type, source, key_id, meaningful, recent = 0 }: AllEventsRequest,
  ) {
    this.#streams = streams;
    this.#options = streams.context.options;
    this.#res = res;
    const sources = source !== undefined && { sources: [source] };
    this.#filter = { ...(type && { types: [type] }), ...sources, ...(meaningful && { meaningful }) };
    this.#keyId = key_id;
    this.#recent = recent;
  }

  start(): void {
    const { heartbeatMs } = this.#options;
    this.#send("hello", { type: "hello", heartbeat_ms: heartbeatMs });
    this.#timers.push(
      setInterval(() => this.#report(), 1_000),
      setInterval(() => this.#beat(), heartbeatMs),
    );
    const keyId = this.#keyId;
    const take = (of: string, event: WrittenEvent) => this.#take(of, event);
    this.#unfollow = this.#streams.feed.follow({ ...(keyId !== undefined && { keyId }), take });
    this.#streams.all.add(this);
    if (this.#recent > 0) void this.#sendRecent();
  }

  /** The connection takes events again. */
  writable(): void {
    clearTimeout(this.#stall);
    this.#stall = undefined;
  }

  end(ending: Ending): void {
    if (this.#isClosed) return;
    this.close();
    endSse(this.#res, ending, this.#options);
  }

  /** The connection is gone. */
  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    this.writable();
    this.#unfollow?.();
    this.#streams.all.delete(this);
  }

  /** It is called in the same step as `follow`, so that no event comes between the two. */
  async #sendRecent(): Promise<void> {
    this.#held = [];
    try {
      const wanted = (event: WrittenEvent) => passes(event, this.#filter);
      const recent = await recentEvents(this.#streams.context.log, this.#recent, wanted, this.#keyId);
      if (this.#isClosed) return;
      for (const { keyId, event } of recent) {
        this.#sent.add(event.id);
        this.#sendEvent(keyId, event);
      }
      const held = this.#held;
      this.#held = undefined;
      for (const { keyId, event } of held) if (!this.#sent.has(event.id)) this.#sendEvent(keyId, event);
    } catch (error) {
      this.#streams.context.onError(error);
      this.end(endingOf(error));
    }
  }

  #take(keyId: string, event: WrittenEvent): void {
    if (this.#sent.has(event.id)) return;
    if (!passes(event, this.#filter) || !this.#sampler.choose(this.#stall === undefined)) return;
    if (this.#held) this.#held.push({ keyId, event });
    else this.#sendEvent(keyId, event);
  }

  #sendEvent(keyId: string, event: WrittenEvent): void {
    this.#write(`data: {"key_id":${JSON.stringify(keyId)},${event.json.slice(1)}\n\n`);
  }

  #report(): void {
    const sampled = this.#sampler.next();
    if (sampled && this.#stall === undefined) this.#send("sampled", sampled);
  }

  #beat(): void {
    if (this.#stall === undefined) this.#write(": still here\n\n");
  }

  #send(event: string, data: object): void {
    this.#write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  #write(text: string): void {
    if (this.#res.write(text)) return;
    this.#stall ??= setTimeout(() => this.end(tooSlow), this.#options.stallMs);
  }
}
