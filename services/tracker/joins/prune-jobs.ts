import type { TrackerRoom } from "../room.ts";

/** How long it can be asked what became of a job. */
const keptMs = 7 * 24 * 3_600_000;

/** Forgets jobs that ended long ago. */
export async function pruneJobs({ jobs, now }: TrackerRoom): Promise<number> {
  return jobs.removeMany({ endedAt: { $lt: now() - keptMs } });
}
