import type { UpdateFilter } from "mongodb";
import { applyUpdate } from "../apply-update.ts";
import type { Doc, Query, Update } from "../store.ts";
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
import { backOff, type DocumentLocks } from "./transactions/document-locks.ts";

const [typeMismatch, pathNotViable] = [14, 28];

/** Inserts; rejects with `conflict` when the identity or a unique value is taken for good. */
export async function insertOne(place: StoredCollection, locks: DocumentLocks, doc: Doc): Promise<void> {
  for (const since = performance.now(); ; )
    try {
      await place.stored.insertOne(stamped(doc));
      return;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      if (!(await waitForTaker(place, locks, doc, since))) throw conflict(error);
    }
}

/** Waits while a transaction holds what a document collides with; false when it is taken for good. */
export async function waitForTaker(
  place: StoredCollection,
  locks: DocumentLocks,
  doc: Doc,
  since: number,
): Promise<boolean> {
  const takers = await colliding(place, doc);
  const holder = takers.find(({ _lock }) => _lock !== undefined);
  if (holder) await waitFor(place, locks, holder, since);
  // The taker went between the two looks.
  else if (takers.length === 0) await backOff(since);
  return holder !== undefined || takers.length === 0;
}

/** The document after the update; null when there is none. */
export async function updateOne(
  place: StoredCollection,
  locks: DocumentLocks,
  id: string,
  update: Update<Doc>,
): Promise<Doc | null> {
  const change = toMongoUpdate(update);
  const since = performance.now();
  return unheld(place, locks, id, () =>
    place.stored
      .findOneAndUpdate({ _id: id, ...unlocked }, change, { returnDocument: "after" })
      .catch(error => {
        if (!isRefused(error)) throw error;
        return updateByHand(place, locks, id, update, since, error);
      }),
  );
}

/** Unlike the store, MongoDB can neither increment null nor set a field inside it. */
function isRefused(error: unknown): boolean {
  return (
    isDuplicate(error) || [typeMismatch, pathNotViable].includes(Number((error as { code?: unknown }).code))
  );
}

/** The same by a read and a write; null when another writer was faster, or when it has to be tried again. */
async function updateByHand(
  place: StoredCollection,
  locks: DocumentLocks,
  id: string,
  update: Update<Doc>,
  since: number,
  refusal: unknown,
): Promise<StoredDoc | null> {
  const found = await place.stored.findOne({ _id: id, ...unlocked });
  if (!found) return null;
  const after = applyUpdate(withoutMarks(found), update);
  if (isDuplicate(refusal)) {
    await waitForOther(place, locks, after, since, refusal);
    return null;
  }
  const { _id, ...fields } = after;
  const unchanged = { _id, _v: found._v, ...unlocked };
  return place.stored.findOneAndReplace(
    unchanged,
    { ...fields, _v: newVersion() },
    { returnDocument: "after" },
  );
}

/** Waits while a transaction holds another document with this one's unique values; rejects when none holds it. */
export async function waitForOther(
  place: StoredCollection,
  locks: DocumentLocks,
  doc: Doc,
  since: number,
  refusal: unknown,
): Promise<void> {
  const others = (await colliding(place, doc)).filter(({ _id }) => _id !== doc._id);
  const holder = others.find(({ _lock }) => _lock !== undefined);
  if (others.length > 0 && !holder) throw conflict(refusal);
  if (holder) await waitFor(place, locks, holder, since);
  else await backOff(since);
}

/** The document after the update, which creates it when there is none. */
export async function upsertOne(
  place: StoredCollection,
  locks: DocumentLocks,
  id: string,
  update: Update<Doc>,
): Promise<Doc> {
  const change = toMongoUpdate(update);
  const options = { upsert: true, returnDocument: "after" } as const;
  for (const since = performance.now(); ; )
    try {
      const doc = await place.stored.findOneAndUpdate({ _id: id, ...unlocked }, change, options);
      if (doc) return withoutMarks(doc);
    } catch (error) {
      const updated = isRefused(error) ? await updateOne(place, locks, id, update) : undefined;
      if (updated === undefined) throw error;
      if (updated) return updated;
      // There was no document to update, so a unique value is taken, unless its document has gone meanwhile.
      await waitForOther(place, locks, applyUpdate({ _id: id }, update), since, error);
    }
}

/** The document that was removed; null when there was none. */
export function removeOne(place: StoredCollection, locks: DocumentLocks, id: string): Promise<Doc | null> {
  return unheld(place, locks, id, () => place.stored.findOneAndDelete({ _id: id, ...unlocked }));
}

/** Tries again while a transaction holds the document. */
async function unheld(
  place: StoredCollection,
  locks: DocumentLocks,
  id: string,
  attempt: () => Promise<StoredDoc | null>,
): Promise<Doc | null> {
  for (const since = performance.now(); ; ) {
    const doc = await attempt();
    if (doc) return withoutMarks(doc);
    const present = await place.stored.findOne({ _id: id });
    if (!present) return null;
    await waitFor(place, locks, present, since);
  }
}

async function waitFor(
  { stored }: StoredCollection,
  locks: DocumentLocks,
  { _id, _lock }: StoredDoc,
  since: number,
) {
  if (_lock !== undefined) await locks.wait(_lock, since, { stored, id: _id });
}

/** Inserts all; false when one was refused, and then none is left. The death of the process in between may leave some. */
export async function insertMany({ stored }: StoredCollection, docs: Doc[]): Promise<boolean> {
  const _v = newVersion();
  const all = docs.map(doc => stamped(doc, _v));
  try {
    if (all.length > 0) await stored.insertMany(all);
    return true;
  } catch (error) {
    await stored.deleteMany({ _id: { $in: docs.map(({ _id }) => _id) }, _v });
    if (!isDuplicate(error)) throw error;
    return false;
  }
}

/** Updates what a query finds, each document once; returns how many. Not atomic: readers see a part of it first. */
export async function updateMany(
  { stored }: StoredCollection,
  locks: DocumentLocks,
  query: Query<Doc>,
  update: Update<Doc>,
): Promise<number> {
  const change = toMongoUpdate(update);
  const mark = (change.$set as { _v: string })._v;
  return whileHeld({ stored }, locks, { ...toMongoFilter(query), _v: { $ne: mark } }, async filter => {
    const { matchedCount } = await stored.updateMany(filter, change).catch(error => {
      throw isDuplicate(error) ? conflict(error) : error;
    });
    return matchedCount;
  });
}

/** Removes what a query finds; returns how many. Not atomic either. */
export function removeMany(
  { stored }: StoredCollection,
  locks: DocumentLocks,
  query: Query<Doc>,
): Promise<number> {
  return whileHeld({ stored }, locks, toMongoFilter(query), async filter => {
    const { deletedCount } = await stored.deleteMany(filter);
    return deletedCount;
  });
}

/** Repeats the write for documents that transactions hold, once these have released them. */
async function whileHeld(
  { stored }: Pick<StoredCollection, "stored">,
  locks: DocumentLocks,
  filter: object,
  write: (filter: object) => Promise<number>,
): Promise<number> {
  let total = 0;
  for (const since = performance.now(); ; ) {
    total += await write({ ...filter, ...unlocked });
    const held = await stored.findOne({ ...filter, ...visible, _lock: { $exists: true } });
    if (!held?._lock) return total;
    await locks.wait(held._lock, since, { stored, id: held._id });
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
