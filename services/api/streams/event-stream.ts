import type { TaggedSources } from "../../../mixins/clients/tagged-sources.ts";
import type { Bounds, EventLog } from "../../../mixins/event-log/event-log.ts";
import { type EventFilter, passes } from "./event-filter.ts";
import { OutgoingEvent } from "./outgoing-event.ts";
import { cursorTooOld, type Ending, endingOf, type HelloFrame, streamScopes, tooSlow } from "./protocol.ts";
import { Reader, type Taken } from "./reader.ts";
import type { Registry } from "./registry.ts";
import type { Follower, SharedReader, SharedReaders } from "./shared-reader.ts";

/** An open connection of either protocol. */
export interface Wire {
  hello(frame: HelloFrame): void;
  /** False when the connection is full; `writable` says when it is not. */
  event(event: OutgoingEvent): boolean;
  /** Writes the events of `work` in one step. */
  together(work: () => void): void;
  end(ending: Ending): void;
}

/** What streams share in a process. */
export interface StreamContext {
  log: EventLog;
  registry: Registry;
  /** The readers that connections of a key share. */
  shared: SharedReaders;
  /** The sources that have some tags. */
  tagged: TaggedSources;
  options: StreamOptions;
  /** Called with the cause when a stream breaks. */
  onError(error: unknown): void;
}

/**
 * A connection to a key's log. While it is up to date it follows the reader that all connections of the key share; while it
 * is behind, because it resumes or was full, it reads by itself. It has the rule for connections that are too slow.
 */
export class EventStream implements Follower {
  readonly keyId: string;
  readonly scopes = streamScopes;
  readonly #context: StreamContext;
  readonly #wire: Wire;
  #filter: Pick<EventFilter, "meaningful"> = {};
  #position = 0;
  #shared: SharedReader | undefined;
  #alone: Reader | undefined;
  #stall: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(context: StreamContext, keyId: string, wire: Wire) {
    this.#context = context;
    this.keyId = keyId;
    this.#wire = wire;
  }

  /** The last event that was sent, or left out by the filter. */
  get position(): number {
    return this.#position;
  }

  /** Says hello and reads from a position. Reads what was appended after `bounds` was taken, with or without a hint. */
  start(bounds: Bounds, position: number, filter: Pick<EventFilter, "meaningful"> = {}): void {
    const { registry, options } = this.#context;
    if (this.#closed) return;
    this.#wire.hello({
      type: "hello",
      seq: bounds.latest,
      oldest_seq: bounds.oldest,
      heartbeat_ms: options.heartbeatMs,
    });
    this.#position = position;
    this.#filter = filter;
    registry.add(this);
    this.#readOn();
  }

  /** The log may have grown. */
  wake(): void {
    this.#alone?.hint();
    this.#shared?.wake();
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
    if (this.#alone) this.#alone.resume();
    else this.#readOn();
  }

  follow(events: readonly OutgoingEvent[]): void {
    if (this.#take(events).isFull) this.#leaveShared();
  }

  left(): void {
    this.#shared = undefined;
    this.#readAlone();
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
    this.#alone?.close();
    this.#leaveShared();
    this.#context.registry.remove(this);
  }

  #readOn(): void {
    if (!this.#join()) this.#readAlone();
    this.wake();
  }

  /** False where the connections that share a reader are ahead. */
  #join(): boolean {
    this.#shared = this.#context.shared.join(this);
    if (!this.#shared) return false;
    this.#alone?.close();
    this.#alone = undefined;
    this.#context.registry.unlisten(this);
    return true;
  }

  #leaveShared(): void {
    this.#shared?.leave(this);
    this.#shared = undefined;
  }

  #readAlone(): void {
    const { log, registry } = this.#context;
    this.#alone = new Reader(log, this.keyId, this.#position, {
      take: events => this.#take(events.map(event => new OutgoingEvent(event))),
      caughtUp: () => this.#join(),
      expired: oldest => this.end(cursorTooOld(oldest)),
      failed: error => this.#fail(error),
    });
    registry.listen(this);
    this.#alone.hint();
  }

  #take(events: readonly OutgoingEvent[]): Taken {
    const taken = { count: 0, isFull: false };
    if (events.length === 1) this.#send(events, taken);
    else this.#wire.together(() => this.#send(events, taken));
    if (taken.isFull) this.#stall = setTimeout(() => this.end(tooSlow), this.#context.options.stallMs);
    return taken;
  }

  #send(events: readonly OutgoingEvent[], taken: Taken): void {
    for (const event of events) {
      taken.count += 1;
      if (event.seq <= this.#position) continue;
      this.#position = event.seq;
      if (!passes(event, this.#filter) || this.#wire.event(event)) continue;
      taken.isFull = true;
      return;
    }
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
  recheckMs: 500,
};
