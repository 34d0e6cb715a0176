import { fail } from "../../../contracts/errors.ts";

/** Posts read in a month, including those reserved by reads in progress. */
export interface ReadCount {
  /** UTC, as `2026-08`. */
  month: string;
  reads: number;
}

/** The count that all processes of the same account share. */
export interface ReadCounter {
  read(): Promise<ReadCount | null>;
  /** Replaces the count atomically. `change` may be called several times. */
  change(change: (count: ReadCount | null) => ReadCount): Promise<unknown>;
}

export interface ReadBudgetSettings {
  /** Posts that may be read in a month, by the calendar of UTC; unlimited without. */
  monthlyReads?: number;
  counter?: ReadCounter;
}

/**
 * Limits the posts read in a month, which X bills. A read reserves posts first and settles afterwards, so that concurrent
 * reads, in any process, cannot exceed the limit together. A process that dies in between has spent its reservation. As
 * in X's bill, a post counts once a day (UTC), in each process that reads it.
 */
export class ReadBudget {
  readonly #limit: number | undefined;
  readonly #counter: ReadCounter;
  readonly #now: () => number;
  #seen = { day: "", ids: new Set<string>() };

  constructor({ monthlyReads, counter = ownCounter() }: ReadBudgetSettings, now: () => number) {
    this.#limit = monthlyReads;
    this.#counter = counter;
    this.#now = now;
  }

  /** Throws as `take` does when no post may be read. */
  async check(): Promise<void> {
    if (this.#limit === undefined) return;
    if (this.#ofNow(await this.#counter.read()).reads >= this.#limit) throw spent(this.#now());
  }

  /** Reserves up to `wanted` posts, and returns how many. Throws `connector_unavailable` if `least` are not left. */
  async take(wanted: number, least = 1): Promise<number> {
    const limit = this.#limit;
    if (limit === undefined) return wanted;
    let granted = 0;
    await this.#counter.change(count => {
      const { month, reads } = this.#ofNow(count);
      granted = Math.min(wanted, limit - reads);
      return { month, reads: granted < least ? reads : reads + granted };
    });
    if (granted < least) throw spent(this.#now());
    return granted;
  }

  /** Returns a reservation, and counts the posts that were read. */
  async settle(taken: number, ids: string[]): Promise<void> {
    if (this.#limit === undefined) return;
    const fresh = this.#fresh(ids);
    if (fresh === taken) return;
    await this.#counter.change(count => {
      const { month, reads } = this.#ofNow(count);
      // A reservation of last month is not in this month's count.
      return { month, reads: Math.max(0, reads + fresh - taken) };
    });
  }

  /** How many of these posts were not read today. */
  #fresh(ids: string[]): number {
    const day = new Date(this.#now()).toISOString().slice(0, 10);
    if (this.#seen.day !== day) this.#seen = { day, ids: new Set() };
    const before = this.#seen.ids.size;
    for (const id of ids) this.#seen.ids.add(id);
    return this.#seen.ids.size - before;
  }

  /** A new month starts at zero. */
  #ofNow(count: ReadCount | null): ReadCount {
    const month = new Date(this.#now()).toISOString().slice(0, 7);
    return count?.month === month ? count : { month, reads: 0 };
  }
}

function ownCounter(): ReadCounter {
  let count: ReadCount | null = null;
  return {
    read: async () => count,
    async change(change) {
      count = change(count);
    },
  };
}

function spent(now: number): Error {
  const today = new Date(now);
  const monthEnd = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1);
  return fail("connector_unavailable", "The posts that may be read from X this month are used up.", {
    retry_after: Math.ceil((monthEnd - now) / 1000),
  });
}
