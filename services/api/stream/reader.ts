import { setImmediate as nextTurn } from "node:timers/promises";
import type { EventLog, WrittenEvent } from "../../../mixins/log/log.ts";
import { codeOf } from "../../contracts/errors.ts";

/** The part of a log that a reader needs. */
export type Readable = Pick<EventLog, "readPortion">;

/** Where a reader's events go. */
export interface Outlet {
  /** Takes one event; false when it wants no more until `resume`. */
  take(event: WrittenEvent): boolean;
  /** What follows the position has expired; the log goes on at `oldest`. The reader has stopped. */
  expired(oldest: number): void;
  /** The log could not be read. The reader has stopped. */
  failed(error: unknown): void;
}

/** Before a log is asked again whose server is away. */
const untilNextTryMs = 1000;

/** Bounds what all readers hold at a time that are woken together. */
const portion = { events: 64, bytes: 256 * 1024 };

/**
 * Reads one key's log from a position on, in order, each event once. It keeps a position and no queue: while its outlet
 * wants nothing it reads nothing, and goes on from the log. Catching up and following live are the same loop, so there
 * is no seam between them.
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

  /** There may be something new. A hint that comes during a read makes another one follow. */
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
    const { events, more } = await this.#log.readPortion(this.#keyId, this.#position, portion);
    this.#handOver(events);
    if (!more) return;
    this.#more = true;
    // A log that answers at once would keep everything else waiting while a long backlog is read.
    await nextTurn();
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

  /** Connections outlast a server that is away for a while: all at once they would come again. */
  #tryLater(): void {
    if (this.#closed) return;
    clearTimeout(this.#nextTry);
    this.#nextTry = setTimeout(() => this.hint(), untilNextTryMs);
  }

  #stop(tell: () => void): void {
    if (this.#closed) return;
    this.#closed = true;
    tell();
  }
}
