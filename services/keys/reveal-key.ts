import { fail } from "../contracts/errors.ts";
import { ownerRecord } from "./records.ts";
import type { KeyRoom } from "./room.ts";

/** The value of one key. */
export async function revealKey(room: KeyRoom, id: string): Promise<{ key: string }> {
  const key = await room.keys.findById(id);
  if (!key) throw fail("not_found", "There is no API key with this id.");
  return { key: ownerRecord(room, key).key };
}
