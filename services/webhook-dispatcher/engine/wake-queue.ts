interface Wake {
  at: number;
  keyId: string;
}

/** Whatever waits here has failed before: when many are due at once, what is healthy must not wait for all of them. */
const betweenWakesMs = 3;

/**
 * Calls back for each key at its time or, when many are due, one after the other with gaps between them; with one timer
 * for all. A later `set` for a key replaces the former.
 */
export class WakeQueue {
  readonly #times = new Map<string, number>();
  /** A binary heap by time; entries that `#times` no longer names are passed over. */
  readonly #heap: Wake[] = [];
  readonly #onWake: (keyId: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #quietUntil = 0;

  constructor(onWake: (keyId: string) => void) {
    this.#onWake = onWake;
  }

  /** Unix milliseconds; undefined for not at all. */
  set(keyId: string, at: number | undefined): void {
    if (at === this.#times.get(keyId)) return;
    this.#times.delete(keyId);
    if (at === undefined) return;
    this.#times.set(keyId, at);
    this.#push({ at, keyId });
    this.#arm();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#times.clear();
    this.#heap.length = 0;
  }

  #arm(): void {
    const at = Math.max(this.#heap[0]?.at ?? Number.POSITIVE_INFINITY, this.#quietUntil);
    if (at >= this.#timerAt && this.#timer) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#timerAt = at;
    if (at === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(() => this.#fire(), Math.max(at - Date.now(), 1));
  }

  #fire(): void {
    this.#timer = undefined;
    this.#timerAt = Number.POSITIVE_INFINITY;
    const now = Date.now();
    const due = this.#nextDue(now);
    if (due !== undefined) {
      this.#quietUntil = now + betweenWakesMs;
      this.#onWake(due);
    }
    this.#arm();
  }

  #nextDue(now: number): string | undefined {
    for (let [first] = this.#heap; first && first.at <= now; [first] = this.#heap) {
      this.#pop();
      if (this.#times.get(first.keyId) !== first.at) continue;
      this.#times.delete(first.keyId);
      return first.keyId;
    }
    return undefined;
  }

  #push(wake: Wake): void {
    const heap = this.#heap;
    let child = heap.push(wake) - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!this.#swapIfEarlier(child, parent)) return;
      child = parent;
    }
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    heap[0] = last;
    for (let parent = 0; ; ) {
      const [left, right] = [2 * parent + 1, 2 * parent + 2];
      const child = (heap[right]?.at ?? Infinity) < (heap[left]?.at ?? Infinity) ? right : left;
      if (!this.#swapIfEarlier(child, parent)) return;
      parent = child;
    }
  }

  #swapIfEarlier(child: number, parent: number): boolean {
    const [below, above] = [this.#heap[child], this.#heap[parent]];
    if (!below || !above || below.at >= above.at) return false;
    this.#heap[parent] = below;
    this.#heap[child] = above;
    return true;
  }
}
