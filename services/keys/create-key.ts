import { fail } from "../contracts/errors.ts";
import type { AdminKeyRecord } from "../contracts/keys.contract.ts";
import { generateKey } from "../domain/key/generate-key.ts";
import { insertKey, type NewKey } from "./insert-key.ts";
import { adminRecord } from "./records.ts";
import type { KeyRoom } from "./room.ts";

/** Generates a key for an owner who has a place left. */
export async function createKey(
  room: KeyRoom,
  wanted: Omit<NewKey, "value">,
): Promise<{ data: AdminKeyRecord; message: string }> {
  const key = await insertKey(room, { ...wanted, value: generateKey() }, room.keysPerOwner);
  if (!key) {
    const sentence = `This owner has ${room.keysPerOwner} API keys, which is as many as allowed. Delete one first.`;
    throw fail("key_limit_reached", sentence);
  }
  return { data: adminRecord(room, key), message: "API key generated." };
}
