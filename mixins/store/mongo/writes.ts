import type { UpdateFilter } from "mongodb";
import { applyUpdate } from "../apply-update.ts";
import type { Doc, Query, Update } from "../store.ts";
import { backOff, type FormerTransactions } from "./former-transactions.ts";
import { colliding, conflict, isDuplicate } from "./indexes.ts";
import { toMongoFilter } from "./query.ts";
import {
  newVersion,
  type StoredCollection,
  type StoredDoc,
  stamped,
  unlocked,
  visible,
  withoutMarks,
} from "./stored-documents.ts";

const [typeMismatch, pathNotViable] = [14, 28];

/** Inserts; rejects with `conflict` when the identity or a unique value is taken for good. */
export async function insertOne(
  place: StoredCollection,
  former: FormerTransactions,
  doc: Doc,
): Promise<void> {
  for (const since = performance.now(); ; )
    try {
      await place.stored.insertOne(stamped(doc));
      return;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      await waitForTakers(place, former, await colliding(place, doc), since, error);
    }
}

/** Waits while a transaction holds a document that is in the way; rejects when it is there for good. */
async function waitForTakers(
  place: StoredCollection,
  former: FormerTransactions,
  takers: StoredDoc[],
  since: number,
  refusal: unknown,
): Promise<void> {
  const holder = takers.find(({ _lock }) => _lock !== undefined);
  if (takers.length > 0 && !holder) throw conflict(refusal);
  if (holder) await waitFor(place, former, holder, since);
  // The taker went between the two looks.
  else await backOff(since);
}

/** The document after the update; null when there is none. */
export async function updateOne(
  place: StoredCollection,
  former: FormerTransactions,
  id: string,
  update: Update<Doc>,
): Promise<Doc | null> {
  const change = toMongoUpdate(update);
  try {
    return await unheld(place, former, id, () =>
      place.stored.findOneAndUpdate({ _id: id, ...unlocked }, change, { returnDocument: "after" }),
    );
  } catch (error) {
    if (!isRefused(error)) throw error;
    return changeOne(place, former, id, doc => doc && applyUpdate(doc, update));
  }
}

/** Unlike the store, MongoDB can neither increment null nor set a field inside it, and refuses what a lock is in the way of. */
function isRefused(error: unknown): boolean {
  return (
    isDuplicate(error) || [typeMismatch, pathNotViable].includes(Number((error as { code?: unknown }).code))
  );
}

/** The document after the update, which creates it when there is none. */
export async function upsertOne(
  place: StoredCollection,
  former: FormerTransactions,
  id: string,
  update: Update<Doc>,
): Promise<Doc> {
  const change = toMongoUpdate(update);
  const options = { upsert: true, returnDocument: "after" } as const;
  try {
    const doc = await place.stored.findOneAndUpdate({ _id: id, ...unlocked }, change, options);
    if (doc) return withoutMarks(doc);
  } catch (error) {
    if (!isRefused(error)) throw error;
  }
  return (await changeOne(place, former, id, doc => applyUpdate(doc ?? { _id: id }, update))) as Doc;
}

/** The document after `work`, which returns undefined to leave it and null to remove it. */
export async function changeOne(
  place: StoredCollection,
  former: FormerTransactions,
  id: string,
  work: (doc: Doc | null) => Doc | null | undefined,
): Promise<Doc | null> {
  for (const since = performance.now(); ; await backOff(since)) {
    const stored = await place.stored.findOne({ _id: id });
    if (stored?._lock !== undefined) {
      await waitFor(place, former, stored, since);
      continue;
    }
    const before = stored && withoutMarks(stored);
    const after = work(before);
    if (after === undefined || (after === null && !stored)) return before;
    if (after !== null && after._id !== id) throw new TypeError("The _id of a document never changes");
    if (await isReplaced(place, former, stored, after, since)) return after;
  }
}

