import type { Job, JobTools } from "../../../mixins/queue/queue.ts";
import { claimJob } from "../../../mixins/store/idempotency.ts";
import { codeOf, fail } from "../../contracts/errors.ts";
import type { AcceptedScrape, ScrapeRequest } from "../../contracts/scraper.contract.ts";
import type { QuotaUse } from "../../domain/quota/quotas.ts";
import type { ScraperContext, Submission } from "../context.ts";
import { chargeScrape, settleScrape } from "../page-charge.ts";
import { insertOnce, newScrapeId, type StoredScrape, sealRequest, unsealRequest } from "../scrapes.store.ts";
import { readHash } from "./earlier-read.ts";
import { endScrape, sendEndNotice, sendNotice } from "./end-scrape.ts";
import { runScrape } from "./runs.ts";
import { takeSlotForJob } from "./slots.ts";

/** The process that accepts a scrape queues it at once. If it has not after this time, another one does. */
const queueMs = 60_000;

/** Accepts an asynchronous scrape: stored and queued when this resolves. A repeated idempotency key gives the same one. */
export async function acceptScrape(
  context: ScraperContext,
  request: ScrapeRequest,
  { caller: { keyId, owner, limits }, key, prepareWebhook, traceparent, onCharged }: Submission,
): Promise<AcceptedScrape> {
  const prepared = request.webhook && (await prepareWebhook(request.webhook));
  const claim = { keyId, operation: "scrape", key, body: request };
  const id = await claimJob(context.claims, claim, newScrapeId, context.now());
  const priority = await nextPriority(context, keyId);
  const record = {
    ...{ _id: id, keyId, owner, url: request.url, ...(await sealRequest(context.vault, id, request)) },
    ...{ fence: 0, status: "pending" as const, checkAt: context.now() + queueMs },
    ...{ slots: limits.concurrentScrapes, readHash: readHash(keyId, request) },
    ...(traceparent && { traceparent }),
  };
  const isNew = await insertOnce(context, record);
  if (isNew) onCharged?.(await chargeAccepted(context, record));
  const status = isNew ? "pending" : ((await context.scrapes.findById(id))?.status ?? "pending");
  if (status === "pending") await queueScrape(context, record, priority);
  const secret = prepared?.secret;
  return { scrape_id: id, version: "v1", status, ...(secret !== undefined && { webhook_secret: secret }) };
}

/** Charges a scrape that was accepted, and removes it again when a quota refuses it. */
async function chargeAccepted(context: ScraperContext, scrape: StoredScrape): Promise<QuotaUse[]> {
  try {
    return (await chargePending(context, scrape))?.quotas ?? [];
  } catch (error) {
    await context.scrapes.removeMany({ _id: scrape._id, status: "pending", fence: 0 });
    throw error;
  }
}

/**
 * Charges a scrape that was pending a moment ago; null when it has been cancelled since. Its end has then settled only
 * what was charged before it, so the charge is given back here.
 */
async function chargePending(context: ScraperContext, scrape: StoredScrape) {
  const charged = await chargeScrape(context, scrape);
  if (charged === undefined) return undefined;
  const latest = await context.scrapes.findById(scrape._id);
  if (latest?.status !== "failed") return charged;
  await settleScrape(context, scrape, { ok: false });
  return null;
}

/**
 * A run that throws has met an error on our side, such as a service that is away; the failure of a page is an outcome.
 * So the job is retried until that error is gone.
 */
const attempts = 1000;
const backoffMs = [1000, 5000, 15_000, 60_000];
const lowestPriority = 2 ** 20;

/** Queues a pending scrape. Safe to repeat. */
export async function queueScrape(
  { queue }: ScraperContext,
  { _id }: Pick<StoredScrape, "_id">,
  priority = 0,
) {
  await queue.add({ id: _id, payload: null, priority, attempts, backoffMs });
}

/**
 * The priority of a key's next job: the number of its pending ones. So the first job of any key goes before the second
 * of another.
 */
export async function nextPriority({ scrapes }: ScraperContext, keyId: string): Promise<number> {
  return Math.min(await scrapes.count({ keyId, status: "pending" }), lowestPriority);
}

type ScrapeTask = Pick<Job<null, null>, "id">;
type Tools = Pick<JobTools, "fence" | "signal">;

/** A scrape that the current run of the queue owns. */
interface OwnedScrape extends StoredScrape {
  request: NonNullable<StoredScrape["request"]>;
}

/** Runs a job of the queue: scrapes the page and sends the notice of its end, whichever of the two is still to do. */
export async function runQueuedScrape(
  context: ScraperContext,
  { id }: ScrapeTask,
  { fence, signal }: Tools,
): Promise<null> {
  const waiting = await context.scrapes.findById(id);
  if (waiting?.status === "pending") {
    const release = await takeSlotForJob(context, waiting);
    await scrapeAndEnd(context, id, { fence, signal }).finally(release);
  }
  await sendEndNotice(context, id);
  return null;
}

async function scrapeAndEnd(context: ScraperContext, id: string, { fence, signal }: Tools): Promise<void> {
  const scrape = await takeOver(context, id, fence);
  if (scrape === null) return;
  const { keyId, owner } = scrape;
  // The process that accepted it may have died before it was charged.
  const charged = await chargePending(context, scrape).catch(async error => {
    if (codeOf(error) !== "quota_exceeded") throw error;
    await endScrape(context, scrape, fence, { ok: false, error });
    return null;
  });
  if (charged === null) return;
  await sendNotice(context, scrape, "started");
  const request = await unsealRequest(context.vault, id, scrape.request);
  const span = context.openSpan?.("run scrape", scrape.traceparent);
  const { outcome } = runScrape(context, {
    ...{ id, keyId, owner, request, signal, retriesWhenBusy: true },
    charge: charged?.charge,
  });
  const ended = await outcome;
  span?.end(ended.ok ? {} : { error: codeOf(ended.error) ?? "error" });
  // Cancelled, lost, or to be repeated: this run does not end it.
  signal.throwIfAborted();
  await endScrape(context, scrape, fence, ended);
}

/** Fails a job that the queue gives up because every process that ran it has died. */
export async function failStalledScrape(
  context: ScraperContext,
  { id }: ScrapeTask,
  { fence }: Tools,
): Promise<void> {
  const scrape = await takeOver(context, id, fence);
  const error = fail(
    "internal_error",
    "The scrape was given up: the service died twice while it read this page.",
  );
  if (scrape !== null) await endScrape(context, scrape, fence, { ok: false, error });
  await sendEndNotice(context, id);
}

/** Takes a pending scrape over for this run alone; null when it has ended. */
async function takeOver(
  { scrapes, now }: ScraperContext,
  id: string,
  fence: number,
): Promise<OwnedScrape | null> {
  const before = await scrapes.findById(id);
  const startedAt = before?.startedAt ?? new Date(now()).toISOString();
  await scrapes.updateMany(
    { _id: id, status: "pending", fence: { $lt: fence } },
    { $set: { fence, startedAt }, $unset: { heldBy: true } },
  );
  const scrape = await scrapes.findById(id);
  if (scrape?.status !== "pending") return null;
  if (scrape.fence !== fence) throw new Error(`The scrape ${id} runs under a later fence`);
  return hasRequest(scrape) ? scrape : null;
}

function hasRequest(scrape: StoredScrape): scrape is OwnedScrape {
  return scrape.request !== undefined;
}
