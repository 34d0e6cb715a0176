/** Lanes that are written at a time: enough to wait for a distant store, and few enough for a small one. */
const lanesAtOnce = 16;

/**
 * Writes the steps of each lane in their order, and those of different lanes side by side, so that one that has to wait
 * holds up no other. Steps that come while their lane is written go together afterwards.
 */
export class LaneGroups<Step extends { keyId: string }> {
  readonly #write: (group: Step[]) => Promise<void>;
  /** By key, in the order of coming; a lane that is being written is here only when it has more. */
  readonly #waiting = new Map<string, Step[]>();
  readonly #writing = new Map<string, Promise<void>>();

  /** `write` does not reject. */
  constructor(write: (group: Step[]) => Promise<void>) {
    this.#write = write;
  }

  add(steps: Step[]): void {
    for (const step of steps) {
      const waiting = this.#waiting.get(step.keyId);
      if (waiting) waiting.push(step);
      else this.#waiting.set(step.keyId, [step]);
    }
    this.#begin();
  }

  /** Resolves when all that was added is written. */
  async idle(): Promise<void> {
    while (this.#writing.size > 0) await Promise.all(this.#writing.values());
  }

  #begin(): void {
    for (const [keyId, steps] of this.#waiting) {
      if (this.#writing.size >= lanesAtOnce) return;
      if (this.#writing.has(keyId)) continue;
      this.#waiting.delete(keyId);
      this.#writing.set(keyId, this.#one(keyId, steps));
    }
  }

  async #one(keyId: string, steps: Step[]): Promise<void> {
    await this.#write(steps);
    this.#writing.delete(keyId);
    this.#begin();
  }
}
