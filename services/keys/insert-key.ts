import type { KeyLimits } from "../contracts/caller.ts";
import { codeOf } from "../contracts/errors.ts";
import type { KeyRoom, StoredKey } from "./room.ts";

export interface NewKey {
  owner: string;
  name: string;
  value: string;
  limits?: Partial<KeyLimits>;
}

/** Another look means that another call took the place; that this many do in a row is a fault, not a race. */
const maxLooks = 100;

/**
 * Stores a key in the owner's lowest free place; null when `max` are taken. Of several calls at once for one place the
 * unique index lets one through, and the others look again. Rejects with `conflict` when the value exists.
 */
export async function insertKey(room: KeyRoom, wanted: NewKey, max: number): Promise<StoredKey | null> {
  for (let looks = 1; ; looks += 1) {
    const slot = await freeSlot(room, wanted.owner, max);
    if (slot === null) return null;
    const key = storedKey(room, wanted, slot);
    try {
      return await room.keys.insert(key);
    } catch (error) {
      const slotWasTaken = codeOf(error) === "conflict" && !(await room.keys.findOne({ lookup: key.lookup }));
      if (!slotWasTaken || looks === maxLooks) throw error;
    }
  }
}

async function freeSlot({ keys }: KeyRoom, owner: string, max: number): Promise<number | null> {
  const taken = new Set((await keys.find({ query: { owner } })).map(key => key.slot));
  if (taken.size >= max) return null;
  let slot = 0;
  while (taken.has(slot)) slot += 1;
  return slot;
}

function storedKey(
  { vault, newId }: KeyRoom,
  { owner, name, value, limits }: NewKey,
  slot: number,
): StoredKey {
  const now = Date.now();
  const _id = newId(now);
  return {
    _id,
    owner,
    name,
    slot,
    lookup: vault.lookup(value),
    sealed: vault.seal(value, owner, _id),
    limits: limits ?? {},
    createdAt: new Date(now).toISOString(),
  };
}
