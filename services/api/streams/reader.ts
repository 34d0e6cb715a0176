import { setImmediate as yieldToLoop } from "node:timers/promises";
import type { EventLog, WrittenEvent } from "../../../mixins/event-log/event-log.ts";
import { codeOf } from "../../contracts/errors.ts";

/** The part of a log that a reader needs. */
export type Readable = Pick<EventLog, "readWithin">;

/** The destination of a reader's events. */
export interface Outlet {
  /** Takes events that follow one another, at least one. */
  take(events: readonly WrittenEvent[]): Taken | Promise<Taken>;
  /** There is nothing after the position, as far as is known. */
  caughtUp?(): void;
  /** The events after the position have expired; the log continues at `oldest`. The reader has stopped. */
  expired(oldest: number): void;
  /** The log could not be read. The reader has stopped. */
  failed(error: unknown): void;
}

/** What an outlet took: the first `count` of the events. It takes no more while it is full, until `resume`. */
export interface Taken {
  count: number;
  isFull: boolean;
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
    if (this.#closed) return;
    const gap = events.findIndex(({ seq }, at) => seq !== this.#position + 1 + at);
    const handingOver = this.#handOver(gap < 0 ? events : events.slice(0, gap));
    if (handingOver) await handingOver;
    if (this.#held || this.#closed) return;
    if (gap >= 0) this.#stop(() => this.#outlet.expired(events[gap]?.seq ?? 0));
    else if (!more) {
      if (!this.#more) this.#outlet.caughtUp?.();
    } else {
      this.#more = true;
      // A log that answers at once would block everything else while a long backlog is read.
      await yieldToLoop();
    }
  }

  /** The position is that after these events meanwhile: what looks at it has them, or gets them now. */
  #handOver(events: readonly WrittenEvent[]): Promise<void> | undefined {
    if (events.length === 0) return undefined;
    this.#position += events.length;
    const taking = this.#outlet.take(events);
    const note = ({ count, isFull }: Taken) => {
      this.#position -= events.length - count;
      this.#held = isFull;
    };
    if (taking instanceof Promise) return taking.then(note);
    // Without a pause: the outlet may have room again in the next moment.
    note(taking);
    return undefined;
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
