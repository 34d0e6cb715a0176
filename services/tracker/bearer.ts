import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Lease, Leases } from "../../mixins/lease/lease.ts";
import type { Store } from "../../mixins/store/store.ts";

/**
 * Who takes leases of polls and of requests to be let in: a life of this room in one process. While it lives it holds a
 * lease of its own, so that what was leased to it comes free when it is dead, and not only when each of its leases ends.
 */
export interface StoredBearer {
  _id: string;
}

/** What is told by a bearer that may be none any more. */
export interface Tokens {
  /** A new token; null while this process may not take anything. */
  next(): string | null;
  /** Whether a token is still that of a living bearer. False at once in a process that was stopped for a while and wakes. */
  isGood(token: string): boolean;
}

/** Milliseconds between attempts to live again. */
const againMs = 1000;

export class Bearer implements Tokens {
  readonly #bearers: Store<StoredBearer>;
  readonly #leases: Pick<Leases, "take">;
  #life: { id: string; lease: Lease } | undefined;
  #issued = 0;

  constructor(bearers: Store<StoredBearer>, leases: Pick<Leases, "take">) {
    this.#bearers = bearers;
    this.#leases = leases;
  }

  next(): string | null {
    if (!this.#life?.lease.isHeld()) return null;
    this.#issued += 1;
    return `${this.#life.id}:${this.#issued}`;
  }

  isGood(token: string): boolean {
    return this.#life?.lease.isHeld() === true && token.startsWith(`${this.#life.id}:`);
  }

  /** Begins a life: from here on there are tokens. Written down after the lease is held, so that nobody ends it before. */
  async begin(): Promise<void> {
    const id = randomUUID();
    const lease = await this.#leases.take(leaseOf(id));
    if (!lease) throw new Error("A lease that only this process knows of is held by another");
    await this.#bearers.insert({ _id: id }).catch(async error => {
      await lease.release();
      throw error;
    });
    this.#life = { id, lease };
  }

  /**
   * Begins a new life whenever one is lost, until the signal. `onNew` is told of it, `onError` why it does not begin at
   * once.
   */
  async live(signal: AbortSignal, onNew: () => void, onError: (error: unknown) => void): Promise<void> {
    while (!signal.aborted) {
      if (this.#life) await lossOf(this.#life.lease, signal);
      if (signal.aborted) return;
      try {
        await this.begin();
        onNew();
      } catch (error) {
        onError(error);
        await pause(againMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** Ends this life and everything that is leased to it. */
  async end(endLeases: (bearer: string) => Promise<void>): Promise<void> {
    const life = this.#life;
    this.#life = undefined;
    if (!life) return;
    try {
      await endLeases(life.id);
      await this.#bearers.remove(life.id);
    } finally {
      await life.lease.release();
    }
  }

  /** Ends what is leased to bearers that have died; tells how many those were. */
  async endDead(endLeases: (bearer: string) => Promise<void>): Promise<number> {
    let dead = 0;
    for (const { _id } of await this.#bearers.find()) {
      const lease = _id === this.#life?.id ? null : await this.#leases.take(leaseOf(_id));
      if (!lease) continue;
      try {
        await endLeases(_id);
        await this.#bearers.remove(_id);
        dead += 1;
      } finally {
        await lease.release();
      }
    }
    return dead;
  }
}

/** The tokens of one bearer, as a condition. */
export function tokensOf(bearer: string): { $gt: string; $lt: string } {
  return { $gt: `${bearer}:`, $lt: `${bearer};` };
}

function leaseOf(bearer: string): string {
  return `tracker/bearer/${bearer}`;
}

function lossOf({ signal }: Lease, ending: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const both = AbortSignal.any([signal, ending]);
    if (both.aborted) resolve();
    else both.addEventListener("abort", () => resolve(), { once: true });
  });
}
