import type { AnyBulkWriteOperation, Collection, Db } from "mongodb";
import type { Doc } from "../store.ts";
import { isDuplicate } from "./duplicate.ts";
import type { Stored } from "./stored.ts";

/** What a transaction does with a document that it holds. */
export interface Write {
  /** Its name on the server. */
  collection: string;
  id: string;
  kind: "read" | "remove" | "change" | "insert";
  /** As it is afterwards; of changes and inserts. */
  doc?: Doc;
}

/**
 * A transaction of several documents, there before it holds any of them and until it holds none. The step from
 * `pending` decides: to `committed` it is its owner's, to `aborted` anyone's, and only one of them succeeds. One whose
 * record is gone holds its documents for nothing.
 */
export interface TransactionRecord {
  _id: string;
  state: "pending" | "committed" | "aborted";
  writes: Write[];
  /** Counted up by an owner who waits for something else; none for one who has not waited long. */
  signs?: number;
}

/** In this order a unique value is free before another document takes it. */
const kinds: Write["kind"][] = ["remove", "change", "insert", "read"];

/** Does what a committed transaction has decided and lets go of its documents. To do it again does nothing. */
export async function apply(db: Db, { _id, writes }: TransactionRecord): Promise<void> {
  await Promise.all(byCollection(db, writes).map(([collection, of]) => applyTo(collection, of, _id)));
}

/** Lets go of the documents of a transaction that came to nothing. */
export async function release(db: Db, { _id, writes }: TransactionRecord): Promise<void> {
  for (const [collection, of] of byCollection(db, writes)) {
    const held = { _lock: _id, _id: { $in: of.map(({ id }) => id) } };
    if (of.some(({ kind }) => kind === "insert")) await collection.deleteMany({ ...held, _new: true });
    await collection.updateMany(held, { $unset: { _lock: true } });
  }
}

async function applyTo(collection: Collection<Stored>, writes: Write[], txid: string): Promise<void> {
  const steps = kinds.flatMap(kind => writes.filter(write => write.kind === kind));
  try {
    await collection.bulkWrite(steps.map(write => step(write, txid)));
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    for (const write of steps) await applyOne(collection, write, txid);
  }
}

function byCollection(db: Db, writes: Write[]): [Collection<Stored>, Write[]][] {
  const groups = Map.groupBy(writes, ({ collection }) => collection);
  return [...groups].map(([name, of]) => [db.collection<Stored>(name), of]);
}

function step({ id, kind, doc }: Write, txid: string): AnyBulkWriteOperation<Stored> {
  const filter = { _id: id, _lock: txid };
  if (kind === "remove") return { deleteOne: { filter } };
  if (doc === undefined) return { updateOne: { filter, update: { $unset: { _lock: true } } } };
  const { _id, ...fields } = doc;
  return { replaceOne: { filter, replacement: { ...fields, _v: txid } } };
}

/** A value that went from one document to another may have been taken in between: then whoever took it stands. */
async function applyOne(collection: Collection<Stored>, write: Write, txid: string): Promise<void> {
  try {
    await collection.bulkWrite([step(write, txid)]);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    await collection.deleteOne({ _id: write.id, _lock: txid });
  }
}
