/** A page that was read and says to be a copy of another, by their keys; `aliases` are those of its end. */
export interface Copy {
  key: string;
  original: string;
  aliases: string[];
}

/** The copies of a crawl that wait to learn what becomes of their originals. None of them waits for itself. */
export class Copies {
  /** In the order in which they came. */
  readonly #byKey = new Map<string, Copy>();
  readonly #byOriginal = new Map<string, Set<Copy>>();

  get size(): number {
    return this.#byKey.size;
  }

  /** False, and nothing waits, when the copy would wait for itself by way of others. */
  add(copy: Copy): boolean {
    if (this.#endOf(copy) === copy.key) return false;
    this.#byKey.set(copy.key, copy);
    const siblings = this.#byOriginal.get(copy.original) ?? new Set();
    this.#byOriginal.set(copy.original, siblings.add(copy));
    return true;
  }

  /** False when it does not wait any more. */
  remove(copy: Copy): boolean {
    const siblings = this.#byOriginal.get(copy.original);
    siblings?.delete(copy);
    if (siblings?.size === 0) this.#byOriginal.delete(copy.original);
    return this.#byKey.delete(copy.key);
  }

  /** Takes out all that wait for an original. */
  release(original: string): Copy[] {
    const waiting = [...(this.#byOriginal.get(original) ?? [])];
    for (const copy of waiting) this.remove(copy);
    return waiting;
  }

  /** Takes out one that waits for no other copy; undefined when none waits. */
  releaseOne(): Copy | undefined {
    let [copy] = this.#byKey.values();
    for (let next = copy; next; next = this.#byKey.get(next.original)) copy = next;
    if (copy) this.remove(copy);
    return copy;
  }

  /** For whom a copy would wait, by way of the others; its own key when that is itself. */
  #endOf({ key, original }: Copy): string {
    let end = original;
    for (let next = this.#byKey.get(end); next && end !== key; next = this.#byKey.get(end))
      end = next.original;
    return end;
  }
}
