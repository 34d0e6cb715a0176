/** Exchanges that are under way for each key, so that the receiver of one cannot take up all there may be. */
export class Places {
  readonly #atMost: number;
  readonly #taken = new Map<string, number>();

  constructor(atMost: number) {
    this.#atMost = atMost;
  }

  /** False when the key has as many as it may; otherwise `giveBack` follows. */
  take(keyId: string): boolean {
    const taken = this.#taken.get(keyId) ?? 0;
    if (taken >= this.#atMost) return false;
    this.#taken.set(keyId, taken + 1);
    return true;
  }

  giveBack(keyId: string): void {
    const left = (this.#taken.get(keyId) ?? 0) - 1;
    if (left > 0) this.#taken.set(keyId, left);
    else this.#taken.delete(keyId);
  }
}
