import type { Evaluation } from "./evaluate.ts";
import { type Holding, holdingsOf } from "./holdings.ts";
import { release, type TransactionRecord } from "./records.ts";
import { reserve } from "./reserve.ts";
import type { Scope } from "./scope.ts";
import { stillHolds } from "./still-holds.ts";
import { newVersion, unlocked } from "./stored.ts";

/**
 * Writes all or nothing: holds every document that was read by its identity or is written, sees that what was read is as
 * it was, and decides by one write. False: others have written since.
 */
export async function hold<Result>(
  scope: Scope,
  evaluation: Evaluation<Result>,
  before?: (result: Result) => Promise<unknown>,
): Promise<boolean> {
  const holdings = holdingsOf(evaluation);
  const txid = newVersion();
  const record: TransactionRecord = {
    _id: txid,
    state: "pending",
    writes: holdings.map(({ write }) => write),
  };
  await scope.locks.records.insertOne(record);
  try {
    const isHeld = (await lock(holdings, txid)) && (await reserve(scope, holdings, evaluation, txid));
    if (!isHeld || !(await stillHolds(scope, evaluation, txid))) return await undo(scope, record);
    const { outcome } = evaluation;
    if (before && "result" in outcome) await scope.locks.alive(txid, () => before(outcome.result));
    if (!(await decide(scope, txid))) return await undo(scope, record);
    await scope.locks.finish({ ...record, state: "committed" });
    return true;
  } catch (error) {
    if (await undoInTrouble(scope, record)) return true;
    throw error;
  }
}

/** Holds what was there, or answers false. It waits for nobody, so that no two wait for each other. */
async function lock(holdings: Holding[], txid: string): Promise<boolean> {
  const there = holdings.filter(({ version }) => version !== undefined);
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

/** The commit. False when somebody took this transaction for dead. */
async function decide({ locks }: Scope, txid: string): Promise<boolean> {
  const { matchedCount } = await locks.records.updateOne(
    { _id: txid, state: "pending" },
    { $set: { state: "committed" } },
  );
  return matchedCount === 1;
}

/** True: it was decided for the transaction after all. */
async function undo({ locks }: Scope, record: TransactionRecord): Promise<boolean> {
  if (await locks.settle(record._id)) return true;
  // Whoever aborted it may not have seen the last of its locks.
  await release(locks.db, record);
  return false;
}

async function undoInTrouble(scope: Scope, record: TransactionRecord): Promise<boolean> {
  try {
    return await undo(scope, record);
  } catch {
    // The fault before this one is told; whichever process meets the record ends the transaction.
    return false;
  }
}
