import type { Caller } from "../../contracts/caller.ts";

/** Shorter than the 1 s within which a deleted key must stop, by what a look-up may take. */
const maxAgeMs = 800;
const maxEntries = 10_000;

interface Entry {
  caller: Promise<Caller | null>;
  /** Once the answer has come. */
  keyId?: string;
  askedAt: number;
}

/** Remembers who a key belongs to, so that a busy key costs one look-up a second. Only keys that exist are kept. */
export class KeyCache {
  readonly #entries = new Map<string, Entry>();
  readonly #lookUp: (key: string) => Promise<Caller | null>;
  readonly #now: () => number;

  constructor(lookUp: (key: string) => Promise<Caller | null>, now: () => number = () => performance.now()) {
    this.#lookUp = lookUp;
    this.#now = now;
  }

  get size(): number {
    return this.#entries.size;
  }

  find(key: string): Promise<Caller | null> {
    const entry = this.#entries.get(key);
    if (entry && this.#now() - entry.askedAt < maxAgeMs) return entry.caller;
    return this.#ask(key);
  }

  /** A key is gone. Questions that are under way are forgotten too: their answers may be from before. */
  forget(keyId: string): void {
    for (const [key, entry] of this.#entries)
      if (entry.keyId === undefined || entry.keyId === keyId) this.#entries.delete(key);
  }

  /** The age counts from the question, not the answer: a key deleted in between is not served for longer. */
  #ask(key: string): Promise<Caller | null> {
    const entry: Entry = { caller: this.#lookUp(key), askedAt: this.#now() };
    this.#entries.delete(key);
    if (this.#entries.size >= maxEntries) this.#dropOldest();
    this.#entries.set(key, entry);
    const forget = () => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    };
    entry.caller.then(caller => {
      if (caller) entry.keyId = caller.keyId;
      else forget();
    }, forget);
    return entry.caller;
  }

  #dropOldest(): void {
    for (const key of this.#entries.keys()) {
      this.#entries.delete(key);
      return;
    }
  }
}
