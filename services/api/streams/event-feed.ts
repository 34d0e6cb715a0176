import { setImmediate as yieldToLoop } from "node:timers/promises";
import type { EventLog, WrittenEvent } from "../../../mixins/event-log/event-log.ts";

/** The part of a log that the feed needs. */
export type FeedLog = Pick<EventLog, "onAppended" | "positionAt" | "readWithin">;

/** A follower of the events of all keys, or of one. */
export interface Follower {
  /** Only the events of this key. */
  keyId?: string;
  take(keyId: string, event: WrittenEvent): void;
}

/** Logs that are read at a time. */
const readTogether = 16;
/** What is read of one log at a time; the rest follows in the next round. */
const portion = { events: 64, bytes: 256 * 1024 };
const untilNextTryMs = 1_000;

/**
 * The new events of all keys, each once, in the order of each log. It reads the logs that have grown while somebody
 * follows, once for all followers, and nothing otherwise.
 */
export class EventFeed {
  readonly #log: FeedLog;
  readonly #onError: (error: unknown) => void;
  readonly #followers = new Set<Follower>();
  #reading: Reading | undefined;

  /** `onError` gets failures to read, which are tried again. */
  constructor(log: FeedLog, onError: (error: unknown) => void) {
    this.#log = log;
    this.#onError = onError;
  }

  /** Hands over what is appended from now on. Returns the function that ends it. */
  follow(follower: Follower): () => void {
    this.#followers.add(follower);
    this.#reading ??= new Reading(this.#log, this.#followers, this.#onError);
    return () => {
      if (!this.#followers.delete(follower) || this.#followers.size > 0) return;
      this.#reading?.close();
      this.#reading = undefined;
    };
  }
}

/** Reads the logs that grow, from its start to its end. */
class Reading {
  readonly #log: FeedLog;
  readonly #followers: ReadonlySet<Follower>;
  readonly #onError: (error: unknown) => void;
  readonly #since = new Date();
  /** The last event that was handed over, by key. */
  readonly #positions = new Map<string, number>();
  readonly #grown = new Set<string>();
  readonly #unsubscribe: () => void;
  /** They could not be read, and are tried again together. */
  readonly #failed = new Set<string>();
  #nextTry: NodeJS.Timeout | undefined;
  #isClosed = false;
  #running: Promise<void> | undefined;

  constructor(log: FeedLog, followers: ReadonlySet<Follower>, onError: (error: unknown) => void) {
    this.#log = log;
    this.#followers = followers;
    this.#onError = onError;
    this.#unsubscribe = log.onAppended(keyIds => this.#wake(keyIds));
  }

  close(): void {
    this.#unsubscribe();
    clearTimeout(this.#nextTry);
    this.#isClosed = true;
  }

  #wake(keyIds: readonly string[]): void {
    const wanted = [...this.#followers].map(({ keyId }) => keyId);
    const wantsAll = wanted.includes(undefined);
    for (const keyId of keyIds) if (wantsAll || wanted.includes(keyId)) this.#grown.add(keyId);
    if (this.#grown.size > 0) this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    while (this.#grown.size > 0 && !this.#isClosed) {
      const keyIds = this.#next();
      await Promise.all(keyIds.map(keyId => this.#readOne(keyId)));
      await yieldToLoop();
    }
    this.#running = undefined;
  }

  #next(): string[] {
    const keyIds: string[] = [];
    for (const keyId of this.#grown) {
      this.#grown.delete(keyId);
      if (keyIds.push(keyId) === readTogether) break;
    }
    return keyIds;
  }

  async #readOne(keyId: string): Promise<void> {
    try {
      const after = this.#positions.get(keyId) ?? (await this.#log.positionAt(keyId, this.#since));
      const { events, more } = await this.#log.readWithin(keyId, after, portion);
      if (this.#isClosed) return;
      this.#positions.set(keyId, events.at(-1)?.seq ?? after);
      for (const event of events) this.#handOver(keyId, event);
      if (more) this.#grown.add(keyId);
    } catch (error) {
      this.#onError(error);
      this.#tryLater(keyId);
    }
  }

  #handOver(keyId: string, event: WrittenEvent): void {
    for (const follower of [...this.#followers])
      if (follower.keyId === undefined || follower.keyId === keyId) follower.take(keyId, event);
  }

  #tryLater(keyId: string): void {
    if (this.#isClosed) return;
    this.#failed.add(keyId);
    this.#nextTry ??= setTimeout(() => {
      this.#nextTry = undefined;
      const keyIds = [...this.#failed];
      this.#failed.clear();
      this.#wake(keyIds);
    }, untilNextTryMs);
  }
}
