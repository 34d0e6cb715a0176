import { maxIntervalMs } from "../domain/polling/next-poll.ts";
import type { TrackerRoom } from "./room.ts";

/** Sources that are written in one go. */
const slice = 500;

/**
 * Makes due what stands further ahead than any rule puts it: a clock that was ahead has dated it, and nothing else would
 * come to it before that date. So do leases: who holds one for that long is dead. Tells how many those were.
 */
export async function bringForward(room: TrackerRoom, signal: AbortSignal): Promise<number> {
  const { sources, now, minIntervalMs } = room;
  const farthestMs = 2 * Math.max(maxIntervalMs, minIntervalMs);
  let brought = 0;
  while (!signal.aborted) {
    const isTooFar = { dueAt: { $gt: now() + farthestMs } };
    const some = await sources.find({ query: isTooFar, limit: slice });
    if (some.length === 0) break;
    const _id = { $in: some.map(source => source._id) };
    brought += await sources.updateMany({ _id, ...isTooFar }, { $set: { dueAt: now() } });
  }
  return brought;
}
