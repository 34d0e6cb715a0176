import type { JobFailure } from "../../../mixins/queue/queue.ts";
import { codeOf } from "../../contracts/errors.ts";
import type { JobsRoom, StoredScrape } from "./room.ts";
import type { Outcome } from "./runs.ts";

const dayMs = 24 * 3_600_000;
/** Whoever has ended a scrape announces it at once; after this time it is taken for dead. */
const announceMs = 15_000;

type Ending = Pick<StoredScrape, "status" | "error">;
type Ended = Pick<StoredScrape, "_id" | "webhook">;

/** Ends a pending scrape as the run of this fence saw it. The result is there before the state says so. */
export async function endScrape(
  jobs: JobsRoom,
  scrape: Ended,
  fence: number,
  outcome: Outcome,
): Promise<void> {
  const _id = resultId(scrape._id, fence);
  if (outcome.ok) await jobs.results.upsert(_id, { $set: { data: outcome.data } });
  await writeEnd(jobs, scrape, { fence }, endingOf(outcome));
}

/** Ends a scrape, unless it has ended or is another run's: once, whoever tries. Tells whether it was this time. */
export async function writeEnd(
  { scrapes, now }: JobsRoom,
  { _id, webhook }: Ended,
  whose: { fence?: number },
  ending: Ending,
): Promise<boolean> {
  const at = now();
  const ended = await scrapes.updateMany(
    { _id, status: "pending", ...whose },
    {
      $set: { ...ending, ...endTimes(at), ...(webhook && { checkAt: at + announceMs }) },
      $unset: { request: true, heldBy: true, ...(!webhook && { checkAt: true }) },
    },
  );
  return ended === 1;
}

function endingOf(outcome: Outcome): Ending {
  return outcome.ok ? { status: "completed" } : { status: "failed", error: failureOf(outcome.error) };
}

/** What the record of a scrape tells of its end. */
export function endTimes(at: number): Pick<StoredScrape, "endedAt" | "expiresAt" | "pruneAt"> {
  return { endedAt: new Date(at).toISOString(), expiresAt: at + dayMs, pruneAt: at + dayMs };
}

/** Where the result of a run lies. */
export function resultId(scrapeId: string, fence: number): string {
  return `${scrapeId}.${fence}`;
}

/** What was not made by `fail` tells of the inside. */
function failureOf(error: unknown): JobFailure {
  const code = codeOf(error);
  if (code === undefined) return { code: "internal_error", message: "Something went wrong on our side." };
  return { code, message: (error as Error).message };
}
