import { forgetKey } from "./forget-key.ts";
import type { TrackerRoom } from "./room.ts";

const pageSize = 200;

/** Those of some keys that exist. */
export type Existing = (keyIds: string[]) => Promise<string[]>;

/**
 * Ends the tracking of keys that were deleted unheard of, and tells of how many. Keys are asked for by pages. A key is
 * there before it tracks and its identity is never used again, so one that is not there is gone.
 */
export async function forgetGoneKeys(
  room: TrackerRoom,
  existing: Existing,
  signal: AbortSignal,
): Promise<number> {
  let forgotten = 0;
  for (let after = ""; !signal.aborted; ) {
    const keyIds = await keysAfter(room, after);
    const left = new Set(keyIds.length === 0 ? [] : await existing(keyIds));
    for (const keyId of keyIds.filter(each => !left.has(each))) {
      if (signal.aborted) break;
      await forgetKey(room, keyId);
      forgotten += 1;
    }
    if (keyIds.length < pageSize) break;
    after = keyIds.at(-1) ?? "";
  }
  return forgotten;
}

async function keysAfter({ tallies }: TrackerRoom, after: string): Promise<string[]> {
  const page = await tallies.find({ query: { _id: { $gt: after } }, sort: ["_id"], limit: pageSize });
  return page.map(({ _id }) => _id);
}
