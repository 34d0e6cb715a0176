/** Milliseconds for which a source that was just followed stays, although a reading does not tell of it yet. */
const graceMs = 60_000;

/** The sources of a platform that somebody tracks, as far as this process knows. */
export class TrackedSources {
  readonly #addedAt = new Map<string, number>();
  /** Of those that were let go since the last reading began. */
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

  /** `changed` is told of every change, until the returned function is called. */
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
   * Takes over what a reading found that began at `readAt`. It may be behind: a source is followed before it is tracked,
   * and one that was let go meanwhile is still among those found. Tells which were not known.
   */
  replace(found: Set<string>, readAt: number): string[] {
    const gone = [...this.#addedAt].filter(([id, addedAt]) => !found.has(id) && addedAt < readAt - graceMs);
    const added = [...found].filter(id => !this.has(id) && (this.#removedAt.get(id) ?? 0) < readAt);
    for (const [id] of gone) this.#addedAt.delete(id);
    for (const id of added) this.#addedAt.set(id, 0);
    for (const [id, removedAt] of this.#removedAt) if (removedAt < readAt) this.#removedAt.delete(id);
    if (gone.length + added.length > 0) this.#changed();
    return added;
  }

  #changed(): void {
    for (const changed of [...this.#watchers]) changed();
  }
}
