import { setImmediate as yieldToLoop } from "node:timers/promises";
import type { WrittenEvent } from "../../../mixins/event-log/event-log.ts";
import { OutgoingEvent } from "./outgoing-event.ts";
import { type Readable, Reader, type Taken } from "./reader.ts";
import type { Registry } from "./registry.ts";

/** A connection that is up to date with its key's log. */
export interface Follower {
  readonly keyId: string;
  /** The last event that it has. */
  readonly position: number;
  /** Events after the position of the shared reader, in order; it leaves out those that it has. */
  follow(events: readonly OutgoingEvent[]): void;
  /** The shared reader cannot go on: the follower reads by itself, and finds out why. */
  left(): void;
}

/** Followers that get events in one turn of the event loop. */
const servedTogether = 64;

/**
 * Each key has one reader for all of its connections that are up to date: an event is read once and made into bytes once. A
 * connection that is behind reads by itself, and joins when it has caught up.
 */
export class SharedReaders {
  readonly #log: Readable;
  readonly #registry: Pick<Registry, "listen" | "unlisten">;
  readonly #readers = new Map<string, SharedReader>();

  constructor(log: Readable, registry: Pick<Registry, "listen" | "unlisten">) {
    this.#log = log;
    this.#registry = registry;
  }

  /** How many keys are read. */
  get size(): number {
    return this.#readers.size;
  }

  /** Undefined where the others of the key are ahead: then it has to read on. The reader looks for what it has missed. */
  join(follower: Follower): SharedReader | undefined {
    const { keyId } = follower;
    const reader = this.#readers.get(keyId) ?? this.#open(follower);
    return reader.join(follower) ? reader : undefined;
  }

  #open({ keyId, position }: Follower): SharedReader {
    const reader: SharedReader = new SharedReader(this.#log, keyId, position, () => {
      this.#registry.unlisten(reader);
      if (this.#readers.get(keyId) === reader) this.#readers.delete(keyId);
    });
    this.#readers.set(keyId, reader);
    this.#registry.listen(reader);
    return reader;
  }
}

/** Reads the log of one key while it has followers. */
export class SharedReader {
  readonly keyId: string;
  readonly #followers = new Set<Follower>();
  readonly #reader: Reader;
  readonly #onEmpty: () => void;

  constructor(log: Readable, keyId: string, position: number, onEmpty: () => void) {
    this.keyId = keyId;
    this.#onEmpty = onEmpty;
    this.#reader = new Reader(log, keyId, position, {
      take: events => this.#handOver(events),
      expired: () => void this.#dissolve(),
      failed: () => void this.#dissolve(),
    });
  }

  /** False where it is ahead of the follower. */
  join(follower: Follower): boolean {
    if (this.#reader.position > follower.position) return false;
    this.#followers.add(follower);
    return true;
  }

  leave(follower: Follower): void {
    if (this.#followers.delete(follower) && this.#followers.size === 0) this.#close();
  }

  /** The log may have grown. */
  wake(): void {
    this.#reader.hint();
  }

  /** To few at once, to many some at a time. One that joins meanwhile has these events. */
  #handOver(events: readonly WrittenEvent[]): Taken | Promise<Taken> {
    const outgoing = events.map(event => new OutgoingEvent(event));
    const taken = { count: events.length, isFull: false };
    if (this.#followers.size > servedTogether)
      return this.#inTurns(follower => follower.follow(outgoing)).then(() => taken);
    for (const follower of this.#followers) follower.follow(outgoing);
    return taken;
  }

  /** They read by themselves, some of them at a time. Those that leave meanwhile need nothing. */
  async #dissolve(): Promise<void> {
    this.#close();
    await this.#inTurns(follower => {
      this.#followers.delete(follower);
      follower.left();
    });
  }

  async #inTurns(serve: (follower: Follower) => void): Promise<void> {
    let served = 0;
    for (const follower of this.#followers) {
      serve(follower);
      served += 1;
      if (served % servedTogether === 0) await yieldToLoop();
    }
  }

  #close(): void {
    this.#reader.close();
    this.#onEmpty();
  }
}
