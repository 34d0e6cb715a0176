import { setImmediate as yieldToLoop } from "node:timers/promises";

/** Milliseconds for which a newly followed source stays, although the tracker does not list it yet. */
const graceMs = 60_000;

/** The tracked sources of a platform, as far as this process knows. */
export class TrackedSources {
  readonly #addedAt = new Map<string, number>();
  /** Sources that were unfollowed since the last read began. */
  readonly #removedAt = new Map<string, number>();
  readonly #watchers = new Set<() => void>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  has(externalId: string): boolean {
    return this.#addedAt.has(externalId);
  }

  all(): string[] {
    return [...this.#addedAt.keys()];
  }

  /** Calls `changed` after every change, until the returned function is called. */
  watch(changed: () => void): () => void {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }

  add(externalId: string): void {
    const isNew = !this.has(externalId);
    this.#addedAt.set(externalId, this.#now());
    this.#removedAt.delete(externalId);
    if (isNew) this.#changed();
  }

  remove(externalId: string): void {
    this.#removedAt.set(externalId, this.#now());
    if (this.#addedAt.delete(externalId)) this.#changed();
  }

  /**
   * Applies a list that was read from `readAt` on. It may be outdated: a source is followed before it is tracked, and one
   * that was unfollowed meanwhile is still in the list. Returns the sources that were not known.
   */
  async replace(found: ReadonlySet<string>, readAt: number): Promise<string[]> {
    const added: string[] = [];
    for await (const some of slicesOf(found))
      for (const id of some)
        if (!this.has(id) && (this.#removedAt.get(id) ?? 0) < readAt) {
          this.#addedAt.set(id, 0);
          added.push(id);
        }
    let gone = 0;
    for await (const some of slicesOf(this.#addedAt))
      for (const [id, addedAt] of some)
        if (!found.has(id) && addedAt < readAt - graceMs && this.#addedAt.get(id) === addedAt) {
          this.#addedAt.delete(id);
          gone += 1;
        }
    for (const [id, removedAt] of this.#removedAt) if (removedAt < readAt) this.#removedAt.delete(id);
    if (gone + added.length > 0) this.#changed();
    return added;
  }

  #changed(): void {
    for (const changed of [...this.#watchers]) changed();
  }
}

const sliceSize = 5_000;

/** All items, a slice at a time, and in between other work. */
export async function* slicesOf<Item>(items: Iterable<Item>): AsyncGenerator<Item[]> {
  let slice: Item[] = [];
  for (const item of items) {
    if (slice.push(item) < sliceSize) continue;
    yield slice;
    slice = [];
    await yieldToLoop();
  }
  if (slice.length > 0) yield slice;
}

/** Milliseconds for which live posts are held back at most, so that a busy source is not only polled for ever. */
const maxHoldMs = 60_000;

/**
 * Sources that may have missed posts which no poll has read yet. Their live posts are held back until that poll, so that
 * they are not published before earlier ones.
 */
export class MissedRanges {
  readonly #open = new Map<string, { until: number; times: number; readings: Map<string, number> }>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Records that posts of the source may have been missed. */
  add(externalId: string): void {
    const { times = 0, readings = new Map() } = this.#open.get(externalId) ?? {};
    this.#open.set(externalId, { until: this.#now() + maxHoldMs, times: times + 1, readings });
  }

  /** Whether a live post has to wait for a poll, which must begin after it. False where nothing was missed. */
  holdsBack(externalId: string): boolean {
    const gap = this.#open.get(externalId);
    if (!gap) return false;
    gap.times += 1;
    if (gap.until > this.#now()) return true;
    this.#open.delete(externalId);
    return false;
  }

  /** A poll begins, in this or another process. */
  beginReading(externalId: string, reading: string): void {
    const gap = this.#open.get(externalId);
    gap?.readings.set(reading, gap.times);
  }

  /** The poll has ended. What was missed since it began stays recorded. */
  endReading(externalId: string, reading: string): void {
    const gap = this.#open.get(externalId);
    if (gap?.readings.get(reading) === gap?.times) this.#open.delete(externalId);
    else gap?.readings.delete(reading);
  }
}
