import type { Source } from "../../contracts/source.ts";
import type { Steps } from "../room.ts";

type End = { state: "completed"; returnvalue: Source } | { state: "failed"; failedReason: string };

/** Ends a job, as a step of a transaction; false when it has ended before, or was forgotten. */
export function endJob({ jobs }: Steps, jobId: string, end: End, now: number): boolean {
  if (jobs.findById(jobId)?.joinId === undefined) return false;
  jobs.updateById(jobId, { $set: { ...end, endedAt: now }, $unset: { joinId: true } });
  return true;
}
