import { codeOf } from "../contracts/errors.ts";
import { insertKey } from "./insert-key.ts";
import type { KeyRoom } from "./room.ts";

/**
 * Makes the first key of the installation. A value is brought in once: a key that an administrator deletes does not
 * come back with the next start, but a value that changes does come in, beside the former one.
 */
export async function ensureBootstrapKey(room: KeyRoom, value: string | undefined): Promise<void> {
  if (value === undefined) return;
  const lookup = room.vault.lookup(value);
  if ((await room.facts.findById("bootstrap"))?.value === lookup) return;
  await insertOnce(room, value);
  await room.facts.upsert("bootstrap", { $set: { value: lookup } });
}

/** The owner's bound does not hold it back: without it nobody could sign in. */
async function insertOnce(room: KeyRoom, value: string): Promise<void> {
  if (await room.keys.findOne({ lookup: room.vault.lookup(value) })) return;
  try {
    await insertKey(room, { owner: "default", name: "default", value }, Infinity);
  } catch (error) {
    // Another node that starts at the same time brought it in.
    if (codeOf(error) !== "conflict") throw error;
  }
}
