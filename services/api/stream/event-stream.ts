import type { Bounds, EventLog, WrittenEvent } from "../../../mixins/log/log.ts";
import { cursorTooOld, type Ending, endingOf, type HelloFrame, tooSlow } from "./frames.ts";
import type { StreamOptions } from "./options.ts";
import { Reader } from "./reader.ts";
import type { Registry } from "./registry.ts";

/** One open connection, whatever its protocol. */
export interface Wire {
  hello(frame: HelloFrame): void;
  /** False when it wants no more, until `writable` is called. */
  event(event: WrittenEvent): boolean;
  end(ending: Ending): void;
}

/** What streams share in a process. */
export interface StreamHouse {
  log: EventLog;
  registry: Registry;
  options: StreamOptions;
  /** Takes the cause of a stream that broke. */
  onError(error: unknown): void;
}

/** One consumer of a key's log: its reader, and the rule for those that do not keep up. */
export class EventStream {
  readonly keyId: string;
  readonly #house: StreamHouse;
  readonly #wire: Wire;
  #reader: Reader | undefined;
  #stall: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(house: StreamHouse, keyId: string, wire: Wire) {
    this.#house = house;
    this.keyId = keyId;
    this.#wire = wire;
  }

  /** Says hello and reads on from a position. What is appended after `bounds` was taken is read, hint or no hint. */
  start(bounds: Bounds, position: number): void {
    const { log, registry, options } = this.#house;
    if (this.#closed) return;
    this.#wire.hello({
      type: "hello",
      seq: bounds.latest,
      oldest_seq: bounds.oldest,
      heartbeat_ms: options.heartbeatMs,
    });
    this.#reader = new Reader(log, this.keyId, position, {
      take: event => this.#take(event),
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

  /** It has ended, or will soon if its connection takes nothing: for as long as that may take the connection stays. */
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
    this.#house.registry.remove(this);
  }

  #take(event: WrittenEvent): boolean {
    if (this.#wire.event(event)) return true;
    this.#stall = setTimeout(() => this.end(tooSlow), this.#house.options.stallMs);
    return false;
  }

  #fail(error: unknown): void {
    this.#house.onError(error);
    this.end(endingOf(error));
  }
}
