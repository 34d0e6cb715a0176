import type { Caller } from "../../contracts/caller.ts";
import { codeOf } from "../../contracts/errors.ts";
import type { ScrapeRequest } from "../../contracts/scraper.contract.ts";
import { endScrape } from "./end-scrape.ts";
import { nextPriority, queueScrape } from "./queue-scrape.ts";
import type { JobsRoom, StoredScrape } from "./room.ts";
import { boundMs } from "./run-scrape.ts";
import { handedOver, type Run } from "./runs.ts";

/** A run has ended its record by then, or its process is dead. */
const graceMs = 60_000;

/** The record of a scrape that this process works on outside the queue. */
export function heldRecord(
  { nodeId, now }: JobsRoom,
  id: string,
  { keyId, owner }: Caller,
  request: ScrapeRequest,
): StoredScrape {
  const at = now();
  return {
    ...{ _id: id, keyId, owner, url: request.url, request, fence: 0, status: "pending", heldBy: nodeId },
    ...{ startedAt: new Date(at).toISOString(), checkAt: at + boundMs(request) + graceMs },
  };
}

/** Sees to it that the record ends with the run. When the process dies before, the queue gets the scrape. */
export function holdScrape(jobs: JobsRoom, run: Run): void {
  run.recorded = record(jobs, run).catch(error => jobs.onError("scrape.not_recorded", error));
}

/**
 * Lets a held run go on although its request is answered. A key may have as many of these, on all nodes, as it may have
 * scrapes at a time: one more goes to the queue, and begins anew there.
 */
export async function leaveOverdue(jobs: JobsRoom, run: Run, { keyId, limits }: Caller): Promise<void> {
  run.isOverdue = true;
  const mine = { _id: run.id, status: "pending" as const };
  await jobs.scrapes.updateMany(mine, { $set: { isLate: true } });
  const late = await jobs.scrapes.count({ keyId, status: "pending", isLate: true });
  if (late <= limits.concurrentScrapes) return;
  await queueScrape(jobs, mine, await nextPriority(jobs, keyId));
  await jobs.scrapes.updateMany(mine, { $unset: { isLate: true } });
  run.stop(handedOver);
}

async function record(jobs: JobsRoom, run: Run): Promise<void> {
  const outcome = await run.outcome;
  if (!outcome.ok && outcome.error === handedOver) return;
  // It has not begun, so that the same request may begin it again.
  if (!outcome.ok && codeOf(outcome.error) === "overloaded" && !run.isOverdue)
    await jobs.scrapes.removeMany({ _id: run.id, status: "pending", fence: 0 });
  else await endScrape(jobs, { _id: run.id }, 0, outcome);
}
