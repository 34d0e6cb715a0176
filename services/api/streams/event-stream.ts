import type { TaggedSources } from "../../../mixins/clients/tagged-sources.ts";
import type { Bounds, EventLog, WrittenEvent } from "../../../mixins/event-log/event-log.ts";
import { type EventFilter, passes } from "./event-filter.ts";
import { cursorTooOld, type Ending, endingOf, type HelloFrame, tooSlow } from "./protocol.ts";
import { Reader } from "./reader.ts";
import type { Registry } from "./registry.ts";

/** An open connection of either protocol. */
export interface Wire {
  hello(frame: HelloFrame): void;
  /** False when the connection is full; `writable` says when it is not. */
  event(event: WrittenEvent): boolean;
  end(ending: Ending): void;
}

/** What streams share in a process. */
export interface StreamContext {
  log: EventLog;
  registry: Registry;
  /** The sources that have some tags. */
  tagged: TaggedSources;
  options: StreamOptions;
  /** Called with the cause when a stream breaks. */
  onError(error: unknown): void;
}

/** A consumer of a key's log: its reader, and the rule for consumers that are too slow. */
export class EventStream {
  readonly keyId: string;
  readonly #context: StreamContext;
  readonly #wire: Wire;
  #reader: Reader | undefined;
  #stall: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(context: StreamContext, keyId: string, wire: Wire) {
    this.#context = context;
    this.keyId = keyId;
    this.#wire = wire;
  }

  /** Says hello and reads from a position. Reads what was appended after `bounds` was taken, with or without a hint. */
  start(bounds: Bounds, position: number, { meaningful }: Pick<EventFilter, "meaningful"> = {}): void {
    const { log, registry, options } = this.#context;
    if (this.#closed) return;
    this.#wire.hello({
      type: "hello",
      seq: bounds.latest,
      oldest_seq: bounds.oldest,
      heartbeat_ms: options.heartbeatMs,
    });
    this.#reader = new Reader(log, this.keyId, position, {
      take: event => !passes(event, { meaningful }) || this.#take(event),
      expired: oldest => this.end(cursorTooOld(oldest)),
      failed: error => this.#fail(error),
    });
    registry.add(this);
    this.#reader.hint();
  }

  /** The log may have grown. */
  wake(): void {
    this.#reader?.hint();
  }

  /** It has ended, or ends soon unless its connection takes events. The connection may stay open meanwhile. */
  get isEnding(): boolean {
    return this.#closed || this.#stall !== undefined;
  }

  /** The connection takes events again. */
  writable(): void {
    if (this.#stall === undefined) return;
    clearTimeout(this.#stall);
    this.#stall = undefined;
    this.#reader?.resume();
  }

  end(ending: Ending): void {
    if (this.#closed) return;
    this.close();
    this.#wire.end(ending);
  }

  /** The connection is gone. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#stall);
    this.#stall = undefined;
    this.#reader?.close();
    this.#context.registry.remove(this);
  }

  #take(event: WrittenEvent): boolean {
    if (this.#wire.event(event)) return true;
    this.#stall = setTimeout(() => this.end(tooSlow), this.#context.options.stallMs);
    return false;
  }

  #fail(error: unknown): void {
    this.#context.onError(error);
    this.end(endingOf(error));
  }
}

/** Times and bounds of streams; tests shorten them. */
export interface StreamOptions {
  /** Between pings, and between comments of server-sent events. */
  heartbeatMs: number;
  /** How long a pong may take. */
  pongMs: number;
  /** How long the first frame, which carries the key, may take. */
  authMs: number;
  /** How long a connection may accept nothing before it is closed as too slow. */
  stallMs: number;
  /** How long a closing handshake may take. */
  closeMs: number;
  /** Milliseconds until a connection that was too slow is closed; it learns why when it reads again. */
  lingerMs: number;
  /** Reading the log pauses when more bytes than this wait in this process for one connection. */
  highWaterBytes: number;
  /** Between checks that the keys of open streams still exist. */
  recheckMs: number;
}

export const streamDefaults: StreamOptions = {
  heartbeatMs: 25_000,
  pongMs: 10_000,
  authMs: 5_000,
  stallMs: 10_000,
  closeMs: 3_000,
  lingerMs: 30_000,
  highWaterBytes: 64 * 1024,
  recheckMs: 500,
};
