import { fail } from "../../contracts/errors.ts";
import type { ScrapeJob } from "../../contracts/scraper.contract.ts";
import { announceEnd } from "./announce-scrape.ts";
import { describeScrape } from "./describe-scrape.ts";
import { writeEnd } from "./end-scrape.ts";
import type { JobsRoom } from "./room.ts";
import { ownScrape } from "./scrape-status.ts";

const cancelled = { code: "cancelled", message: "The scrape was cancelled." };

/**
 * Ends a pending scrape, and its work. One that was cancelled before is answered as it is; 409 for any other end. It is
 * ended first: whatever run is at work, under whatever fence, can end it no more.
 */
export async function cancelScrape(jobs: JobsRoom, owner: string, id: string): Promise<ScrapeJob> {
  const before = await ownScrape(jobs, owner, id);
  const isNew = await writeEnd(jobs, before, {}, { status: "failed", error: cancelled });
  if (isNew) await stopWork(jobs, id);
  const scrape = await ownScrape(jobs, owner, id);
  if (scrape.error?.code !== cancelled.code)
    throw fail("already_finished", "This scrape has finished: there is nothing to cancel.");
  return await describeScrape(jobs, scrape);
}

/** Ends the work of this node on a scrape that was cancelled; its end is written. */
export function stopCancelled({ runs }: Pick<JobsRoom, "runs">, id: string): void {
  runs.get(id)?.stop(fail("conflict", cancelled.message));
}

async function stopWork(jobs: JobsRoom, id: string): Promise<void> {
  stopCancelled(jobs, id);
  jobs.hintCancelled(id);
  await jobs.queue.cancel(id);
  await announceEnd(jobs, id).catch(error => jobs.onError("scrape.not_announced", error));
}
