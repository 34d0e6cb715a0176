import type { Transaction } from "../../store.ts";
import { conflict, isDuplicate } from "../indexes.ts";
import { newVersion, unlocked } from "../stored-documents.ts";
import { waitForOther, waitForTaker } from "../writes.ts";
import { backOff, type TransactionScope } from "./document-locks.ts";
import { type Change, type Evaluation, evaluate } from "./evaluation.ts";
import { readsAreCurrent } from "./reads-are-current.ts";
import { commitInTwoPhases } from "./two-phase-commit.ts";

type Before<Result> = (result: Result) => Promise<unknown>;

/** Evaluates and commits until no other write has come in between. */
export async function transact<Result>(
  scope: TransactionScope,
  work: (transaction: Transaction) => Result,
  before?: Before<Result>,
): Promise<Result> {
  const since = performance.now();
  const first = await attempt(scope, work, before);
  if (first) return first.result;
  // Transactions that met once would meet again, so those of this process queue up; between processes chance decides.
  return scope.locks.retries.run(async () => {
    for (let longestMs = 2; ; longestMs = Math.min(longestMs * 2, 100)) {
      const next = await attempt(scope, work, before);
      if (next) return next.result;
      await backOff(since, longestMs);
    }
  });
}

async function attempt<Result>(
  scope: TransactionScope,
  work: (transaction: Transaction) => Result,
  before?: Before<Result>,
): Promise<{ result: Result } | undefined> {
  const evaluation = await evaluate(scope, work);
  const isDone = await commit(scope, evaluation, before);
  return isDone && "result" in evaluation.outcome ? evaluation.outcome : undefined;
}

/** Writes the result of a run. False: others have written since, so the work has to run again. */
async function commit<Result>(
  scope: TransactionScope,
  evaluation: Evaluation<Result>,
  before?: (result: Result) => Promise<unknown>,
): Promise<boolean> {
  const { outcome, view, reads } = evaluation;
  // Documents that were read at different moments may be inconsistent, and so may the result.
  const isDoubtful = reads.rounds > 1 || view.used.size > 1;
  if ("error" in outcome) {
    if (isDoubtful && !(await readsAreCurrent(scope, evaluation))) return false;
    throw outcome.error;
  }
  const [change, ...others] = view.changes.values();
  if (!change) {
    if (isDoubtful && !(await readsAreCurrent(scope, evaluation))) return false;
    await before?.(outcome.result);
    return true;
  }
  if (others.length > 0 || before || readsMore(evaluation, change))
    return commitInTwoPhases(scope, evaluation, before);
  return change.before ? replace(scope, change, change.before.version) : insert(scope, change);
}

function readsMore({ view }: Evaluation<unknown>, { place, id }: Change): boolean {
  return [...view.used.values()].some(read => !("id" in read) || read.id !== id || read.place !== place);
}

async function replace(
  { locks }: TransactionScope,
  { place, id, after }: Change,
  version: string,
): Promise<boolean> {
  const unchanged = { _id: id, _v: version, ...unlocked };
  if (!after) return (await place.stored.deleteOne(unchanged)).deletedCount === 1;
  const { _id, ...fields } = after;
  try {
    const { matchedCount } = await place.stored.replaceOne(unchanged, { ...fields, _v: newVersion() });
    return matchedCount === 1;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    await waitForOther(place, locks, after, performance.now(), error);
    return false;
  }
}

async function insert({ locks }: TransactionScope, { place, before, id, after }: Change): Promise<boolean> {
  if (!after) return true;
  try {
    await place.stored.insertOne({ ...after, _v: newVersion() });
    return true;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    if (await waitForTaker(place, locks, after, performance.now())) return false;
    // The work has read that there was none, and now there is.
    if (before === null && (await place.stored.findOne({ _id: id }))) return false;
    throw conflict(error);
  }
}
