import type { Caller } from "../contracts/caller.ts";
import { codeOf, fail } from "../contracts/errors.ts";
import type { Platforms } from "./platforms.ts";
import type { TrackerRoom } from "./room.ts";
import { sourcesOfKey } from "./sources-of-key.ts";
import { untrack } from "./untrack.ts";

/** Ends the tracking of a microblog user for a key; unfollowed when no key is left. */
export async function untrackUser(
  room: TrackerRoom,
  caller: Caller,
  username: string,
  { resolve }: Pick<Platforms, "resolve">,
): Promise<{ message: string }> {
  try {
    // Handles change, and networks may write them in several ways: one that is not kept is asked for.
    const eid =
      (await trackedUnder(room, caller, username)) ??
      (await resolve({ kind: "microblog", sid: username })).externalId;
    await untrack(room, caller, { source: "microblog", eid });
  } catch (error) {
    if (!isUnknown(error)) throw error;
    throw fail("not_found", "This API key does not track that user.", {}, error);
  }
  return { message: "The user is no longer tracked." };
}

/** An id that still stands for a source of another network is that of no user whom anyone tracks. */
function isUnknown(error: unknown): boolean {
  const code = codeOf(error);
  return code === "not_found" || code === "conflict";
}

/** The user whom the key tracks under that name; null when there is none. */
async function trackedUnder(room: TrackerRoom, { keyId }: Caller, username: string): Promise<string | null> {
  for await (const [source] of sourcesOfKey(room, keyId, ["microblog"]))
    if (source.username.toLowerCase() === username.toLowerCase()) return source.externalId;
  return null;
}
