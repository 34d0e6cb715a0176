import type { Update } from "../../mixins/store/store.ts";
import type { KeyLimits } from "../contracts/caller.ts";
import { fail } from "../contracts/errors.ts";
import type { AdminKeyRecord } from "../contracts/keys.contract.ts";
import { adminRecord } from "./records.ts";
import type { KeyRoom, StoredKey } from "./room.ts";

/** Renames a key, and changes those of its limits that are named. */
export async function updateKey(
  room: KeyRoom,
  { id, name, limits }: { id: string; name?: string; limits?: Partial<KeyLimits> },
): Promise<{ data: AdminKeyRecord; message: string }> {
  const key = await room.keys.update(id, changes(name, limits));
  if (!key) throw fail("not_found", "There is no API key with this id.");
  return { data: adminRecord(room, key), message: "API key updated." };
}

/** Limits by path, so that two changes at once to different ones both hold. */
function changes(name: string | undefined, limits: Partial<KeyLimits> = {}): Update<StoredKey> {
  const paths = Object.entries(limits).map(([limit, value]) => [`limits.${limit}`, value]);
  return { $set: { ...(name === undefined ? {} : { name }), ...Object.fromEntries(paths) } };
}
