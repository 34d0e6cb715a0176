/** A deleted key must stop working within 1 s; the rest is for the look-up. */
const maxAgeMs = 800;
const maxEntries = 10_000;

interface Entry<Found> {
  answer: Promise<Found | null>;
  /** Set when the answer has arrived. */
  found?: Found;
  askedAt: number;
}

/**
 * Caches what the keys service says of keys and sessions, so a busy one costs about one look-up a second. Only those that
 * exist are kept.
 */
export class LookupCache<Found> {
  readonly #entries = new Map<string, Entry<Found>>();
  readonly #lookUp: (text: string) => Promise<Found | null>;
  readonly #now: () => number;

  constructor(lookUp: (text: string) => Promise<Found | null>, now: () => number = () => performance.now()) {
    this.#lookUp = lookUp;
    this.#now = now;
  }

  get size(): number {
    return this.#entries.size;
  }

  find(text: string): Promise<Found | null> {
    const entry = this.#entries.get(text);
    if (entry && this.#now() - entry.askedAt < maxAgeMs) return entry.answer;
    return this.#ask(text);
  }

  /** Drops what has changed. Look-ups in flight are dropped too: their answers may be from before. */
  forget(hasChanged: (found: Found) => boolean): void {
    for (const [text, { found }] of this.#entries)
      if (found === undefined || hasChanged(found)) this.#entries.delete(text);
  }

  /** The age counts from the question, not the answer, so a key deleted in between is not served for longer. */
  #ask(text: string): Promise<Found | null> {
    const entry: Entry<Found> = { answer: this.#lookUp(text), askedAt: this.#now() };
    this.#entries.delete(text);
    if (this.#entries.size >= maxEntries) this.#dropOldest();
    this.#entries.set(text, entry);
    const forget = () => {
      if (this.#entries.get(text) === entry) this.#entries.delete(text);
    };
    entry.answer.then(found => {
      if (found) entry.found = found;
      else forget();
    }, forget);
    return entry.answer;
  }

  #dropOldest(): void {
    for (const text of this.#entries.keys()) {
      this.#entries.delete(text);
      return;
    }
  }
}
