import { randomUUID } from "node:crypto";
import type { Caller } from "../../contracts/caller.ts";
import type { SourceKind } from "../../contracts/source.ts";
import type { TrackQueued } from "../../contracts/tracker.contract.ts";
import { atOnce, type Steps, type TrackerRoom } from "../room.ts";
import type { StoredTrackJob } from "./records.ts";

/** A request that nobody decides on is given up after this. */
const patienceMs = 7 * 24 * 3_600_000;

interface Invitation {
  kind: SourceKind;
  sid: string;
  invite: string;
}

/** Writes down that a key wants to be let in. It is asked for once, whoever wants it, and however often. */
export async function askToJoin(
  room: TrackerRoom,
  { keyId, limits: { trackedSources } }: Caller,
  { kind, sid, invite }: Invitation,
): Promise<TrackQueued> {
  const now = room.now();
  const joinId = `${kind} ${invite}`;
  const jobId = await atOnce(room, steps => {
    const former = openJob(steps, joinId, keyId);
    if (former) return former._id;
    if (!steps.joins.findById(joinId))
      steps.joins.insert({ _id: joinId, kind, invite, sid, createdAt: now, dueAt: now });
    // A key that exists nowhere but here is found by its tally when it is gone.
    steps.tallies.upsertById(keyId, { $inc: { sources: 0 } });
    const job = { keyId, kind, joinId, limits: { trackedSources }, failAt: now + patienceMs };
    return steps.jobs.insert({ _id: randomUUID(), state: "waiting", ...job })._id;
  });
  room.onJoin();
  const message = "Somebody has to let us in first. Ask with the job id how that stands.";
  return { message, jobId };
}

function openJob({ jobs }: Steps, joinId: string, keyId: string): StoredTrackJob | undefined {
  return jobs.find({ query: { joinId, keyId }, limit: 1 })[0];
}
