import { fail } from "../contracts/errors.ts";
import type { KeyRoom } from "./room.ts";

/** Deletes a key and its counts; from here on it is refused. */
export async function deleteKey({ keys, callers, usage }: KeyRoom, id: string): Promise<null> {
  const key = await keys.remove(id);
  if (!key) throw fail("not_found", "There is no API key with this id.");
  callers.forget(key.lookup);
  await usage.removeMany({ keyId: id });
  return null;
}
