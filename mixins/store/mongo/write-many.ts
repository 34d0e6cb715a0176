import type { Doc, Query, Update } from "../store.ts";
import { conflict, isDuplicate } from "./duplicate.ts";
import { filterOf } from "./filter.ts";
import type { Locks } from "./locks.ts";
import { newVersion, type Place, stamped, unlocked, visible } from "./stored.ts";
import { updateOf } from "./update-of.ts";

/** Inserts all of them; false when one was refused, and then none is left. A death on the way may leave some. */
export async function insertMany({ stored }: Place, docs: Doc[]): Promise<boolean> {
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

/** Updates what a query finds, each document once; tells how many. Not at once: others see some before others. */
export async function updateMany(
  { stored }: Place,
  locks: Locks,
  query: Query<Doc>,
  update: Update<Doc>,
): Promise<number> {
  const change = updateOf(update);
  const mark = (change.$set as { _v: string })._v;
  return whileHeld({ stored }, locks, { ...filterOf(query), _v: { $ne: mark } }, async filter => {
    const { matchedCount } = await stored.updateMany(filter, change).catch(error => {
      throw isDuplicate(error) ? conflict(error) : error;
    });
    return matchedCount;
  });
}

/** Removes what a query finds; tells how many. Not at once, either. */
export function removeMany({ stored }: Place, locks: Locks, query: Query<Doc>): Promise<number> {
  return whileHeld({ stored }, locks, filterOf(query), async filter => {
    const { deletedCount } = await stored.deleteMany(filter);
    return deletedCount;
  });
}

/** Repeats for what transactions hold, once they have let go of it. */
async function whileHeld(
  { stored }: Pick<Place, "stored">,
  locks: Locks,
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
