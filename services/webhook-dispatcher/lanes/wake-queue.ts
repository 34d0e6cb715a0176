interface Wake {
  at: number;
  readonly laneId: string;
  /** The index of the wake in the heap. */
  place: number;
}

/**
 * Milliseconds between wakes. Lanes in this queue have failed before: when many are due, healthy ones must not wait for
 * all of them.
 */
const betweenWakesMs = 3;
/** The longest timer that Node.js has; the queue checks again then. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Calls back for each key at its time; when many are due, one after the other with gaps. One timer serves all. A later
 * `set` replaces an earlier one. Timers and gaps do not follow the wall clock, which may be set.
 */
export class WakeQueue {
  readonly #wakes = new Map<string, Wake>();
  /** A binary heap, ordered by time. */
  readonly #heap: Wake[] = [];
  readonly #onWake: (laneId: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #timerAt = 0;
  #quietUntil = 0;

  constructor(onWake: (laneId: string) => void) {
    this.#onWake = onWake;
  }

  /** `at` in Unix milliseconds; undefined cancels. */
  set(laneId: string, at: number | undefined): void {
    const known = this.#wakes.get(laneId);
    if (at === known?.at) return;
    if (known) this.#remove(known);
    if (at !== undefined) this.#add({ at, laneId, place: this.#heap.length });
    this.#arm();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#wakes.clear();
    this.#heap.length = 0;
  }

  #arm(): void {
    const [first] = this.#heap;
    if (!first) return;
    const now = performance.now();
    const left = Math.max(first.at - Date.now(), this.#quietUntil - now, 1);
    const delayMs = Math.round(Math.min(left, longestTimerMs));
    const fireAt = now + delayMs;
    // The two clocks agree within a millisecond.
    if (this.#timer && fireAt > this.#timerAt - 1) return;
    clearTimeout(this.#timer);
    this.#timerAt = fireAt;
    this.#timer = setTimeout(() => this.#fire(), delayMs);
  }

  #fire(): void {
    this.#timer = undefined;
    const [first] = this.#heap;
    if (first && first.at <= Date.now()) {
      this.#remove(first);
      this.#quietUntil = performance.now() + betweenWakesMs;
      this.#onWake(first.laneId);
    }
    this.#arm();
  }

  #add(wake: Wake): void {
    this.#wakes.set(wake.laneId, wake);
    this.#heap.push(wake);
    this.#rise(wake);
  }

  #remove(wake: Wake): void {
    this.#wakes.delete(wake.laneId);
    const last = this.#heap.pop();
    if (!last || last === wake) return;
    this.#put(last, wake.place);
    this.#rise(last);
    this.#sink(last);
  }

  #rise(wake: Wake): void {
    while (wake.place > 0) {
      const above = this.#heap[(wake.place - 1) >> 1];
      if (!above || above.at <= wake.at) return;
      this.#swap(wake, above);
    }
  }

  #sink(wake: Wake): void {
    for (;;) {
      const [left, right] = [this.#heap[2 * wake.place + 1], this.#heap[2 * wake.place + 2]];
      const below = right && left && right.at < left.at ? right : left;
      if (!below || below.at >= wake.at) return;
      this.#swap(wake, below);
    }
  }

  #swap(one: Wake, other: Wake): void {
    const { place } = one;
    this.#put(one, other.place);
    this.#put(other, place);
  }

  #put(wake: Wake, place: number): void {
    this.#heap[place] = wake;
    wake.place = place;
  }
}
