import type { Caller } from "../contracts/caller.ts";
import type { MicroblogProfile } from "../contracts/social.ts";
import { beginTracking } from "./begin-tracking.ts";
import type { Platforms } from "./platforms.ts";
import type { TrackerRoom } from "./room.ts";

/** Tracks a user of the microblog for a key, and tells who that is. The profile comes first: without one nothing is tracked. */
export async function trackUser(
  room: TrackerRoom,
  caller: Caller,
  username: string,
  platforms: Platforms,
): Promise<{ message: string; data: MicroblogProfile; isNew: boolean }> {
  const data = await platforms.profile(username);
  const resolved = await platforms.resolve({ kind: "microblog", sid: username });
  const { isNew } = await beginTracking(room, caller, resolved, platforms);
  return { message: isNew ? "The user is tracked." : "The user was tracked already.", data, isNew };
}
