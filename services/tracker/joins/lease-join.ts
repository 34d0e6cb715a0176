import { tokensOf } from "../bearer.ts";
import { allLeased } from "../lease.ts";
import { atOnce, type Steps, type TrackerRoom } from "../room.ts";
import type { StoredJoin } from "./records.ts";

/** Longer than any step takes, whose every question has a deadline: one whose lease ends has died. */
const leaseMs = 600_000;

/** A request whose next step belongs to the bearer of its token. */
export type LeasedJoin = StoredJoin & { lease: string };

/** Takes at most `max` of the requests that are due, the longest overdue first. */
export async function leaseDueJoins(room: TrackerRoom, max: number): Promise<LeasedJoin[]> {
  if (room.tokens.next() === null) return [];
  const query = { dueAt: { $lte: room.now() } };
  const due = await room.joins.find({ query, sort: ["dueAt"], limit: max });
  return allLeased(due.map(({ _id }) => leaseJoin(room, _id)));
}

/** When the next request is due, in milliseconds; null without any. */
export async function nextJoinAt({ joins }: TrackerRoom): Promise<number | null> {
  const [next] = await joins.find({ sort: ["dueAt"], limit: 1 });
  return next?.dueAt ?? null;
}

/** Ends the leases of a bearer that is no more, as those of polls. */
export async function endJoinLeases({ joins, now }: TrackerRoom, bearer: string): Promise<void> {
  await joins.updateMany({ lease: tokensOf(bearer) }, { $set: { dueAt: now() }, $unset: { lease: true } });
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

function leaseJoin(room: TrackerRoom, id: string): Promise<LeasedJoin | null> {
  return atOnce(room, ({ joins }) => {
    const join = joins.findById(id);
    const lease = room.tokens.next();
    if (!join || lease === null || join.dueAt > room.now()) return null;
    joins.updateById(id, { $set: { lease, dueAt: room.now() + leaseMs } });
    return { ...join, lease };
  });
}
