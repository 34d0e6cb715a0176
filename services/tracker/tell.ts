import type { NewEvent } from "../../mixins/log/log.ts";
import { atOnce, type Steps, stepsOf, type TrackerRoom } from "./room.ts";

/** References that one transaction writes, about: a few tens of milliseconds in which nothing else is done. */
const sliceSize = 2000;

/** What `work` writes, together with the events that it answers; not from `until` (ms) on, where there is a lease. */
export async function tell(
  room: TrackerRoom,
  work: (steps: Steps) => NewEvent[],
  until?: number,
): Promise<void> {
  // Most polls bring nothing, and together with a log that is apart from the store a write costs some times as much.
  if (room.sources.isShared && (await wroteSilently(room, work))) return;
  await room.log.tell(room.sources, transaction => work(stepsOf(transaction)), until);
}

/** Writes what comes with no event; false, and nothing is written, where there is one. */
async function wroteSilently(room: TrackerRoom, work: (steps: Steps) => NewEvent[]): Promise<boolean> {
  const hasEvents = new Error("There are events to be told");
  const silently = (steps: Steps) => {
    if (work(steps).length > 0) throw hasEvents;
  };
  return atOnce(room, silently).then(
    () => true,
    error => {
      if (error !== hasEvents) throw error;
      return false;
    },
  );
}

/** How many posts of a source are told in one transaction. */
export async function slicePosts({ subscriptions }: TrackerRoom, sourceId: string): Promise<number> {
  const keys = await subscriptions.count({ sourceId });
  return Math.max(1, Math.floor(sliceSize / Math.max(keys, 1)));
}
