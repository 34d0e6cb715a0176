import type { Doc, Query, Update } from "../store.ts";
import { conflict, isDuplicate } from "./duplicate.ts";
import { filterOf } from "./filter.ts";
import type { Locks } from "./locks.ts";
import { type Place, unlocked, visible } from "./stored.ts";
import { updateOf } from "./update-of.ts";

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
