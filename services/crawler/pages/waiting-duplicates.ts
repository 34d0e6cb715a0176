/** A page that names another one as its original, by their keys. `aliases`: other keys of the page. */
export interface Duplicate {
  key: string;
  original: string;
  aliases: string[];
}

/** The duplicates of a crawl that wait for the end of their originals. None of them waits for itself. */
export class WaitingDuplicates {
  /** In order of arrival. */
  readonly #byKey = new Map<string, Duplicate>();
  readonly #byOriginal = new Map<string, Set<Duplicate>>();

  get size(): number {
    return this.#byKey.size;
  }

  /** Returns false and adds nothing when the duplicate would wait for itself by way of others. */
  add(duplicate: Duplicate): boolean {
    if (this.#endOf(duplicate) === duplicate.key) return false;
    this.#byKey.set(duplicate.key, duplicate);
    const siblings = this.#byOriginal.get(duplicate.original) ?? new Set();
    this.#byOriginal.set(duplicate.original, siblings.add(duplicate));
    return true;
  }

  /** Returns false when it was not waiting. */
  remove(duplicate: Duplicate): boolean {
    const siblings = this.#byOriginal.get(duplicate.original);
    siblings?.delete(duplicate);
    if (siblings?.size === 0) this.#byOriginal.delete(duplicate.original);
    return this.#byKey.delete(duplicate.key);
  }

  /** Removes and returns all that wait for an original. */
  release(original: string): Duplicate[] {
    const waiting = [...(this.#byOriginal.get(original) ?? [])];
    for (const duplicate of waiting) this.remove(duplicate);
    return waiting;
  }

  /** Removes and returns one that waits for no other duplicate; undefined when none waits. */
  releaseOne(): Duplicate | undefined {
    let [duplicate] = this.#byKey.values();
    for (let next = duplicate; next; next = this.#byKey.get(next.original)) duplicate = next;
    if (duplicate) this.remove(duplicate);
    return duplicate;
  }

  /** The page for which a duplicate would wait in the end; its own key when that is itself. */
  #endOf({ key, original }: Duplicate): string {
    let end = original;
    for (let next = this.#byKey.get(end); next && end !== key; next = this.#byKey.get(end))
      end = next.original;
    return end;
  }
}
