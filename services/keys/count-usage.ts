import type { UsageCount } from "../contracts/keys.contract.ts";
import type { KeyRoom } from "./room.ts";

/** Adds requests to the counts of keys and days; a count for a key that is gone is dropped. */
export async function countUsage({ keys, usage }: KeyRoom, counts: UsageCount[]): Promise<null> {
  const ids = [...new Set(counts.map(count => count.keyId))];
  const known = new Set((await keys.find({ query: { _id: { $in: ids } } })).map(key => key._id));
  for (const { keyId, day, requests } of counts)
    if (known.has(keyId)) await usage.upsert(`${keyId}:${day}`, { $set: { keyId, day }, $inc: { requests } });
  return null;
}
