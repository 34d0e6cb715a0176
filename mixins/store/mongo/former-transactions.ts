import { setTimeout as sleep } from "node:timers/promises";
import type { AnyBulkWriteOperation, Collection, Db } from "mongodb";
import { fail } from "../../../services/contracts/errors.ts";
import { type Periodic, periodic } from "../../async/periodic.ts";
import { type Mongo, withDeadline } from "../../cluster/mongo.ts";
import type { Doc } from "../store.ts";
import { isDuplicate } from "./indexes.ts";
import type { StoredDoc } from "./stored-documents.ts";

/** What a transaction of a former version does with a document that it holds. */
interface Write {
  collection: string;
  id: string;
  kind: "read" | "remove" | "change" | "insert";
  doc?: Doc;
}

/** The record of a transaction of a former version. `committed` ones are to be applied, all others are to be undone. */
export interface FormerTransaction {
  _id: string;
  state: "pending" | "committed" | "aborted";
  writes: Write[];
}

/** A transaction that holds something for this long counts as dead. */
const overdueMs = 2000;
const endEveryMs = 60_000;

/**
 * What nodes of the version before this one leave behind: locks on documents (`_lock`), placeholders (`_new`), and records
 * of transactions. While such nodes run, a write waits for their locks; those of dead ones are ended here.
 */
export class FormerTransactions {
  readonly #db: Db;
  readonly #records: Collection<FormerTransaction>;
  /** When this process first saw a transaction, by its own clock. */
  readonly #firstSeen = new Map<string, number>();
  readonly #ending: Periodic;

  constructor({ db, name }: Mongo, onError: (error: unknown) => void) {
    this.#db = db;
    this.#records = withDeadline(db.collection(name("transactions")));
    this.#ending = periodic(() => this.endOverdue(), { everyMs: endEveryMs, onError, reportsOnce: true });
  }

  /** Waits a moment for the transaction that holds a document; ends it when it is overdue. `since` is `performance.now`. */
  async wait(
    txid: string,
    since: number,
    held: { stored: Collection<StoredDoc>; id: string },
  ): Promise<void> {
    await backOff(since);
    if (!this.#isOverdue(txid)) return;
    await this.#end(txid);
    // Without a record the transaction was undone.
    const mine = { _id: held.id, _lock: txid };
    await held.stored.deleteOne({ ...mine, _new: true });
    await held.stored.updateOne(mine, { $unset: { _lock: true } });
  }

  /** Ends every overdue transaction. */
  async endOverdue(): Promise<void> {
    const found = await this.#records.find({}, { projection: { _id: 1 } }).toArray();
    for (const { _id } of found) if (this.#isOverdue(_id)) await this.#end(_id);
  }

  async close(): Promise<void> {
    await this.#ending.stop();
  }

  #isOverdue(txid: string): boolean {
    const firstSeen = this.#firstSeen.get(txid);
    if (firstSeen !== undefined) return performance.now() - firstSeen > overdueMs;
    this.#firstSeen.set(txid, performance.now());
    return false;
  }

  async #end(txid: string): Promise<void> {
    await this.#records.updateOne({ _id: txid, state: "pending" }, { $set: { state: "aborted" } });
    const record = await this.#records.findOne({ _id: txid });
    for (const write of record?.writes ?? []) await this.#release(write, txid, record?.state === "committed");
    await this.#records.deleteOne({ _id: txid });
    this.#firstSeen.delete(txid);
  }

  async #release({ collection, id, kind, doc }: Write, txid: string, isCommitted: boolean): Promise<void> {
    const stored = withDeadline(this.#db.collection<StoredDoc>(collection));
    const filter = { _id: id, _lock: txid };
    if (isCommitted ? kind === "remove" : kind === "insert") {
      await stored.deleteOne(isCommitted ? filter : { ...filter, _new: true });
      return;
    }
    if (!isCommitted || doc === undefined) {
      await stored.updateOne(filter, { $unset: { _lock: true } });
      return;
    }
    const { _id, ...fields } = doc;
    const step: AnyBulkWriteOperation<StoredDoc> = {
      replaceOne: { filter, replacement: { ...fields, _v: txid } },
    };
    try {
      await stored.bulkWrite([step]);
    } catch (error) {
      // Another document has its unique value by now, and keeps it.
      if (!isDuplicate(error)) throw error;
      await stored.deleteOne(filter);
    }
  }
}

const waitBudgetMs = 15_000;

/** A random pause that lets others finish; rejects with `overloaded` 15 s after `since` (performance.now). */
export async function backOff(since: number, longestMs = 20): Promise<void> {
  if (performance.now() - since > waitBudgetMs)
    throw fail("overloaded", "The service cannot take this request right now. Try again shortly.");
  await sleep(1 + Math.random() * longestMs);
}
