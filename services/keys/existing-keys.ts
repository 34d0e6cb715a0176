import type { KeyRoom } from "./room.ts";

/** Those of the identities that are keys'. */
export async function existingKeys({ keys }: KeyRoom, ids: string[]): Promise<{ ids: string[] }> {
  const found = await keys.find({ query: { _id: { $in: ids } } });
  return { ids: found.map(key => key._id) };
}
