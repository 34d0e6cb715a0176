import type { JobFailure } from "../../../mixins/queue/queue.ts";
import { codeOf, fail } from "../../contracts/errors.ts";
import type { ScrapeJob } from "../../contracts/scraper.contract.ts";
import type { ScraperContext } from "../context.ts";
import { settleScrape } from "../page-charge.ts";
import { resultId, type StoredScrape, unsealWebhook } from "../scrapes.store.ts";
import { isReusable } from "./earlier-read.ts";
import type { Outcome } from "./runs.ts";
import { describeScrape, findScrape } from "./scrape-status.ts";

const dayMs = 24 * 3_600_000;
/** The process that ends a scrape sends its notice at once. If it has not after this time, another one does. */
const announceMs = 15_000;

type Ending = Pick<StoredScrape, "status" | "statusCode" | "error">;
type EndedScrape = Pick<StoredScrape, "_id" | "keyId" | "charge" | "webhook">;

/**
 * Ends a pending scrape with the outcome of the run of this fence, and its charge. Writes the result before the status; a
 * charge that a crash leaves open counts.
 */
export async function endScrape(
  context: ScraperContext,
  scrape: EndedScrape,
  fence: number,
  outcome: Outcome,
): Promise<void> {
  const _id = resultId(scrape._id, fence);
  if (outcome.ok) await context.results.upsert(_id, { $set: { data: outcome.data } });
  const isReused = outcome.ok && isReusable(outcome.data);
  const isOurs = await writeEnd(context, scrape, { fence }, endingOf(outcome), isReused);
  if (isOurs) await settleScrape(context, scrape, outcome);
}

/** Ends a scrape unless it has ended or belongs to another run. Returns whether this call ended it. */
async function writeEnd(
  { scrapes, now, keptMs }: ScraperContext,
  { _id, webhook }: EndedScrape,
  whose: { fence?: number },
  ending: Ending,
  isReused = false,
): Promise<boolean> {
  const at = now();
  const ended = await scrapes.updateMany(
    { _id, status: "pending", ...whose },
    {
      $set: { ...ending, ...endTimes(at, keptMs), ...(webhook && { checkAt: at + announceMs }) },
      $unset: {
        ...{ request: true, heldBy: true },
        ...(!isReused && { readHash: true }),
        ...(!webhook && { checkAt: true }),
      },
    },
  );
  return ended === 1;
}

/** The state in the record of a scrape with this outcome. */
export function endingOf(outcome: Outcome): Ending {
  return outcome.ok
    ? { status: "completed", statusCode: outcome.data.metadata.status_code }
    : { status: "failed", error: failureOf(outcome.error) };
}

/** The times in the record of a scrape that has ended, whose result is kept for a time (ms). */
export function endTimes(
  at: number,
  keptMs = dayMs,
): Pick<StoredScrape, "endedAt" | "expiresAt" | "pruneAt"> {
  return { endedAt: new Date(at).toISOString(), expiresAt: at + keptMs, pruneAt: at + keptMs };
}

/** The message of an error without a code may reveal internals. */
function failureOf(error: unknown): JobFailure {
  const code = codeOf(error);
  if (code === undefined) return { code: "internal_error", message: "Something went wrong on our side." };
  return { code, message: (error as Error).message };
}

const cancelled = { code: "cancelled", message: "The scrape was cancelled." };

/**
 * Cancels a pending scrape of an owner, null for any, and stops its run. Repeating it changes nothing; throws 409 when the scrape has ended in any
 * other way. Writes the end first, so that no run can end the scrape after that.
 */
export async function cancelScrape(
  context: ScraperContext,
  owner: string | null,
  id: string,
): Promise<ScrapeJob> {
  const before = await findScrape(context, owner, id);
  const isNew = await writeEnd(context, before, {}, { status: "failed", error: cancelled });
  if (isNew) await settleScrape(context, before, { ok: false, error: cancelled });
  if (isNew) await stopWork(context, id);
  const scrape = await findScrape(context, owner, id);
  if (scrape.error?.code !== cancelled.code)
    throw fail("already_finished", "This scrape has finished: there is nothing to cancel.");
  return await describeScrape(context, scrape);
}

/** Stops the run of a cancelled scrape on this node. The end of the scrape is written already. */
export function stopCancelledRun({ runs }: Pick<ScraperContext, "runs">, id: string): void {
  runs.get(id)?.stop(fail("conflict", cancelled.message));
}

async function stopWork(context: ScraperContext, id: string): Promise<void> {
  stopCancelledRun(context, id);
  context.broadcastCancelled(id);
  await context.queue.cancel(id);
  await sendEndNotice(context, id).catch(error => context.onError("scrape_notice.failed", error));
}

/** Sends a notice to the scrape's webhook, if it wants this event. Safe to repeat: the notice has an id. */
export async function sendNotice(
  context: ScraperContext,
  scrape: StoredScrape,
  event: "started" | "completed" | "failed",
): Promise<void> {
  const { _id, keyId, webhook, traceparent, startedAt, endedAt } = scrape;
  if (!webhook?.events.includes(event)) return;
  const { url, headers = {} } = await unsealWebhook(context.vault, _id, webhook);
  const notice = {
    id: `${_id}.${event}`,
    type: `scrape.${event}` as const,
    keyId,
    url,
    headers,
    job: { ...(await describeScrape(context, scrape)) },
    ...(webhook.metadata && { metadata: webhook.metadata }),
    timestamp: endedAt ?? startedAt ?? new Date(context.now()).toISOString(),
  };
  await context.notify(notice, traceparent);
}

/** Sends the notice of the end of a scrape, unless it was sent. */
export async function sendEndNotice(context: ScraperContext, id: string): Promise<void> {
  const scrape = await context.scrapes.findById(id);
  if (scrape === null || scrape.status === "pending" || scrape.webhook === undefined) return;
  await sendNotice(context, scrape, scrape.status);
  await context.scrapes.update(id, { $unset: { webhook: true, checkAt: true } });
}
