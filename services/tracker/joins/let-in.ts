import type { ResolvedSource } from "../../contracts/connectors.contract.ts";
import { fail } from "../../contracts/errors.ts";
import { isAbsence, retryAfterMs } from "../absence.ts";
import { beginTracking } from "../begin-tracking.ts";
import type { Platforms } from "../platforms.ts";
import { publicSource } from "../records.ts";
import { refusal } from "../refusal.ts";
import { atOnce, type TrackerRoom } from "../room.ts";
import { endJob } from "./end-job.ts";
import { type LeasedJoin, underLease } from "./lease-join.ts";
import type { StoredTrackJob } from "./records.ts";
import { settleJoin } from "./settle-join.ts";

/** Until what broke after we were let in is tried again. */
const againMs = 5000;

/** Tracks what we were let into, for every key that waits for it; each is done with in a transaction of its own. */
export async function letIn(room: TrackerRoom, join: LeasedJoin, platforms: Platforms): Promise<void> {
  const { _id: joinId, kind, sid } = join;
  try {
    const resolved = await platforms.resolve({ kind, sid });
    for (const job of await room.jobs.find({ query: { joinId } }))
      await complete(room, job, resolved, platforms);
  } catch (error) {
    const reason = refusal(error);
    if (reason !== null) return settleJoin(room, join, { state: "refused", reason });
    await again(room, join, Math.max(againMs, retryAfterMs(error)));
    if (isAbsence(error)) return;
    throw error;
  }
  await again(room, join, 0);
}

/** Ends one key's job together with the beginning of its tracking; what is refused to the key is refused to it alone. */
async function complete(
  room: TrackerRoom,
  job: StoredTrackJob,
  resolved: ResolvedSource,
  platforms: Platforms,
): Promise<void> {
  try {
    await beginTracking(room, job, resolved, platforms, (steps, { source }) => {
      const end = { state: "completed" as const, returnvalue: publicSource(source) };
      // Undoes the whole step: the key was deleted meanwhile.
      if (!endJob(steps, job._id, end, room.now())) throw fail("not_found", "There is no such job any more.");
    });
  } catch (error) {
    const failedReason = refusal(error);
    if (failedReason === null) throw error;
    await atOnce(room, steps => endJob(steps, job._id, { state: "failed", failedReason }, room.now()));
  }
}

/** The next step is due so much later; the first thing that it does is to see whether anyone still waits. */
async function again(room: TrackerRoom, join: LeasedJoin, ms: number): Promise<void> {
  const dueAt = room.now() + ms;
  await underLease(
    room,
    join,
    ({ joins }) => void joins.updateById(join._id, { $set: { dueAt }, $unset: { lease: true } }),
  );
}
