import type { Collection, Db } from "mongodb";
import type { Mongo } from "../../mongo/mongo.ts";
import { pause } from "./pause.ts";
import { apply, release, type TransactionRecord } from "./records.ts";
import type { Stored } from "./stored.ts";
import { Turns } from "./turns.ts";

/** Milliseconds after which a transaction that has held something all the while is taken for dead. */
const overdueMs = 2000;
const sweepMs = 3000;
const forgetMs = 60_000;

/** The transactions that are under way in a cluster, and how those of processes that died come to their end. */
export class Locks {
  readonly db: Db;
  readonly records: Collection<TransactionRecord>;
  /** Of this process' transactions those that met others try again one after another. */
  readonly retries = new Turns();
  /** When a transaction was first met here, by this process' own clock. */
  readonly #met = new Map<string, number>();
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
    await this.settle(txid);
    if (!held) return;
    // One whose record is gone came to nothing: of a committed one nothing is left to let go of.
    const mine = { _id: held.id, _lock: txid };
    await held.stored.deleteOne({ ...mine, _new: true });
    await held.stored.updateOne(mine, { $unset: { _lock: true } });
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
    const found = await this.records.find({}, { projection: { _id: 1 } }).toArray();
    for (const { _id } of found) if (this.#isOverdue(_id)) await this.settle(_id);
    const forgotten = performance.now() - forgetMs;
    for (const [txid, met] of this.#met) if (met < forgotten) this.#met.delete(txid);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#sweeping;
  }

  #isOverdue(txid: string): boolean {
    const met = this.#met.get(txid) ?? performance.now();
    this.#met.set(txid, met);
    return performance.now() - met > overdueMs;
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
