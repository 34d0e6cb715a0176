import type { Lease } from "./lease.ts";

type Grant = (lease: Lease) => void;

/** By the clock, so that it rises over restarts too. */
let fence = 0;

/** The leases of one process. A name that is released goes to whoever has waited for it the longest. */
export class House {
  /** Called when a name is held by nobody any more. */
  readonly onFree = new Set<() => void>();
  readonly #held = new Set<string>();
  readonly #waiting = new Map<string, Set<Grant>>();

  take(name: string): Lease | null {
    return this.#held.has(name) ? null : this.#lease(name);
  }

  /** Calls `grant` once, as soon as the name is free; the function that is returned takes this back. */
  wait(name: string, grant: Grant): () => void {
    const lease = this.take(name);
    if (lease) {
      grant(lease);
      return () => undefined;
    }
    const waiting = this.#waiting.get(name) ?? new Set();
    this.#waiting.set(name, waiting.add(grant));
    return () => waiting.delete(grant);
  }

  #lease(name: string): Lease {
    this.#held.add(name);
    fence = Math.max(fence + 1, Date.now());
    const ended = new AbortController();
    const { signal } = ended;
    const release = async () => {
      if (signal.aborted) return;
      ended.abort();
      this.#pass(name);
    };
    return { name, fence, signal, isHeld: () => !signal.aborted, release };
  }

  #pass(name: string): void {
    const waiting = this.#waiting.get(name);
    const [next] = waiting ?? [];
    if (next) {
      waiting?.delete(next);
      next(this.#lease(name));
      return;
    }
    this.#waiting.delete(name);
    this.#held.delete(name);
    for (const call of this.onFree) call();
  }
}
