import { setTimeout as sleep } from "node:timers/promises";
import type { UpdateFilter } from "mongodb";
import { fail } from "../../../services/contracts/errors.ts";
import { applyUpdate } from "../apply-update.ts";
import type { Doc, Query, Update } from "../store.ts";
import { colliding, conflict, isDuplicate } from "./indexes.ts";
import { toMongoFilter } from "./query.ts";
import { withSafeNames } from "./safe-names.ts";
import {
  newVersion,
  type StoredCollection,
  type StoredDoc,
  stamped,
  withoutVersion,
} from "./stored-documents.ts";

const [typeMismatch, pathNotViable] = [14, 28];

/** Inserts; rejects with `conflict` when the identity or a unique value is taken. */
export async function insertOne(place: StoredCollection, doc: Doc): Promise<void> {
  for (const since = performance.now(); ; await backOff(since))
    try {
      await place.stored.insertOne(stamped(doc));
      return;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      // Without a document that is in the way, the one that was has gone since the write.
      if ((await colliding(place, doc)).length > 0) throw conflict(error);
    }
}

/** The document after the update; null when there is none. */
export async function updateOne(
  place: StoredCollection,
  id: string,
  update: Update<Doc>,
): Promise<Doc | null> {
  const change = toMongoUpdate(update);
  try {
    const doc = await place.stored.findOneAndUpdate({ _id: id }, change, { returnDocument: "after" });
    return doc && withoutVersion(doc);
  } catch (error) {
    if (!isRefused(error)) throw error;
    return changeOne(place, id, doc => doc && applyUpdate(doc, update));
  }
}

/** Unlike the store, MongoDB can neither increment null nor set a field inside it. It refuses one of two upserts at once. */
function isRefused(error: unknown): boolean {
  return (
    isDuplicate(error) || [typeMismatch, pathNotViable].includes(Number((error as { code?: unknown }).code))
  );
}

/** The document after the update, which creates it when there is none. */
export async function upsertOne(place: StoredCollection, id: string, update: Update<Doc>): Promise<Doc> {
  const change = toMongoUpdate(update);
  const options = { upsert: true, returnDocument: "after" } as const;
  try {
    const doc = await place.stored.findOneAndUpdate({ _id: id }, change, options);
    if (doc) return withoutVersion(doc);
  } catch (error) {
    if (!isRefused(error)) throw error;
  }
  return (await changeOne(place, id, doc => applyUpdate(doc ?? { _id: id }, update))) as Doc;
}

/** The document after `work`, which returns undefined to leave it and null to remove it. */
export async function changeOne(
  place: StoredCollection,
  id: string,
  work: (doc: Doc | null) => Doc | null | undefined,
): Promise<Doc | null> {
  for (const since = performance.now(); ; await backOff(since)) {
    const stored = await place.stored.findOne({ _id: id });
    const before = stored && withoutVersion(stored);
    const after = work(before);
    if (after === undefined || (after === null && !stored)) return before;
    if (after !== null && after._id !== id) throw new TypeError("The _id of a document never changes");
    if (await isReplaced(place, stored, after)) return after;
  }
}

/** Writes what a document becomes unless it has changed meanwhile. Rejects when another one has a unique value of it. */
async function isReplaced(
  place: StoredCollection,
  stored: StoredDoc | null,
  after: Doc | null,
): Promise<boolean> {
  const unchanged = stored && { _id: stored._id, _v: stored._v };
  if (after === null)
    return unchanged !== null && (await place.stored.deleteOne(unchanged)).deletedCount === 1;
  const doc = JSON.parse(JSON.stringify(after)) as Doc;
  try {
    if (!unchanged) {
      await place.stored.insertOne(stamped(doc));
      return true;
    }
    const { _id, ...fields } = stamped(doc);
    const { matchedCount } = await place.stored.replaceOne(unchanged, fields);
    return matchedCount === 1;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    const others = (await colliding(place, doc)).filter(({ _id }) => _id !== doc._id);
    if (others.length > 0) throw conflict(error);
    return false;
  }
}

const waitBudgetMs = 15_000;

/** A random pause that lets others finish; rejects with `overloaded` 15 s after `since` (performance.now). */
async function backOff(since: number, longestMs = 20): Promise<void> {
  if (performance.now() - since > waitBudgetMs)
    throw fail("overloaded", "The service cannot take this request right now. Try again shortly.");
  await sleep(1 + Math.random() * longestMs);
}

/** The document that was removed; null when there was none. */
export async function removeOne({ stored }: StoredCollection, id: string): Promise<Doc | null> {
  const doc = await stored.findOneAndDelete({ _id: id });
  return doc && withoutVersion(doc);
}

/** Inserts all, or none when one is refused. The death of the process in between may leave some. */
export async function insertMany({ stored }: StoredCollection, docs: Doc[]): Promise<void> {
  const _v = newVersion();
  const all = docs.map(doc => stamped(doc, _v));
  try {
    if (all.length > 0) await stored.insertMany(all);
  } catch (error) {
    await stored.deleteMany({ _id: { $in: docs.map(({ _id }) => _id) }, _v });
    throw isDuplicate(error) ? conflict(error) : error;
  }
}

/** Updates what a query finds; returns how many. Not atomic: readers see a part of it first. */
export async function updateMany(
  { stored }: StoredCollection,
  query: Query<Doc>,
  update: Update<Doc>,
): Promise<number> {
  try {
    return (await stored.updateMany(toMongoFilter(query), toMongoUpdate(update))).matchedCount;
  } catch (error) {
    throw isDuplicate(error) ? conflict(error) : error;
  }
}

/** Removes what a query finds; returns how many. Not atomic either. */
export async function removeMany({ stored }: StoredCollection, query: Query<Doc>): Promise<number> {
  return (await stored.deleteMany(toMongoFilter(query))).deletedCount;
}

/** The update in the server's language, with a new version. */
function toMongoUpdate({ $set, $unset, $inc, ...unknown }: Update<Doc>): UpdateFilter<StoredDoc> {
  const [operator] = Object.keys(unknown);
  if (operator !== undefined) throw new TypeError(`Unknown update operator ${operator}`);
  const update = {
    $set: { ...withSafeNames($set), _v: newVersion() },
    ...some({ $unset }),
    ...some({ $inc }),
  };
  return update as UpdateFilter<StoredDoc>;
}

/** Some servers refuse an operator without fields. */
function some(operators: Record<string, object | undefined>): object {
  return Object.fromEntries(
    Object.entries(operators).filter(([, fields]) => fields && Object.keys(fields).length > 0),
  );
}
