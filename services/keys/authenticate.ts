import type { Caller } from "../contracts/caller.ts";
import { callerOf } from "./records.ts";
import type { KeyRoom } from "./room.ts";

/** Whose key this value is; null when nobody's. Any string is looked up, whatever its form. */
export async function authenticate(room: KeyRoom, value: string): Promise<Caller | null> {
  const lookup = room.vault.lookup(value);
  return room.callers.get(lookup) ?? (await load(room, lookup));
}

async function load({ keys, callers }: KeyRoom, lookup: string): Promise<Caller | null> {
  const { version } = callers;
  const key = await keys.findOne({ lookup });
  if (!key) return null;
  const caller = callerOf(key);
  callers.remember(lookup, caller, version);
  return caller;
}
