import type { NewEvent } from "../../mixins/log/log.ts";
import { type Steps, stepsOf, type TrackerRoom } from "./room.ts";

/** References that one transaction writes, about: a few tens of milliseconds in which nothing else is done. */
const sliceSize = 2000;

/** What `work` writes, together with the events that it answers; not from `until` (ms) on, where there is a lease. */
export function tell(room: TrackerRoom, work: (steps: Steps) => NewEvent[], until?: number): Promise<void> {
  return room.log.tell(room.sources, transaction => work(stepsOf(transaction)), until);
}

/** How many posts of a source are told in one transaction. */
export async function slicePosts({ subscriptions }: TrackerRoom, sourceId: string): Promise<number> {
  const keys = await subscriptions.count({ sourceId });
  return Math.max(1, Math.floor(sliceSize / Math.max(keys, 1)));
}
