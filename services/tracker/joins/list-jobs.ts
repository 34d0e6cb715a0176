import { findPage } from "../../../mixins/store/find-page.ts";
import type { JoinJob, Listed, Wanted } from "../../contracts/inspection.contract.ts";
import type { TrackerRoom } from "../room.ts";
import type { StoredTrackJob } from "./records.ts";

/** The wishes of all keys to be let into gated channels. */
export async function listJobs({ jobs }: TrackerRoom, wanted: Wanted): Promise<Listed<JoinJob>> {
  const { page, next_cursor } = await findPage(jobs, wanted);
  return { data: page.map(describe), next_cursor, message: "Requests to be let in listed." };
}

function describe(job: StoredTrackJob): JoinJob {
  const { _id, keyId, kind, state, returnvalue, failedReason, failAt, endedAt } = job;
  return {
    id: _id,
    key_id: keyId,
    source: kind.toUpperCase(),
    state,
    ...(returnvalue && { returnvalue }),
    ...(failedReason !== undefined && { failedReason }),
    fails_at: new Date(failAt).toISOString(),
    ended_at: endedAt === undefined ? null : new Date(endedAt).toISOString(),
  };
}
