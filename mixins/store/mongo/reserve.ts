import type { Doc } from "../store.ts";
import { collide, colliding, conflict, isDuplicate } from "./duplicate.ts";
import type { Evaluation } from "./evaluate.ts";
import type { Holding } from "./holdings.ts";
import type { Scope } from "./scope.ts";
import { stillHolds } from "./still-holds.ts";
import type { Place, Stored } from "./stored.ts";

/**
 * Keeps the identities and the unique values of what is new by placeholders, which nobody sees. False: another
 * transaction has them for now. Rejects with `conflict` when they are taken for good.
 */
export async function reserve(
  scope: Scope,
  holdings: Holding[],
  evaluation: Evaluation<unknown>,
  txid: string,
): Promise<boolean> {
  for (const [place, of] of Map.groupBy(holdings, ({ place }) => place)) {
    const docs = of.flatMap(({ write: { kind, doc } }) => (kind === "insert" && doc ? [doc] : []));
    const vacated = vacatedIn(place, evaluation);
    const placeholders = docs.map(doc => placeholder(place, doc, vacated, txid));
    try {
      if (docs.length > 0) await place.stored.insertMany(placeholders);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      const isTaken = await isTakenForGood(scope, place, docs, txid);
      if (isTaken && (await stillHolds(scope, evaluation, txid))) throw conflict(error);
      return false;
    }
  }
  return true;
}

/** What the transaction's own changes and removals leave behind. */
function vacatedIn(place: Place, { view }: Evaluation<unknown>): Doc[] {
  return [...view.changes.values()].flatMap(change =>
    change.place === place && change.before ? [change.before.doc] : [],
  );
}

/** Without its fields where it takes over a unique value of another document that the transaction holds. */
function placeholder({ uniques }: Place, doc: Doc, vacated: Doc[], txid: string): Stored {
  const held = { _v: txid, _lock: txid, _new: true } as const;
  return vacated.some(other => collide(uniques, doc, other))
    ? { _id: doc._id, ...held }
    : { ...doc, ...held };
}

async function isTakenForGood({ locks }: Scope, place: Place, docs: Doc[], txid: string): Promise<boolean> {
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
