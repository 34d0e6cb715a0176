/** Lets at most `width` works run at a time. Groups that wait take turns, however much each of them has waiting. */
export class FairGate {
  readonly #width: number;
  /** In the order of their turns. */
  readonly #groups = new Map<string, (() => void)[]>();
  #active = 0;

  constructor(width: number) {
    this.#width = width;
  }

  /** Nothing runs and nothing waits. */
  get isIdle(): boolean {
    return this.#active === 0;
  }

  /** Rejects with the signal's reason when that fires before the turn comes. */
  async run<T>(group: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(group, signal);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  #enter(group: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#active < this.#width) {
      this.#active += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = () => {
        this.#forget(group, begin);
        reject(signal.reason);
      };
      signal.addEventListener("abort", giveUp, { once: true });
      this.#groups.set(group, [...(this.#groups.get(group) ?? []), begin]);
    });
  }

  /** A place passes on as it is, so that `#active` stays. */
  #leave(): void {
    for (const [group, [begin, ...rest]] of this.#groups) {
      this.#groups.delete(group);
      if (rest.length > 0) this.#groups.set(group, rest);
      begin?.();
      return;
    }
    this.#active -= 1;
  }

  #forget(group: string, begin: () => void): void {
    const rest = (this.#groups.get(group) ?? []).filter(each => each !== begin);
    if (rest.length > 0) this.#groups.set(group, rest);
    else this.#groups.delete(group);
  }
}
