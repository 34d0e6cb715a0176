import { conflict, isDuplicate } from "./duplicate.ts";
import type { Evaluation } from "./evaluate.ts";
import { hold } from "./hold.ts";
import type { Scope } from "./scope.ts";
import { stillHolds } from "./still-holds.ts";
import { newVersion, unlocked } from "./stored.ts";
import type { Change } from "./view.ts";
import { waitForOther, waitForTaker } from "./write-one.ts";

/** Writes what a run of the work came to. False: others have written since, so that it has to be run anew. */
export async function commit<Result>(
  scope: Scope,
  evaluation: Evaluation<Result>,
  before?: (result: Result) => Promise<unknown>,
): Promise<boolean> {
  const { outcome, view, reads } = evaluation;
  // Over what was read at several moments the work may come to anything.
  const isDoubtful = reads.rounds > 1 || view.used.size > 1;
  if ("error" in outcome) {
    if (isDoubtful && !(await stillHolds(scope, evaluation))) return false;
    throw outcome.error;
  }
  const [change, ...others] = view.changes.values();
  if (!change) {
    if (isDoubtful && !(await stillHolds(scope, evaluation))) return false;
    await before?.(outcome.result);
    return true;
  }
  if (others.length > 0 || before || readsMore(evaluation, change)) return hold(scope, evaluation, before);
  return change.before ? replace(scope, change, change.before.version) : insert(scope, change);
}

function readsMore({ view }: Evaluation<unknown>, { place, id }: Change): boolean {
  return [...view.used.values()].some(read => !("id" in read) || read.id !== id || read.place !== place);
}

async function replace({ locks }: Scope, { place, id, after }: Change, version: string): Promise<boolean> {
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

async function insert({ locks }: Scope, { place, before, id, after }: Change): Promise<boolean> {
  if (!after) return true;
  try {
    await place.stored.insertOne({ ...after, _v: newVersion() });
    return true;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    if (await waitForTaker(place, locks, after, performance.now())) return false;
    // It was read, and was not there then.
    if (before === null && (await place.stored.findOne({ _id: id }))) return false;
    throw conflict(error);
  }
}
