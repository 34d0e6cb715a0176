import { setTimeout as sleep } from "node:timers/promises";
import type { Collection, Db } from "mongodb";
import { fail } from "../../../../services/contracts/errors.ts";
import { type Periodic, periodic } from "../../../async/periodic.ts";
import type { Mongo } from "../../../cluster/mongo.ts";
import type { StoredCollection, StoredDoc } from "../stored-documents.ts";
import { applyWrites, releaseLocks, type TransactionRecord } from "./transaction-record.ts";

/** What the transactions of a service work with. */
export interface TransactionScope {
  /** The declared collections, by name. */
  places: ReadonlyMap<string, StoredCollection>;
  locks: DocumentLocks;
}

/** A transaction that holds something for this long without a heartbeat counts as dead. */
const overdueMs = 2000;
const heartbeatMs = 500;
const resolveEveryMs = 3000;
const forgetMs = 60_000;

/** The running transactions of a cluster. Ends those whose processes have died. See protocol.md. */
export class DocumentLocks {
  readonly db: Db;
  readonly records: Collection<TransactionRecord>;
  /** Transactions of this process that met others try again one after another. */
  readonly retries = new Mutex();
  /** When this process first saw a transaction with this number of heartbeats, by its own clock. */
  readonly #firstSeen = new Map<string, { at: number; signs: number }>();
  readonly #resolving: Periodic;

  constructor({ db, name }: Mongo, onError: (error: unknown) => void) {
    this.db = db;
    this.records = db.collection(name("transactions"));
    const options = { everyMs: resolveEveryMs, onError, reportsOnce: true };
    this.#resolving = periodic(() => this.resolveOverdue(), options);
  }

  /**
   * Waits a moment for the transaction that holds a document; ends it when it is overdue. `since` (performance.now) is
   * when the caller began to wait, which is limited.
   */
  async wait(
    txid: string,
    since: number,
    held?: { stored: Collection<StoredDoc>; id: string },
  ): Promise<void> {
    await backOff(since);
    if (!this.#isOverdue(txid)) return;
    const record = await this.records.findOne({ _id: txid }, { projection: { signs: 1 } });
    if (record && !this.#isOverdue(txid, record.signs ?? 0)) return;
    await this.resolve(txid);
    if (!held) return;
    // Without a record the transaction was aborted: a committed one leaves no locks behind.
    const mine = { _id: held.id, _lock: txid };
    await held.stored.deleteOne({ ...mine, _new: true });
    await held.stored.updateOne(mine, { $unset: { _lock: true } });
  }

  /** Sends heartbeats of a transaction of this process while `work`, which must end, runs. */
  async withHeartbeat<Result>(txid: string, work: () => Promise<Result>): Promise<Result> {
    const heartbeat = () => this.records.updateOne({ _id: txid, state: "pending" }, { $inc: { signs: 1 } });
    // A lost heartbeat does no harm: the decision shows whether another process has aborted the transaction.
    const timer = setInterval(() => void heartbeat().catch(() => "unheard"), heartbeatMs);
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  }

  /** Ends a transaction of any process: applies a committed one, aborts and undoes another. True: committed. */
  async resolve(txid: string): Promise<boolean> {
    await this.records.updateOne({ _id: txid, state: "pending" }, { $set: { state: "aborted" } });
    const record = await this.records.findOne({ _id: txid });
    if (record) await this.finish(record);
    this.#firstSeen.delete(txid);
    return record?.state === "committed";
  }

  /** Finishes a decided transaction. */
  async finish(record: TransactionRecord): Promise<void> {
    await (record.state === "committed" ? applyWrites : releaseLocks)(this.db, record);
    await this.records.deleteOne({ _id: record._id });
  }

  /** Ends every overdue transaction. */
  async resolveOverdue(): Promise<void> {
    const found = await this.records.find({}, { projection: { signs: 1 } }).toArray();
    for (const { _id, signs = 0 } of found) if (this.#isOverdue(_id, signs)) await this.resolve(_id);
    const forgotten = performance.now() - forgetMs;
    for (const [txid, { at }] of this.#firstSeen) if (at < forgotten) this.#firstSeen.delete(txid);
  }

  async close(): Promise<void> {
    await this.#resolving.stop();
  }

  /** Judged by the number of heartbeats; without it, by the last known number. */
  #isOverdue(txid: string, signs?: number): boolean {
    const firstSeen = this.#firstSeen.get(txid);
    if (firstSeen && firstSeen.signs === (signs ?? firstSeen.signs))
      return performance.now() - firstSeen.at > overdueMs;
    this.#firstSeen.set(txid, { at: performance.now(), signs: signs ?? 0 });
    return false;
  }
}

const waitBudgetMs = 15_000;

/** A random pause that lets others finish; rejects with `overloaded` 15 s after `since` (performance.now). */
export async function backOff(since: number, longestMs = 20): Promise<void> {
  if (performance.now() - since > waitBudgetMs)
    throw fail("overloaded", "The service cannot take this request right now. Try again shortly.");
  await sleep(1 + Math.random() * longestMs);
}

/** One piece of work after another. */
class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => "the caller gets the error");
    return mine;
  }
}
