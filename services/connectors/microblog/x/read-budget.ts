import { fail } from "../../../contracts/errors.ts";

/** Posts that were read in a month. */
export interface ReadCount {
  /** UTC, as `2026-08`. */
  month: string;
  reads: number;
}

export interface ReadBudgetSettings {
  /** Posts that may be read in a month, by the calendar of UTC; unlimited without. */
  monthlyReads?: number;
  /** Where the count outlives the process. */
  loadCount?(): Promise<ReadCount | null>;
  storeCount?(count: ReadCount): Promise<void>;
}

/**
 * Keeps reads of posts, which X bills, below what a month may cost. Whoever reads takes first and settles afterwards, so
 * that reads at the same time cannot pass the limit together. A post counts once a day (UTC), as it is billed.
 */
export class ReadBudget {
  readonly #settings: ReadBudgetSettings;
  readonly #now: () => number;
  #loading: Promise<void> | undefined;
  #count: ReadCount = { month: "", reads: 0 };
  #taken = 0;
  #seen = { day: "", ids: new Set<string>() };

  constructor(settings: ReadBudgetSettings, now: () => number) {
    this.#settings = settings;
    this.#now = now;
  }

  /** Throws as `take` does when no post may be read. */
  async check(): Promise<void> {
    await this.settle(await this.take(1), []);
  }

  /** How many posts may be read now, of the number wanted; throws `connector_unavailable` when it is fewer than `least`. */
  async take(wanted: number, least = 1): Promise<number> {
    const limit = this.#settings.monthlyReads;
    if (limit === undefined) return wanted;
    await this.#load();
    this.#turn();
    const granted = Math.min(wanted, limit - this.#count.reads - this.#taken);
    if (granted < least) throw spent(this.#now());
    this.#taken += granted;
    return granted;
  }

  /** Gives back what was taken, and counts the posts that were read. */
  async settle(taken: number, ids: string[]): Promise<void> {
    if (this.#settings.monthlyReads === undefined) return;
    this.#taken -= taken;
    this.#turn();
    const fresh = new Set(ids.filter(id => !this.#seen.ids.has(id)));
    if (fresh.size === 0) return;
    for (const id of fresh) this.#seen.ids.add(id);
    this.#count = { ...this.#count, reads: this.#count.reads + fresh.size };
    await this.#settings.storeCount?.(this.#count);
  }

  #load(): Promise<void> {
    this.#loading ??= this.#read().catch(error => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  async #read(): Promise<void> {
    this.#count = (await this.#settings.loadCount?.()) ?? this.#count;
  }

  /** A new day forgets what was seen, a new month what was counted. */
  #turn(): void {
    const day = new Date(this.#now()).toISOString().slice(0, 10);
    const month = day.slice(0, 7);
    if (this.#seen.day !== day) this.#seen = { day, ids: new Set() };
    if (this.#count.month !== month) this.#count = { month, reads: 0 };
  }
}

function spent(now: number): Error {
  const today = new Date(now);
  const monthEnd = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1);
  return fail("connector_unavailable", "The posts that may be read from X this month are used up.", {
    retry_after: Math.ceil((monthEnd - now) / 1000),
  });
}
