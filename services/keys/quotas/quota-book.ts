import type { Store } from "../../../mixins/store/store.ts";
import {
  countsAt,
  dueNotices,
  markSent,
  type QuotaCounts,
  type QuotaNotice,
} from "../../domain/quota/counts.ts";
import { hasQuota, type Quotas, type QuotaUse } from "../../domain/quota/quotas.ts";

/** What a key has used of its quotas; `_id` is the key's id. */
export interface StoredCounts extends QuotaCounts {
  _id: string;
}

/** Changes the counts. It may run several times; the last run counts. */
type Step<Result> = (
  counts: QuotaCounts,
  quotas: Quotas,
) => { counts: QuotaCounts; result: Result; refused?: QuotaUse | undefined };

interface Entry {
  step: Step<unknown>;
  resolve(result: never): void;
  reject(error: unknown): void;
}

interface BookParts {
  counts: Store<StoredCounts>;
  /** The quotas of a key; null for a key that does not exist. */
  quotasOf(keyId: string): Promise<Quotas | null>;
  /** Appends notices to the log of a key. Repeated, it appends nothing. */
  notify(keyId: string, notices: readonly QuotaNotice[]): Promise<unknown>;
  /** Milliseconds since the epoch. */
  now(): number;
  onError(keyId: string, error: unknown): void;
}

/**
 * The counts of all keys that have quotas: a document for each, which every change replaces in one step, whatever the node.
 * So no number of requests at a time exceeds a quota. Steps that arrive during a write are written together next. A
 * resolved step survives the end of the process.
 */
export class QuotaBook {
  readonly #parts: BookParts;
  /** Steps that wait, by key; a key with a write under way has an entry. */
  readonly #waiting = new Map<string, Entry[]>();

  constructor(parts: BookParts) {
    this.#parts = parts;
  }

  /** Runs a step on the counts of a key as they are now. Undefined for a key without quotas, whose counts nobody keeps. */
  apply<Result>(keyId: string, step: Step<Result>): Promise<Result | undefined> {
    return new Promise((resolve, reject) => {
      const entry = { step, resolve, reject };
      const waiting = this.#waiting.get(keyId);
      if (waiting) waiting.push(entry);
      else void this.#work(keyId, [entry]);
    });
  }

  /** Forgets the counts of a key that was deleted. */
  async drop(keyId: string): Promise<void> {
    await this.#parts.counts.remove(keyId);
  }

  async #work(keyId: string, first: Entry[]): Promise<void> {
    for (let entries = first; entries.length > 0; entries = this.#waiting.get(keyId) ?? []) {
      this.#waiting.set(keyId, []);
      await this.#write(keyId, entries);
    }
    this.#waiting.delete(keyId);
  }

  async #write(keyId: string, entries: Entry[]): Promise<void> {
    try {
      const quotas = await this.#parts.quotasOf(keyId);
      const written = quotas && hasQuota(quotas) ? await this.#change(keyId, quotas, entries) : undefined;
      if (written && written.notices.length > 0) await this.#notify(keyId, written.notices);
      for (const [n, { resolve }] of entries.entries()) resolve(written?.results[n] as never);
    } catch (error) {
      for (const { reject } of entries) reject(error);
    }
  }

  async #change(keyId: string, quotas: Quotas, entries: Entry[]) {
    const { counts, now } = this.#parts;
    let results: unknown[] = [];
    let notices: QuotaNotice[] = [];
    const work = (stored: StoredCounts | null): StoredCounts | undefined => {
      results = [];
      const refused: QuotaUse[] = [];
      const before = countsAt(stored, now());
      let after = before;
      for (const { step } of entries) {
        const taken = step(after, quotas);
        after = taken.counts;
        results.push(taken.result);
        if (taken.refused) refused.push(taken.refused);
      }
      notices = dueNotices(after, quotas, refused);
      const isSame =
        after === before && stored?.day.of === before.day.of && stored.month.of === before.month.of;
      return isSame ? undefined : { ...after, _id: keyId };
    };
    await counts.change(keyId, work, "end of process");
    return { results, notices };
  }

  /**
   * The notices go to the log first, then they are marked as sent: after a crash in between they are appended again, and the
   * log has them already. A log that is away is no reason to refuse the work: the next step tries again.
   */
  async #notify(keyId: string, notices: readonly QuotaNotice[]): Promise<void> {
    const { counts, now, notify, onError } = this.#parts;
    try {
      await notify(keyId, notices);
      const marked = (stored: StoredCounts | null) => ({
        ...notices.reduce(markSent, countsAt(stored, now())),
        _id: keyId,
      });
      await counts.change(keyId, marked, "end of process");
    } catch (error) {
      onError(keyId, error);
    }
  }
}
