import type { Collection, Db } from "mongodb";
import type { Mongo } from "../../mongo/mongo.ts";
import { pause } from "./pause.ts";
import { apply, release, type TransactionRecord } from "./records.ts";
import type { Stored } from "./stored.ts";
import { Turns } from "./turns.ts";

/** Milliseconds without a sign of life after which a transaction that holds something all the while is taken for dead. */
const overdueMs = 2000;
const signMs = 500;
const sweepMs = 3000;
const forgetMs = 60_000;

/** The transactions that are under way in a cluster, and how those of processes that died come to their end. */
export class Locks {
  readonly db: Db;
  readonly records: Collection<TransactionRecord>;
  /** Of this process' transactions those that met others try again one after another. */
  readonly retries = new Turns();
  /** When a transaction was first met here with as many signs of life, by this process' own clock. */
  readonly #met = new Map<string, { at: number; signs: number }>();
  readonly #onError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;
  #isHindered = false;

  constructor({ db, name }: Mongo, onError: (error: unknown) => void) {
    this.db = db;
    this.records = db.collection(name("transactions"));
    this.#onError = onError;
    this.#timer = setInterval(() => this.#sweepSoon(), sweepMs).unref();
  }

  /**
   * Waits a moment for the transaction that holds a document; ends it when it is overdue. `since` (performance.now) is
   * when the waiting began, which has an end.
   */
  async wait(txid: string, since: number, held?: { stored: Collection<Stored>; id: string }): Promise<void> {
    await pause(since);
    if (!this.#isOverdue(txid)) return;
    const record = await this.records.findOne({ _id: txid }, { projection: { signs: 1 } });
    if (record && !this.#isOverdue(txid, record.signs ?? 0)) return;
    await this.settle(txid);
    if (!held) return;
    // One whose record is gone came to nothing: of a committed one nothing is left to let go of.
    const mine = { _id: held.id, _lock: txid };
    await held.stored.deleteOne({ ...mine, _new: true });
    await held.stored.updateOne(mine, { $unset: { _lock: true } });
  }

  /** Gives signs of life of a transaction of this process while something takes its time that has an end. */
  async alive<Result>(txid: string, work: () => Promise<Result>): Promise<Result> {
    const sign = () => this.records.updateOne({ _id: txid, state: "pending" }, { $inc: { signs: 1 } });
    // One that does not arrive is no harm: whether it was taken for dead the transaction hears when it decides.
    const timer = setInterval(() => void sign().catch(() => "unheard"), signMs);
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  }

  /** Ends a transaction, whoever's it is: one that is committed is carried out, another is undone. True: committed. */
  async settle(txid: string): Promise<boolean> {
    await this.records.updateOne({ _id: txid, state: "pending" }, { $set: { state: "aborted" } });
    const record = await this.records.findOne({ _id: txid });
    if (record) await this.finish(record);
    this.#met.delete(txid);
    return record?.state === "committed";
  }

  /** Does what a decided transaction still has to do. */
  async finish(record: TransactionRecord): Promise<void> {
    await (record.state === "committed" ? apply : release)(this.db, record);
    await this.records.deleteOne({ _id: record._id });
  }

  /** Ends what is overdue of all transactions. */
  async sweep(): Promise<void> {
    const found = await this.records.find({}, { projection: { signs: 1 } }).toArray();
    for (const { _id, signs = 0 } of found) if (this.#isOverdue(_id, signs)) await this.settle(_id);
    const forgotten = performance.now() - forgetMs;
    for (const [txid, { at }] of this.#met) if (at < forgotten) this.#met.delete(txid);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#sweeping;
  }

  /** By the signs of life that it has given; without them, by those that are known. */
  #isOverdue(txid: string, signs?: number): boolean {
    const met = this.#met.get(txid);
    if (met && met.signs === (signs ?? met.signs)) return performance.now() - met.at > overdueMs;
    this.#met.set(txid, { at: performance.now(), signs: signs ?? 0 });
    return false;
  }

  #sweepSoon(): void {
    this.#sweeping ??= this.#trySweep().finally(() => {
      this.#sweeping = undefined;
    });
  }

  /** A server that is away is told of once. */
  async #trySweep(): Promise<void> {
    try {
      await this.sweep();
      this.#isHindered = false;
    } catch (error) {
      if (!this.#isHindered) this.#onError(error);
      this.#isHindered = true;
    }
  }
}
