import type { Caller } from "../../contracts/caller.ts";
import { fail } from "../../contracts/errors.ts";
import type { TrackJob } from "../../contracts/social-tracking.contract.ts";
import type { SourceKind } from "../../contracts/source.ts";
import type { TrackerRoom } from "../room.ts";

/** How a key's wish for a gated channel stands. */
export async function jobStatus(
  { jobs }: TrackerRoom,
  { keyId }: Caller,
  { source: kind, id }: { source: SourceKind; id: string },
): Promise<TrackJob> {
  const job = await jobs.findById(id);
  if (job?.keyId !== keyId || job.kind !== kind)
    throw fail("not_found", "There is no such job of this API key.");
  const { state, returnvalue, failedReason } = job;
  return {
    id,
    state,
    ...(returnvalue && { returnvalue }),
    ...(failedReason !== undefined && { failedReason }),
  };
}
