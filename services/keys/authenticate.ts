import type { Caller } from "../contracts/caller.ts";
import { callerOf } from "./records.ts";
import type { KeyRoom } from "./room.ts";

/**
 * Whose key this value is; null when nobody's. Any string is looked up, whatever its form. Read from the store each time:
 * what this node remembered, another one may have changed or deleted; the gateways remember it for less than a second.
 */
export async function authenticate({ keys, vault }: KeyRoom, value: string): Promise<Caller | null> {
  const key = await keys.findOne({ lookup: vault.lookup(value) });
  return key && callerOf(key);
}
