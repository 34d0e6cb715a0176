import type { Doc } from "../../store.ts";
import { collide, colliding, conflict, isDuplicate } from "../indexes.ts";
import { newVersion, type StoredCollection, type StoredDoc, unlocked } from "../stored-documents.ts";
import type { TransactionScope } from "./document-locks.ts";
import { documentsToLock, type Evaluation, type LockedDocument } from "./evaluation.ts";
import { readsAreCurrent } from "./reads-are-current.ts";
import { releaseLocks, type TransactionRecord } from "./transaction-record.ts";

/**
 * Writes all or nothing: locks every document that was read by identity or is written, checks that the reads are current,
 * and decides by one write. False: others have written since. See protocol.md.
 */
export async function commitInTwoPhases<Result>(
  scope: TransactionScope,
  evaluation: Evaluation<Result>,
  before?: (result: Result) => Promise<unknown>,
): Promise<boolean> {
  const lockedDocuments = documentsToLock(evaluation);
  const txid = newVersion();
  const record: TransactionRecord = {
    _id: txid,
    state: "pending",
    writes: lockedDocuments.map(({ write }) => write),
  };
  await scope.locks.records.insertOne(record);
  try {
    const isLocked =
      (await lockDocuments(lockedDocuments, txid)) &&
      (await reserveUniqueValues(scope, lockedDocuments, evaluation, txid));
    if (!isLocked || !(await readsAreCurrent(scope, evaluation, txid))) return await undo(scope, record);
    const { outcome } = evaluation;
    if (before && "result" in outcome) await scope.locks.withHeartbeat(txid, () => before(outcome.result));
    if (!(await decide(scope, txid))) return await undo(scope, record);
    await scope.locks.finish({ ...record, state: "committed" });
    return true;
  } catch (error) {
    if (await undoAfterError(scope, record)) return true;
    throw error;
  }
}

/** Locks the documents that exist, or returns false. It never waits, so no two transactions wait for each other. */
async function lockDocuments(lockedDocuments: LockedDocument[], txid: string): Promise<boolean> {
  const there = lockedDocuments.filter(({ version }) => version !== undefined);
  const held = await Promise.all(
    [...Map.groupBy(there, ({ place }) => place)].map(async ([place, of]) => {
      const steps = of.map(({ id, version }) => ({
        updateOne: { filter: { _id: id, _v: version, ...unlocked }, update: { $set: { _lock: txid } } },
      }));
      const { matchedCount } = await place.stored.bulkWrite(steps, { ordered: false });
      return matchedCount === of.length;
    }),
  );
  return !held.includes(false);
}

/** The commit. False when another process has aborted this transaction as dead. */
async function decide({ locks }: TransactionScope, txid: string): Promise<boolean> {
  const { matchedCount } = await locks.records.updateOne(
    { _id: txid, state: "pending" },
    { $set: { state: "committed" } },
  );
  return matchedCount === 1;
}

/** True: the transaction was committed after all. */
async function undo({ locks }: TransactionScope, record: TransactionRecord): Promise<boolean> {
  if (await locks.resolve(record._id)) return true;
  // The process that aborted it may have missed its last locks.
  await releaseLocks(locks.db, record);
  return false;
}

async function undoAfterError(scope: TransactionScope, record: TransactionRecord): Promise<boolean> {
  try {
    return await undo(scope, record);
  } catch {
    // The caller throws the first error. The next process that meets the record ends the transaction.
    return false;
  }
}

/**
 * Reserves the identities and unique values of new documents by placeholders, which readers do not see. False: another
 * transaction has them for now. Rejects with `conflict` when they are taken for good.
 */
async function reserveUniqueValues(
  scope: TransactionScope,
  lockedDocuments: LockedDocument[],
  evaluation: Evaluation<unknown>,
  txid: string,
): Promise<boolean> {
  for (const [place, of] of Map.groupBy(lockedDocuments, ({ place }) => place)) {
    const docs = of.flatMap(({ write: { kind, doc } }) => (kind === "insert" && doc ? [doc] : []));
    const vacated = vacatedIn(place, evaluation);
    const placeholders = docs.map(doc => placeholder(place, doc, vacated, txid));
    try {
      if (docs.length > 0) await place.stored.insertMany(placeholders);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      const isTaken = await isTakenForGood(scope, place, docs, txid);
      if (isTaken && (await readsAreCurrent(scope, evaluation, txid))) throw conflict(error);
      return false;
    }
  }
  return true;
}

/** The documents whose unique values the transaction's own changes and removals set free. */
function vacatedIn(place: StoredCollection, { view }: Evaluation<unknown>): Doc[] {
  return [...view.changes.values()].flatMap(change =>
    change.place === place && change.before ? [change.before.doc] : [],
  );
}

/** Has no fields when it takes over a unique value of another document that the transaction holds. */
function placeholder({ uniques }: StoredCollection, doc: Doc, vacated: Doc[], txid: string): StoredDoc {
  const held = { _v: txid, _lock: txid, _new: true } as const;
  return vacated.some(other => collide(uniques, doc, other))
    ? { _id: doc._id, ...held }
    : { ...doc, ...held };
}

async function isTakenForGood(
  { locks }: TransactionScope,
  place: StoredCollection,
  docs: Doc[],
  txid: string,
): Promise<boolean> {
  for (const doc of docs) {
    const takers = (await colliding(place, doc)).filter(({ _lock }) => _lock !== txid);
    const holder = takers.find(({ _lock }) => _lock !== undefined);
    if (holder?._lock !== undefined) {
      await locks.wait(holder._lock, performance.now(), { stored: place.stored, id: holder._id });
      return false;
    }
    if (takers.length > 0) return true;
  }
  return false;
}
