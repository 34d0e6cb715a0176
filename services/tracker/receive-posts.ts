import { setImmediate as nextTurn } from "node:timers/promises";
import type { Post } from "../contracts/connectors.contract.ts";
import type { Address } from "./platforms.ts";
import type { TrackerRoom } from "./room.ts";
import { postEvents } from "./source-events.ts";
import { slicePosts, tell } from "./tell.ts";

/**
 * Takes in posts that came without being asked for, as a poll would: an event has the same identity either way, so that
 * whichever comes second tells nothing. It needs no lease, because it moves no state: the next poll reads on from where
 * the last one was. Many posts for many keys are told in slices; whoever is cut off in between sends them all again.
 */
export async function receivePosts(
  room: TrackerRoom,
  { kind, externalId, posts }: Address & { posts: Post[] },
): Promise<{ isTracked: boolean }> {
  const source = await room.sources.findOne({ kind, externalId });
  if (!source) return { isTracked: false };
  const slice = await slicePosts(room, source._id);
  for (let told = 0; told < posts.length; told += slice) {
    if (told > 0) await nextTurn();
    await tell(room, steps => {
      const current = steps.sources.findById(source._id);
      return current ? postEvents(steps, current, posts.slice(told, told + slice), room.now()) : [];
    });
  }
  return { isTracked: true };
}
