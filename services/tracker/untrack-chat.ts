import type { Caller } from "../contracts/caller.ts";
import { codeOf, fail } from "../contracts/errors.ts";
import type { TrackerRoom } from "./room.ts";
import { untrack } from "./untrack.ts";

/** Ends the tracking of one channel of a chat server for a key. */
export async function untrackChat(
  room: TrackerRoom,
  caller: Caller,
  channelId: string,
): Promise<{ message: string }> {
  try {
    await untrack(room, caller, { source: "chatserver", eid: `channel:${channelId}` });
  } catch (error) {
    if (codeOf(error) !== "not_found") throw error;
    throw fail("not_found", "This API key does not track that channel.", {}, error);
  }
  return { message: "The channel is no longer tracked." };
}
