export interface FairSemaphoreOptions {
  /** Places in all. */
  width: number;
  /** Places that one group may hold at a time; all by default. Fewer keep some free for groups that come later. */
  perGroup?: number;
}

interface Group {
  /** Places that the group holds. */
  held: number;
  waiting: Set<() => void>;
}

/**
 * A semaphore with `width` places, fair by group (an API key, a host). A free place goes to the waiting group that holds
 * the fewest; among equals to the one that was served least recently. Within a group the order is that of arrival.
 */
export class FairSemaphore {
  readonly #width: number;
  readonly #perGroup: number;
  /** Groups that hold or wait, in the order in which they last took or left a place. */
  readonly #groups = new Map<string, Group>();
  #running = 0;

  constructor({ width, perGroup = width }: FairSemaphoreOptions) {
    this.#width = width;
    this.#perGroup = perGroup;
  }

  /** Places in use. */
  get running(): number {
    return this.#running;
  }

  /** No place is in use, and nothing waits. */
  get isIdle(): boolean {
    return this.#groups.size === 0;
  }

  /** Places that a group holds. */
  held(group: string): number {
    return this.#groups.get(group)?.held ?? 0;
  }

  /** How many wait in a group, or in all groups. */
  waiting(group?: string): number {
    if (group !== undefined) return this.#groups.get(group)?.waiting.size ?? 0;
    return [...this.#groups.values()].reduce((sum, { waiting }) => sum + waiting.size, 0);
  }

  /** Runs the work in a place. Rejects with the signal's reason when the signal fires before a place is free. */
  async run<T>(group: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const leave = await this.acquire(group, signal);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Takes a place. Returns the function that releases it. Rejects like `run`. */
  async acquire(group: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const of = this.#groups.get(group) ?? { held: 0, waiting: new Set() };
    this.#groups.set(group, of);
    await this.#place(of, group, signal);
    return once(() => {
      of.held -= 1;
      this.#running -= 1;
      this.#goLast(group, of);
      this.#serve();
    });
  }

  #place(of: Group, group: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = () => {
        of.waiting.delete(begin);
        if (isIdle(of)) this.#groups.delete(group);
        reject(signal.reason);
      };
      signal.addEventListener("abort", giveUp, { once: true });
      of.waiting.add(begin);
      this.#serve();
    });
  }

  /** Gives free places to those that wait. */
  #serve(): void {
    while (this.#running < this.#width) {
      const next = this.#next();
      if (next === undefined) return;
      const [group, of] = next;
      const [begin] = of.waiting;
      if (begin === undefined) return;
      of.waiting.delete(begin);
      of.held += 1;
      this.#running += 1;
      this.#goLast(group, of);
      begin();
    }
  }

  #next(): [string, Group] | undefined {
    let next: [string, Group] | undefined;
    for (const each of this.#groups) {
      const [, { held, waiting }] = each;
      if (waiting.size === 0 || held >= this.#perGroup) continue;
      if (next === undefined || held < next[1].held) next = each;
    }
    return next;
  }

  #goLast(group: string, of: Group): void {
    this.#groups.delete(group);
    if (!isIdle(of)) this.#groups.set(group, of);
  }
}

function isIdle({ held, waiting }: Group): boolean {
  return held === 0 && waiting.size === 0;
}

function once(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    action();
  };
}
