import { setTimeout as sleep } from "node:timers/promises";
import { WakeSignal } from "../../../mixins/async/wake-signal.ts";
import type { EventReading } from "../streams/read-events.ts";
import type { OpenStream } from "../streams/registry.ts";
import { resourceScopes, seqField, startOf, type Target } from "./resource-uris.ts";

/** What a client is told: that a resource has changed, and the latest event that changed it. */
export interface Update {
  uri: string;
  seq: number;
}

/** As a notification has it. */
export function paramsOf({ uri, seq }: Update) {
  return { uri, _meta: { [seqField]: seq } };
}

interface Watched extends Target {
  /** Events up to here are told, or were there before. */
  position: number;
}

interface Options {
  reading: Pick<EventReading, "log" | "registry">;
  keyId: string;
  tell(update: Update): void;
  /** Called when it is closed. */
  closed(): void;
  /** Called once when the key may not be told any more, or the gateway stops. */
  end(): void;
  onError(error: unknown): void;
}

const portion = { events: 500, bytes: 256 * 1024 };
/** Appends within this time are one notification. */
const pauseMs = 200;
/** A hint that the log has grown may be lost, so the log is read again after this time. */
const readAgainMs = 5_000;

/** Watches the log of a key for a client, and tells it which of the resources that it names have changed. */
export class ResourceWatch implements OpenStream {
  readonly keyId: string;
  readonly scopes = resourceScopes;
  readonly #options: Options;
  readonly #watched = new Map<string, Watched>();
  readonly #grown = new WakeSignal();
  readonly #ending = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: Options) {
    this.keyId = options.keyId;
    this.#options = options;
    options.reading.registry.add(this);
  }

  get size(): number {
    return this.#watched.size;
  }

  /** Watches a resource from its position on; false for a position ahead of the log. What is there already is told at once. */
  async add(target: Target): Promise<boolean> {
    const { log } = this.#options.reading;
    const position = startOf(target, await log.bounds(this.keyId));
    if (position === undefined) return false;
    this.#watched.set(target.uri, { ...target, position });
    this.#running ??= this.#run();
    this.wake();
    return true;
  }

  remove(uri: string): void {
    this.#watched.delete(uri);
  }

  /** The log may have grown. */
  wake(): void {
    this.#grown.notify();
  }

  /** Ends it; the client has to be told nothing more. */
  close(): void {
    if (this.#ending.signal.aborted) return;
    this.#options.reading.registry.remove(this);
    this.#options.closed();
    this.#ending.abort();
    this.#grown.notify();
  }

  /** The registry ends it: the key may not read events any more, or the gateway stops. */
  end(): void {
    if (this.#ending.signal.aborted) return;
    this.close();
    this.#options.end();
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      try {
        for (const update of await this.#updates()) if (!signal.aborted) this.#options.tell(update);
      } catch (error) {
        this.#options.onError(error);
      }
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await this.#grown.wait(readAgainMs);
    }
  }

  /** Reads on from the earliest position; each resource that has changed is there once, with its latest event. */
  async #updates(): Promise<Update[]> {
    const updated = new Map<string, number>();
    for (let more = this.#watched.size > 0; more && !this.#ending.signal.aborted; ) {
      const watched = [...this.#watched.values()];
      const from = Math.min(...watched.map(({ position }) => position));
      const read = await this.#options.reading.log.readWithin(this.keyId, from, portion);
      for (const { seq, sourceId } of read.events)
        for (const each of watched) {
          if (seq <= each.position) continue;
          each.position = seq;
          if (each.sourceId === undefined || each.sourceId === sourceId) updated.set(each.uri, seq);
        }
      more = read.more && read.events.length > 0;
    }
    return [...updated].map(([uri, seq]) => ({ uri, seq })).filter(({ uri }) => this.#watched.has(uri));
  }
}
