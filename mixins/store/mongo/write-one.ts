import { applyUpdate } from "../apply-update.ts";
import type { Doc, Update } from "../store.ts";
import { colliding, conflict, isDuplicate } from "./duplicate.ts";
import type { Locks } from "./locks.ts";
import { pause } from "./pause.ts";
import { bare, newVersion, type Place, type Stored, stamped, unlocked } from "./stored.ts";
import { updateOf } from "./update-of.ts";

const [typeMismatch, pathNotViable] = [14, 28];

/** Inserts; rejects with `conflict` when the identity or a unique value is taken for good. */
export async function insertOne(place: Place, locks: Locks, doc: Doc): Promise<void> {
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
export async function waitForTaker(place: Place, locks: Locks, doc: Doc, since: number): Promise<boolean> {
  const takers = await colliding(place, doc);
  const holder = takers.find(({ _lock }) => _lock !== undefined);
  if (holder) await waitFor(place, locks, holder, since);
  // It went between the two looks.
  else if (takers.length === 0) await pause(since);
  return holder !== undefined || takers.length === 0;
}

/** The document after the update; null when there is none. */
export async function updateOne(
  place: Place,
  locks: Locks,
  id: string,
  update: Update<Doc>,
): Promise<Doc | null> {
  const change = updateOf(update);
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

/** MongoDB neither counts up nor reaches into what is null, as the store does. */
function isRefused(error: unknown): boolean {
  return (
    isDuplicate(error) || [typeMismatch, pathNotViable].includes(Number((error as { code?: unknown }).code))
  );
}

/** The same, read and written in two steps; null where another was faster, or where it has to be tried again. */
async function updateByHand(
  place: Place,
  locks: Locks,
  id: string,
  update: Update<Doc>,
  since: number,
  refusal: unknown,
): Promise<Stored | null> {
  const found = await place.stored.findOne({ _id: id, ...unlocked });
  if (!found) return null;
  const after = applyUpdate(bare(found), update);
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

/** Waits while a transaction holds another document with the unique values of this one; rejects when nobody does. */
export async function waitForOther(
  place: Place,
  locks: Locks,
  doc: Doc,
  since: number,
  refusal: unknown,
): Promise<void> {
  const others = (await colliding(place, doc)).filter(({ _id }) => _id !== doc._id);
  const holder = others.find(({ _lock }) => _lock !== undefined);
  if (others.length > 0 && !holder) throw conflict(refusal);
  if (holder) await waitFor(place, locks, holder, since);
  else await pause(since);
}

/** The document after the update, which makes it where there is none. */
export async function upsertOne(place: Place, locks: Locks, id: string, update: Update<Doc>): Promise<Doc> {
  const change = updateOf(update);
  const options = { upsert: true, returnDocument: "after" } as const;
  for (const since = performance.now(); ; )
    try {
      const doc = await place.stored.findOneAndUpdate({ _id: id, ...unlocked }, change, options);
      if (doc) return bare(doc);
    } catch (error) {
      const updated = isRefused(error) ? await updateOne(place, locks, id, update) : undefined;
      if (updated === undefined) throw error;
      if (updated) return updated;
      // There was none to update, so a unique value is taken, unless it has gone meanwhile.
      await waitForOther(place, locks, applyUpdate({ _id: id }, update), since, error);
    }
}

/** The document that was removed; null when there was none. */
export function removeOne(place: Place, locks: Locks, id: string): Promise<Doc | null> {
  return unheld(place, locks, id, () => place.stored.findOneAndDelete({ _id: id, ...unlocked }));
}

/** Tries again while a transaction holds the document. */
async function unheld(
  place: Place,
  locks: Locks,
  id: string,
  attempt: () => Promise<Stored | null>,
): Promise<Doc | null> {
  for (const since = performance.now(); ; ) {
    const doc = await attempt();
    if (doc) return bare(doc);
    const present = await place.stored.findOne({ _id: id });
    if (!present) return null;
    await waitFor(place, locks, present, since);
  }
}

async function waitFor({ stored }: Place, locks: Locks, { _id, _lock }: Stored, since: number) {
  if (_lock !== undefined) await locks.wait(_lock, since, { stored, id: _id });
}
