import { fail } from "../contracts/errors.ts";
import type { KeyRoom } from "./room.ts";

/** Deletes a key and its counts; from here on it is refused. */
export async function deleteKey({ keys, usage }: KeyRoom, id: string): Promise<null> {
  if (!(await keys.remove(id))) throw fail("not_found", "There is no API key with this id.");
  await usage.removeMany({ keyId: id });
  return null;
}
