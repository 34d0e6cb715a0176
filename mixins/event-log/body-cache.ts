/** A cache for bodies that many read at about the same time; evicts the least recently used first. */
export class BodyCache<Body> {
  readonly #most: number;
  readonly #sizeOf: (body: Body) => number;
  readonly #bodies = new Map<string, Body>();
  #size = 0;

  /** `most` is in the unit of `sizeOf`. */
  constructor(most: number, sizeOf: (body: Body) => number) {
    this.#most = most;
    this.#sizeOf = sizeOf;
  }

  get(id: string): Body | undefined {
    const body = this.#bodies.get(id);
    if (body === undefined) return undefined;
    this.#bodies.delete(id);
    this.#bodies.set(id, body);
    return body;
  }

  set(id: string, body: Body): void {
    this.#forget(id);
    this.#bodies.set(id, body);
    this.#size += this.#sizeOf(body);
    for (const oldest of this.#bodies.keys()) {
      if (this.#size <= this.#most) return;
      this.#forget(oldest);
    }
  }

  clear(): void {
    this.#bodies.clear();
    this.#size = 0;
  }

  #forget(id: string): void {
    const body = this.#bodies.get(id);
    if (body === undefined) return;
    this.#bodies.delete(id);
    this.#size -= this.#sizeOf(body);
  }
}
