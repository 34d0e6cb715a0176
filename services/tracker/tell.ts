import type { NewEvent } from "../../mixins/log/log.ts";
import { atOnce, type Steps, type TrackerRoom } from "./room.ts";

/** References that one transaction writes, about: a few tens of milliseconds in which nothing else is done. */
const sliceSize = 2000;

/** One transaction: what `work` writes, and the events that it answers. */
export async function tell(room: TrackerRoom, work: (steps: Steps) => NewEvent[]): Promise<void> {
  const grown = await atOnce(room, steps => room.log.appendNow(work(steps)));
  room.log.announce(grown);
}

/** How many posts of a source are told in one transaction. */
export async function slicePosts({ subscriptions }: TrackerRoom, sourceId: string): Promise<number> {
  const keys = await subscriptions.count({ sourceId });
  return Math.max(1, Math.floor(sliceSize / Math.max(keys, 1)));
}
