import type { AnyBulkWriteOperation, Collection, Db } from "mongodb";
import type { Doc } from "../../store.ts";
import { isDuplicate } from "../indexes.ts";
import type { StoredDoc } from "../stored-documents.ts";

/** What a transaction does with a document that it holds. */
export interface Write {
  /** Its name on the server. */
  collection: string;
  id: string;
  kind: "read" | "remove" | "change" | "insert";
  /** The document afterwards; for changes and inserts. */
  doc?: Doc;
}

/**
 * The record of a transaction of several documents. It exists before the transaction holds any document, and until it
 * holds none. The step away from `pending` decides: only the owner sets `committed`, any process may set `aborted`, and
 * only one of them succeeds. The locks of a transaction without a record have no effect.
 */
export interface TransactionRecord {
  _id: string;
  state: "pending" | "committed" | "aborted";
  writes: Write[];
  /** Heartbeats, counted while the owner waits for something else; absent when it has not waited long. */
  signs?: number;
}

/** In this order, a unique value is free before another document takes it. */
const kinds: Write["kind"][] = ["remove", "change", "insert", "read"];

/** Applies the writes of a committed transaction and releases its documents. Idempotent. */
export async function applyWrites(db: Db, { _id, writes }: TransactionRecord): Promise<void> {
  await Promise.all(byCollection(db, writes).map(([collection, of]) => applyTo(collection, of, _id)));
}

/** Releases the documents of an aborted transaction. */
export async function releaseLocks(db: Db, { _id, writes }: TransactionRecord): Promise<void> {
  for (const [collection, of] of byCollection(db, writes)) {
    const held = { _lock: _id, _id: { $in: of.map(({ id }) => id) } };
    if (of.some(({ kind }) => kind === "insert")) await collection.deleteMany({ ...held, _new: true });
    await collection.updateMany(held, { $unset: { _lock: true } });
  }
}

async function applyTo(collection: Collection<StoredDoc>, writes: Write[], txid: string): Promise<void> {
  const steps = kinds.flatMap(kind => writes.filter(write => write.kind === kind));
  try {
    await collection.bulkWrite(steps.map(write => step(write, txid)));
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    for (const write of steps) await applyOne(collection, write, txid);
  }
}

function byCollection(db: Db, writes: Write[]): [Collection<StoredDoc>, Write[]][] {
  const groups = Map.groupBy(writes, ({ collection }) => collection);
  return [...groups].map(([name, of]) => [db.collection<StoredDoc>(name), of]);
}

function step({ id, kind, doc }: Write, txid: string): AnyBulkWriteOperation<StoredDoc> {
  const filter = { _id: id, _lock: txid };
  if (kind === "remove") return { deleteOne: { filter } };
  if (doc === undefined) return { updateOne: { filter, update: { $unset: { _lock: true } } } };
  const { _id, ...fields } = doc;
  return { replaceOne: { filter, replacement: { ...fields, _v: txid } } };
}

/** A unique value that moves from one document to another may have been taken in between; then the other taker keeps it. */
async function applyOne(collection: Collection<StoredDoc>, write: Write, txid: string): Promise<void> {
  try {
    await collection.bulkWrite([step(write, txid)]);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    await collection.deleteOne({ _id: write.id, _lock: txid });
  }
}
