import { setImmediate as yieldToLoop } from "node:timers/promises";
import type { EventLog, WrittenEvent } from "../../../mixins/event-log/event-log.ts";
import { codeOf } from "../../contracts/errors.ts";

/** The part of a log that a reader needs. */
export type Readable = Pick<EventLog, "readWithin">;

/** The destination of a reader's events. */
export interface Outlet {
  /** Takes one event; false when it is full until `resume`. */
  take(event: WrittenEvent): boolean;
  /** The events after the position have expired; the log continues at `oldest`. The reader has stopped. */
  expired(oldest: number): void;
  /** The log could not be read. The reader has stopped. */
  failed(error: unknown): void;
}

/** The wait before the next try when the log's server cannot be reached. */
const untilNextTryMs = 1000;

/** Bounds what readers that are woken together hold in memory. */
const portion = { events: 64, bytes: 256 * 1024 };

/**
 * Reads one key's log from a position, in order, each event once. It keeps a position and no queue: while its outlet is
 * full it reads nothing, and then continues from the log. Catching up and following live are the same loop, so no event
 * is lost between them.
 */
export class Reader {
  readonly #log: Readable;
  readonly #keyId: string;
  readonly #outlet: Outlet;
  #position: number;
  #running = false;
  #more = false;
  #held = false;
  #closed = false;
  #nextTry: NodeJS.Timeout | undefined;

  constructor(log: Readable, keyId: string, position: number, outlet: Outlet) {
    this.#log = log;
    this.#keyId = keyId;
    this.#position = position;
    this.#outlet = outlet;
  }

  /** The last event handed over. */
  get position(): number {
    return this.#position;
  }

  /** There may be new events. A hint during a read causes another read. */
  hint(): void {
    this.#more = true;
    if (!this.#running && !this.#held && !this.#closed) void this.#run();
  }

  /** The outlet takes events again. */
  resume(): void {
    this.#held = false;
    this.hint();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#nextTry);
  }

  async #run(): Promise<void> {
    this.#running = true;
    try {
      while (this.#more && !this.#held && !this.#closed) await this.#readOn();
    } catch (error) {
      if (codeOf(error) === "overloaded") this.#tryLater();
      else this.#stop(() => this.#outlet.failed(error));
    } finally {
      this.#running = false;
    }
  }

  async #readOn(): Promise<void> {
    this.#more = false;
    const { events, more } = await this.#log.readWithin(this.#keyId, this.#position, portion);
    this.#handOver(events);
    if (!more) return;
    this.#more = true;
    // A log that answers at once would block everything else while a long backlog is read.
    await yieldToLoop();
  }

  #handOver(events: WrittenEvent[]): void {
    for (const event of events) {
      if (this.#held || this.#closed) return;
      if (event.seq !== this.#position + 1) {
        this.#stop(() => this.#outlet.expired(event.seq));
        return;
      }
      this.#position = event.seq;
      this.#held = !this.#outlet.take(event);
    }
  }

  /** Connections survive an outage of the log's server; otherwise all clients would reconnect at once. */
  #tryLater(): void {
    if (this.#closed) return;
    clearTimeout(this.#nextTry);
    this.#nextTry = setTimeout(() => this.hint(), untilNextTryMs);
  }

  #stop(notify: () => void): void {
    if (this.#closed) return;
    this.#closed = true;
    notify();
  }
}
