import type { Caller } from "../contracts/caller.ts";
import type { ResolvedSource } from "../contracts/connectors.contract.ts";
import { codeOf, fail } from "../contracts/errors.ts";
import { beginTracking } from "./begin-tracking.ts";
import type { Platforms } from "./platforms.ts";
import type { TrackerRoom } from "./room.ts";

/** Tracks one channel of a chat server for a key: a source whose address names the channel. */
export async function trackChat(
  room: TrackerRoom,
  caller: Caller,
  channelId: string,
  platforms: Platforms,
): Promise<{ message: string; data: { id: string }; isNew: boolean }> {
  const resolved = await resolveChannel(channelId, platforms);
  const { source, isNew } = await beginTracking(room, caller, resolved, platforms);
  const message = isNew ? "The channel is tracked." : "The channel was tracked already.";
  return { message, data: { id: source._id }, isNew };
}

/** What the platform says of a `sid` that means nothing is said of the field that the client sent. */
async function resolveChannel(channelId: string, { resolve }: Platforms): Promise<ResolvedSource> {
  try {
    return await resolve({ kind: "chatserver", sid: `channel:${channelId}` });
  } catch (error) {
    if (codeOf(error) !== "validation_failed") throw error;
    const message = "This is not the id of a channel.";
    const details = [{ field: "channelId", code: "channelId", message }];
    throw fail("validation_failed", message, { details }, error);
  }
}
