/** What holds bytes for a client, and can be cut off. */
export interface Holder {
  destroy(): unknown;
}

/** A gateway that many clients leave with full connections keeps enough memory for its work. */
const defaultMost = 128 * 1024 * 1024;

/**
 * The bytes that clients have asked for and do not take, of all connections of this process. Where they are too many, it
 * cuts off those clients that have taken nothing for the longest time.
 */
export class Untaken {
  readonly #most: number;
  /** Bytes by holder; whose client took something last comes last. */
  readonly #held = new Map<Holder, number>();
  #bytes = 0;
  #cut = 0;

  constructor(most = defaultMost) {
    this.#most = most;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Clients that were cut off so far. */
  get cut(): number {
    return this.#cut;
  }

  /** A client has begun to let bytes wait, or has taken some of them: so many are left. */
  hold(holder: Holder, bytes: number): void {
    this.release(holder);
    this.#held.set(holder, bytes);
    this.#bytes += bytes;
    while (this.#bytes > this.#most) this.#cutFirst();
  }

  release(holder: Holder): void {
    this.#bytes -= this.#held.get(holder) ?? 0;
    this.#held.delete(holder);
  }

  /** Sets how much a connection holds now, including bytes that no call of `hold` has reported. */
  measure(holder: Holder, bytes: number): void {
    const known = this.#held.get(holder);
    if (bytes === 0) this.release(holder);
    else if (known === undefined || bytes < known) this.hold(holder, bytes);
    else this.#grow(holder, bytes - known);
  }

  /** More waits for a client that has taken nothing, so its place stays. */
  #grow(holder: Holder, bytes: number): void {
    this.#held.set(holder, (this.#held.get(holder) ?? 0) + bytes);
    this.#bytes += bytes;
    while (this.#bytes > this.#most) this.#cutFirst();
  }

  #cutFirst(): void {
    const [first] = this.#held.keys();
    if (!first) return;
    this.release(first);
    this.#cut += 1;
    first.destroy();
  }
}