/** Writes what a document becomes unless it has changed meanwhile. Rejects when another one has a unique value of it. */
async function isReplaced(
  place: StoredCollection,
  former: FormerTransactions,
  stored: StoredDoc | null,
  after: Doc | null,
  since: number,
): Promise<boolean> {
  const unchanged = stored && { _id: stored._id, _v: stored._v, ...unlocked };
  if (after === null)
    return unchanged !== null && (await place.stored.deleteOne(unchanged)).deletedCount === 1;
  const doc = JSON.parse(JSON.stringify(after)) as Doc;
  try {
    if (!unchanged) {
      await place.stored.insertOne(stamped(doc));
      return true;
    }
    const { _id, ...fields } = doc;
    const { matchedCount } = await place.stored.replaceOne(unchanged, { ...fields, _v: newVersion() });
    return matchedCount === 1;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    const others = (await colliding(place, doc)).filter(({ _id }) => _id !== doc._id);
    await waitForTakers(place, former, others, since, error);
    return false;
  }
}

/** The document that was removed; null when there was none. */
export function removeOne(
  place: StoredCollection,
  former: FormerTransactions,
  id: string,
): Promise<Doc | null> {
  return unheld(place, former, id, () => place.stored.findOneAndDelete({ _id: id, ...unlocked }));
}

/** Tries again while a transaction holds the document. */
async function unheld(
  place: StoredCollection,
  former: FormerTransactions,
  id: string,
  attempt: () => Promise<StoredDoc | null>,
): Promise<Doc | null> {
  for (const since = performance.now(); ; ) {
    const doc = await attempt();
    if (doc) return withoutMarks(doc);
    const present = await place.stored.findOne({ _id: id });
    if (!present) return null;
    await waitFor(place, former, present, since);
  }
}

async function waitFor(
  { stored }: StoredCollection,
  former: FormerTransactions,
  { _id, _lock }: StoredDoc,
  since: number,
) {
  if (_lock !== undefined) await former.wait(_lock, since, { stored, id: _id });
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

/** Updates what a query finds, each document once; returns how many. Not atomic: readers see a part of it first. */
export async function updateMany(
  { stored }: StoredCollection,
  former: FormerTransactions,
  query: Query<Doc>,
  update: Update<Doc>,
): Promise<number> {
  const change = toMongoUpdate(update);
  const mark = (change.$set as { _v: string })._v;
  return whileHeld({ stored }, former, { ...toMongoFilter(query), _v: { $ne: mark } }, async filter => {
    const { matchedCount } = await stored.updateMany(filter, change).catch(error => {
      throw isDuplicate(error) ? conflict(error) : error;
    });
    return matchedCount;
  });
}

/** Removes what a query finds; returns how many. Not atomic either. */
export function removeMany(
  { stored }: StoredCollection,
  former: FormerTransactions,
  query: Query<Doc>,
): Promise<number> {
  return whileHeld({ stored }, former, toMongoFilter(query), async filter => {
    const { deletedCount } = await stored.deleteMany(filter);
    return deletedCount;
  });
}

/** Repeats the write for documents that transactions hold, once these have released them. */
async function whileHeld(
  { stored }: Pick<StoredCollection, "stored">,
  former: FormerTransactions,
  filter: object,
  write: (filter: object) => Promise<number>,
): Promise<number> {
  let total = 0;
  for (const since = performance.now(); ; ) {
    total += await write({ ...filter, ...unlocked });
    const held = await stored.findOne({ ...filter, ...visible, _lock: { $exists: true } });
    if (!held?._lock) return total;
    await former.wait(held._lock, since, { stored, id: held._id });
  }
}

/** The update in the server's language, with a new version. */
function toMongoUpdate({ $set, $unset, $inc, ...unknown }: Update<Doc>): UpdateFilter<StoredDoc> {
  const [operator] = Object.keys(unknown);
  if (operator !== undefined) throw new TypeError(`Unknown update operator ${operator}`);
  const update = { $set: { ...$set, _v: newVersion() }, ...some({ $unset }), ...some({ $inc }) };
  return update as UpdateFilter<StoredDoc>;
}

/** Some servers refuse an operator without fields. */
function some(operators: Record<string, object | undefined>): object {
  return Object.fromEntries(
    Object.entries(operators).filter(([, fields]) => fields && Object.keys(fields).length > 0),
  );
}
