/** Times of the requests of one key that passed, oldest first, as far as they still count. */
export class WindowLog {
  #times: number[] = [];
  #head = 0;
  #windowMs = 0;

  /** Counts `points` requests at `now` if that keeps within `limit`; tells how many there are, refused ones included. */
  take(points: number, limit: number, windowMs: number, now: number): number {
    this.#windowMs = windowMs;
    this.#forget(now - windowMs);
    const count = this.size + points;
    if (count <= limit) for (let n = 0; n < points; n += 1) this.#times.push(now);
    return count;
  }

  get size(): number {
    return this.#times.length - this.#head;
  }

  /** When fewer than `limit` requests count. */
  freeAt(limit: number): number {
    const leaving = this.#times[this.#times.length - limit];
    return leaving === undefined || this.size < limit ? 0 : leaving + this.#windowMs;
  }

  /** When none counts any more. */
  get emptyAt(): number {
    return (this.#times.at(-1) ?? -Infinity) + this.#windowMs;
  }

  /** A request counts for exactly the window's length: one at `t` is gone at `t + windowMs`. */
  #forget(until: number): void {
    while (this.#head < this.#times.length && (this.#times[this.#head] as number) <= until) this.#head += 1;
    if (this.#head < 64 || this.#head * 2 < this.#times.length) return;
    this.#times = this.#times.slice(this.#head);
    this.#head = 0;
  }
}
