import type { Job, JobTools } from "../../../mixins/queue/queue.ts";
import { fail } from "../../contracts/errors.ts";
import { announceEnd, announceScrape } from "./announce-scrape.ts";
import { endScrape } from "./end-scrape.ts";
import type { JobsRoom, StoredScrape } from "./room.ts";
import { runScrape } from "./run-scrape.ts";

type ScrapeTask = Pick<Job<null, null>, "id">;
type Tools = Pick<JobTools, "fence" | "signal">;

/** A scrape that a run of the queue may end. */
interface Mine extends StoredScrape {
  request: NonNullable<StoredScrape["request"]>;
}

/** A job of the queue: scrapes the page, unless that is done, and announces the end, unless that is done. */
export async function workScrape(
  jobs: JobsRoom,
  { id }: ScrapeTask,
  { fence, signal }: Tools,
): Promise<null> {
  const scrape = await takeUp(jobs, id, fence);
  if (scrape !== null) {
    await announceScrape(jobs, scrape, "started");
    const { keyId, owner, request } = scrape;
    const { outcome } = runScrape(jobs, { id, keyId, owner, request, signal, isPatient: true });
    const ended = await outcome;
    // Cancelled, lost, or to be run again: in each case not for this run to end.
    signal.throwIfAborted();
    await endScrape(jobs, scrape, fence, ended);
  }
  await announceEnd(jobs, id);
  return null;
}

/** A job that the queue gives up, since every process that worked on it has died. */
export async function giveUpScrape(jobs: JobsRoom, { id }: ScrapeTask, { fence }: Tools): Promise<void> {
  const scrape = await takeUp(jobs, id, fence);
  const error = fail(
    "internal_error",
    "The scrape was given up: the service died twice while it was at work on this page.",
  );
  if (scrape !== null) await endScrape(jobs, scrape, fence, { ok: false, error });
  await announceEnd(jobs, id);
}

/** Makes a pending scrape this run's own, and nobody else's; null when it has ended. */
async function takeUp({ scrapes, now }: JobsRoom, id: string, fence: number): Promise<Mine | null> {
  const before = await scrapes.findById(id);
  const startedAt = before?.startedAt ?? new Date(now()).toISOString();
  await scrapes.updateMany(
    { _id: id, status: "pending", fence: { $lt: fence } },
    { $set: { fence, startedAt }, $unset: { heldBy: true, isLate: true } },
  );
  const scrape = await scrapes.findById(id);
  if (scrape?.status !== "pending") return null;
  if (scrape.fence !== fence) throw new Error(`The scrape ${id} is at work under a later fence`);
  return hasRequest(scrape) ? scrape : null;
}

function hasRequest(scrape: StoredScrape): scrape is Mine {
  return scrape.request !== undefined;
}
