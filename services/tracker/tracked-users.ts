import type { Caller } from "../contracts/caller.ts";
import type { DatedSource } from "../contracts/source.ts";
import { datedSource } from "./records.ts";
import type { TrackerRoom } from "./room.ts";
import { sourcesOfKey } from "./sources-of-key.ts";

/** The microblog users that a key tracks, newest first. */
export async function trackedUsers(
  room: TrackerRoom,
  { keyId }: Caller,
): Promise<{ tracked_users: (DatedSource & { followedAt: string })[] }> {
  const tracked: (DatedSource & { followedAt: string })[] = [];
  for await (const [source, subscription] of sourcesOfKey(room, keyId, ["microblog"]))
    tracked.push({ ...datedSource(source, subscription), followedAt: subscription.createdAt });
  return { tracked_users: tracked };
}
