import { nextPriority, queueScrape } from "./queue-scrape.ts";
import type { JobsRoom } from "./room.ts";
import { handedOver, type Run } from "./runs.ts";
import { unlessLate } from "./unless-late.ts";

/**
 * Gives up the synchronous scrapes that are not done within the grace while another node has time to do them from the
 * start: whoever called makes the call again. The others may end here, or are kept once they are past their timeout.
 */
export async function handBack(jobs: JobsRoom, graceMs: number): Promise<void> {
  if (!jobs.isElsewhere()) return;
  const runs = jobs.runs.all().filter(({ anewBy }) => anewBy !== undefined);
  await unlessLate(graceMs, Promise.all(runs.map(({ outcome }) => outcome)));
  for (const run of runs.filter(run => fitsElsewhere(jobs, run))) {
    // The same request, sent again with its key, waits for the queue's run.
    if (run.recorded) await queueScrape(jobs, { _id: run.id }, await nextPriority(jobs, run.keyId));
    run.stop(handedOver);
  }
}

function fitsElsewhere({ runs, now }: JobsRoom, { id, isOverdue, anewBy = 0 }: Run): boolean {
  return runs.get(id) !== undefined && !isOverdue && now() < anewBy;
}
