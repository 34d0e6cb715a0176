export interface GrowthOptions {
  /** The count of appends, and the keys that have grown since another one, each with the count of its last growth. */
  look(since: number): Promise<{ count: number; grown: Map<string, number> }>;
  onError(error: unknown): void;
}

type Listener = (keyIds: string[]) => void;

const everyMs = 2000;

/**
 * Tells listeners of a process which logs have grown: at once when it is hinted at, and soon after when the hint is lost.
 * Each growth is told once.
 */
export class Growth {
  readonly #options: GrowthOptions;
  readonly #listeners = new Set<Listener>();
  /** Hints that came after the last look, by key. */
  readonly #heard = new Map<string, number>();
  #seen: number;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;

  /** `count` is the one from which on growth is told. */
  constructor(count: number, options: GrowthOptions) {
    this.#seen = count;
    this.#options = options;
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    this.#timer ??= setInterval(() => void this.#look(), everyMs).unref();
    return () => this.#listeners.delete(listener);
  }

  hear(keyIds: string[], count: number): void {
    if (count <= this.#seen || this.#listeners.size === 0) return;
    for (const keyId of keyIds) this.#heard.set(keyId, Math.max(count, this.#heard.get(keyId) ?? 0));
    this.#tell(keyIds);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#listeners.clear();
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const { count, grown } = await this.#options.look(this.#seen);
      // Redis has lost what it counted.
      if (count < this.#seen) this.#heard.clear();
      const unheard = [...grown].filter(([keyId, at]) => at > (this.#heard.get(keyId) ?? 0));
      this.#seen = count;
      for (const [keyId, at] of this.#heard) if (at <= count) this.#heard.delete(keyId);
      this.#tell(unheard.map(([keyId]) => keyId));
    } catch (error) {
      this.#options.onError(error);
    } finally {
      this.#isLooking = false;
    }
  }

  #tell(keyIds: string[]): void {
    if (keyIds.length > 0) for (const listener of this.#listeners) listener(keyIds);
  }
}
