import type { JoinStanding } from "../../contracts/platforms.contract.ts";
import type { Steps, TrackerRoom } from "../room.ts";
import { endJob } from "./end-job.ts";
import { type LeasedJoin, underLease } from "./lease-join.ts";
import { pauseMs } from "./pause.ts";
import type { StoredJoin, StoredTrackJob } from "./records.ts";

/** Fails the jobs whose time is over. False when nobody waits for the request any more: it is forgotten. */
export async function expireJobs(room: TrackerRoom, join: LeasedJoin): Promise<boolean> {
  let isWanted = false;
  await underLease(room, join, steps => {
    const now = room.now();
    const failedReason = "Nobody has let us in within 7 days.";
    for (const { _id, failAt } of jobsOf(steps, join))
      if (failAt <= now) endJob(steps, _id, { state: "failed", failedReason }, now);
    isWanted = jobsOf(steps, join).length > 0;
    if (!isWanted) steps.joins.removeById(join._id);
  });
  return isWanted;
}

/** Writes down how a request stands, and when the next step is due. */
export async function settleJoin(room: TrackerRoom, join: LeasedJoin, standing: JoinStanding): Promise<void> {
  await underLease(room, join, (steps, current) => {
    if (standing.state === "refused") refuse(room, steps, join, standing.reason);
    else if (standing.state === "in") enter(room, steps, join);
    else wait(room, steps, current, standing);
  });
}

function refuse({ now }: TrackerRoom, steps: Steps, join: StoredJoin, failedReason: string): void {
  for (const { _id } of jobsOf(steps, join)) endJob(steps, _id, { state: "failed", failedReason }, now());
  steps.joins.removeById(join._id);
}

function enter({ now }: TrackerRoom, steps: Steps, join: StoredJoin): void {
  for (const { _id } of jobsOf(steps, join)) steps.jobs.updateById(_id, { $set: { state: "active" } });
  steps.joins.updateById(join._id, { $set: { isIn: true, dueAt: now() }, $unset: { lease: true } });
}

function wait(
  room: TrackerRoom,
  { joins }: Steps,
  { _id, createdAt, requestedAt }: StoredJoin,
  { state, notBefore }: { state: "unasked" | "pending"; notBefore: number | null },
): void {
  const now = room.now();
  const dueAt = Math.max(now + pauseMs(now - (requestedAt ?? createdAt)), notBefore ?? 0);
  const isAsked = state === "pending";
  joins.updateById(_id, { $set: { dueAt }, $unset: { lease: true, ...(!isAsked && { requestedAt: true }) } });
}

function jobsOf({ jobs }: Steps, { _id }: StoredJoin): StoredTrackJob[] {
  return jobs.find({ query: { joinId: _id } });
}
