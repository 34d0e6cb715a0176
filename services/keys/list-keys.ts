import type { AdminKeyRecord } from "../contracts/keys.contract.ts";
import { adminRecord } from "./records.ts";
import type { KeyRoom } from "./room.ts";

/** Every key, or those of one owner, newest first. */
export async function listKeys(
  room: KeyRoom,
  owner: string | undefined,
): Promise<{ data: AdminKeyRecord[]; message: string }> {
  const keys = await room.keys.find({ query: owner === undefined ? {} : { owner }, sort: ["-_id"] });
  return { data: keys.map(key => adminRecord(room, key)), message: "API keys listed." };
}
