import { randomUUID } from "node:crypto";
import { atOnce, type Steps, type TrackerRoom } from "../room.ts";
import type { StoredJoin } from "./records.ts";

/** Longer than any step takes, whose every question has a deadline: one whose lease ends has died. */
const leaseMs = 600_000;

/** A request whose next step belongs to the bearer of its token. */
export type LeasedJoin = StoredJoin & { lease: string };

/** Takes at most `max` of the requests that are due, the longest overdue first. */
export function leaseDueJoins(room: TrackerRoom, max: number): Promise<LeasedJoin[]> {
  return atOnce(room, ({ joins }) => {
    const query = { dueAt: { $lte: room.now() } };
    return joins.find({ query, sort: ["dueAt"], limit: max }).map(join => {
      const lease = randomUUID();
      joins.updateById(join._id, { $set: { lease, dueAt: room.now() + leaseMs } });
      return { ...join, lease };
    });
  });
}

/** When the next request is due, in milliseconds; null without any. */
export async function nextJoinAt({ joins }: TrackerRoom): Promise<number | null> {
  const [next] = await joins.find({ sort: ["dueAt"], limit: 1 });
  return next?.dueAt ?? null;
}

/** Ends the leases that a process which died has left, as those of polls. */
export async function endJoinLeases({ joins, now }: TrackerRoom): Promise<void> {
  await joins.updateMany({ lease: { $gt: "" } }, { $set: { dueAt: now() }, $unset: { lease: true } });
}

/** What `work` writes, at once; nothing when another has taken the request over. Tells whether it was written. */
export function underLease(
  room: TrackerRoom,
  { _id, lease }: LeasedJoin,
  work: (steps: Steps, join: StoredJoin) => void,
): Promise<boolean> {
  return atOnce(room, steps => {
    const join = steps.joins.findById(_id);
    if (join?.lease !== lease) return false;
    work(steps, join);
    return true;
  });
}
