import { setTimeout as sleep } from "node:timers/promises";
import { Errors } from "moleculer";
import { within } from "../../mixins/async/timeout.ts";
import { claimJob, digestOf } from "../../mixins/store/idempotency.ts";
import type { Caller } from "../contracts/caller.ts";
import { codeOf, type ErrorCode, errorStatus, fail, urlErrorAt } from "../contracts/errors.ts";
import type { ScrapeData } from "../contracts/page.contract.ts";
import {
  type AcceptedScrape,
  type ScrapeJob,
  type ScrapeRequest,
  scrape,
} from "../contracts/scraper.contract.ts";
import type { SessionToKeep } from "../contracts/site-sessions.contract.ts";
import { withUsesOf } from "../domain/crawl/content-policy.ts";
import type { ScraperContext, Submission } from "./context.ts";
import { isReusable, readHash } from "./jobs/earlier-read.ts";
import { endingOf, endScrape, endTimes } from "./jobs/end-scrape.ts";
import { handedOver, maxRunMs, type Outcome, type Run, runScrape } from "./jobs/runs.ts";
import { acceptScrape } from "./jobs/scrape-async.ts";
import { describeScrape, jobOf } from "./jobs/scrape-status.ts";
import { takeSlot } from "./jobs/slots.ts";
import { chargeScrape, settleScrape } from "./page-charge.ts";
import { checkScrapeRequest } from "./page-request.ts";
import { insertOnce, newScrapeId, resultId, type StoredScrape, sealRequest } from "./scrapes.store.ts";

/** Checks a scrape request, then runs it while the caller waits (`mode: sync`) or queues it (`mode: async`). */
export async function submitScrape(
  context: ScraperContext,
  sent: ScrapeRequest,
  submission: Submission,
): Promise<ScrapeJob | AcceptedScrape> {
  admitUrl("url", sent.url, context.tools);
  checkScrapeRequest(sent);
  const wanted = withUsesOf(submission.caller, sent);
  const request = await withoutLogin(wanted, submission.caller, context.tools);
  return request.mode === "async"
    ? await acceptScrape(context, request, submission)
    : await scrapeAndWait(context, request, submission);
}

/** The request with the name of its session alone: the login is kept with that. */
async function withoutLogin(
  request: ScrapeRequest,
  { keyId }: Caller,
  tools: ScraperContext["tools"],
): Promise<ScrapeRequest> {
  const { session, url } = request;
  if (!session?.login) return request;
  await keepSession(tools, { keyId, url, session, fields: { url: "url", session: "session" } });
  return { ...request, session: { name: session.name } };
}

/** Keeps the login of a session for the site of an address. Errors name the fields of the request. */
export async function keepSession(
  tools: ScraperContext["tools"],
  { keyId, url, session, fields }: SessionToKeep,
): Promise<void> {
  admitUrl(fields.url, url, tools);
  await tools.sessions?.keepLogin({ keyId, ...session }, url, fields.session);
}

/** Throws the guard's refusal, which names the field, as all errors of a body do. */
function admitUrl(field: string, url: string, { egress }: ScraperContext["tools"]): void {
  try {
    egress.admit(url);
  } catch (error) {
    throw urlErrorAt(field, error);
  }
}

/**
 * A synchronous scrape: 200 with the result, or 408 `scrape_timeout` after the request's timeout. After a 408 the run
 * continues, and its record keeps the result. A request repeated with its `Idempotency-Key` waits for the first one.
 */
export async function scrapeAndWait(
  context: ScraperContext,
  request: ScrapeRequest,
  submission: Submission,
): Promise<ScrapeJob> {
  const { caller, key, requestId } = submission;
  const claim = { keyId: caller.keyId, operation: "scrape", key, body: request };
  const id = await claimJob(context.claims, claim, newScrapeId, context.now());
  const record = newHeldScrape(context, id, caller, request);
  if (key !== undefined && !(await insertOnce(context, await sealHeldScrape(context, record))))
    return await answerOfRecord(context, id, request.timeout);
  const release = await takeSlot(context, caller, requestId).catch(async error => {
    if (key !== undefined) await removeHeldScrape(context, id);
    throw error;
  });
  const work: { run?: Run } = {};
  try {
    const charge = await chargeHeldScrape(context, record, submission);
    return await runAndAnswer(context, { ...record, ...charge }, submission, work);
  } finally {
    // After a 408 the run continues and keeps its slot until it ends.
    void Promise.resolve(work.run?.recorded ?? work.run?.outcome).finally(release);
  }
}

/**
 * Charges the scrape to the quotas of its key. Without an `Idempotency-Key` the charge has the id of the request: the
 * gateway may repeat it on another node, where it is another scrape.
 */
async function chargeHeldScrape(
  context: ScraperContext,
  { _id, keyId, url }: HeldScrape,
  { key, requestId, onCharged }: Submission,
): Promise<{ charge?: string }> {
  try {
    const charge = key === undefined ? { charge: digestOf([requestId, url]) } : {};
    const charged = await chargeScrape(context, { _id, keyId, ...charge });
    if (!charged) return {};
    onCharged?.(charged.quotas);
    return { charge: charged.charge };
  } catch (error) {
    if (key !== undefined) await removeHeldScrape(context, _id);
    throw error;
  }
}

/** Starts the run and answers with its result, or with 408 when the timeout comes first. */
async function runAndAnswer(
  context: ScraperContext,
  record: HeldScrape,
  { caller: { keyId, owner }, key, requestId, callerWaitsUntil }: Submission,
  work: { run?: Run },
): Promise<ScrapeJob> {
  const { _id: id, request, charge } = record;
  const hasRecord = key !== undefined;
  const restartBy = callerWaitsUntil && { restartBy: callerWaitsUntil - request.timeout };
  // Without a key the gateway may repeat the request on another node, where it is another scrape.
  const readAs = hasRecord ? id : digestOf([requestId, request.url]);
  const run = runScrape(context, { id, keyId, owner, request, readAs, charge, ...restartBy });
  work.run = run;
  if (hasRecord) recordWhenDone(context, run, record);
  const outcome = await within(request.timeout, run.outcome, () => null);
  if (outcome === null) {
    run.markAnswered();
    if (!hasRecord) await recordLateRun(context, run, record);
    throw timeout408(id, request.timeout);
  }
  if (!hasRecord && !isHandedOver(outcome)) await settleScrape(context, record, outcome);
  await run.recorded;
  if (!outcome.ok && !hasRecord) await recordFailure(context, record, outcome.error);
  if (!outcome.ok) throw failureOfRun(context, outcome.error);
  return await (hasRecord
    ? answerOfRecord(context, id, request.timeout)
    : storeAndAnswer200(context, record, outcome.data));
}

/** The answer from the record of the first request with this key: 200, 408 while it is pending, or its failure. */
async function answerOfRecord(context: ScraperContext, id: string, timeoutMs: number): Promise<ScrapeJob> {
  const first = await waitForEnd(context, id, timeoutMs);
  if (first?.status === "pending") throw timeout408(id, timeoutMs);
  if (first?.status === "completed") return await describeScrape(context, first);
  throw failureOfRecord(
    first?.error ?? { code: "overloaded", message: "There was no capacity. Send it again." },
  );
}

/** The failure of the first request, with its status. A cancelled one has a code of its own, which becomes 409 here. */
function failureOfRecord({ code, message }: { code: string; message: string }): Error {
  return fail(Object.hasOwn(errorStatus, code) ? (code as ErrorCode) : "conflict", message);
}

/** A scrape without a key had no record up to now. */
async function recordLateRun(context: ScraperContext, run: Run, held: HeldScrape): Promise<void> {
  const kept = sealHeldScrape(context, held).then(sealed => context.scrapes.insert(sealed));
  recordWhenDone(context, run, held, kept);
  await kept;
}

function timeout408(scrape_id: string, timeoutMs: number): Error {
  return fail(
    "scrape_timeout",
    `The page was not ready within ${timeoutMs} ms. The scrape continues: ask for it by its scrape_id.`,
    { scrape_id },
  );
}

/** Nobody knows the id before this answer, so the record may be written before its result. */
async function storeAndAnswer200(
  { scrapes, results, now, keptMs }: ScraperContext,
  record: StoredScrape,
  data: ScrapeData,
): Promise<ScrapeJob> {
  const reusable = isReusable(data) && { readHash: record.readHash };
  const ended: StoredScrape = {
    ...withoutWork(record),
    ...reusable,
    status: "completed",
    statusCode: data.metadata.status_code,
    ...endTimes(now(), keptMs),
  };
  // The second write is on the disk when it resolves, and so is what came before it.
  await scrapes.insertMany([ended], "end of process");
  await results.insert({ _id: resultId(record._id, record.fence), data });
  return jobOf(ended, data);
}

/** The record without what only a pending scrape has. */
function withoutWork(record: StoredScrape): StoredScrape {
  const {
    request: _request,
    heldBy: _heldBy,
    checkAt: _checkAt,
    charge: _charge,
    readHash: _readHash,
    ...kept
  } = record;
  return kept;
}

/** Records a failure for the lists of scrapes. Nothing was read when there was no capacity, or when another node continues. */
async function recordFailure(context: ScraperContext, record: StoredScrape, error: unknown): Promise<void> {
  if (error === handedOver || codeOf(error) === "overloaded") return;
  const ended: StoredScrape = {
    ...withoutWork(record),
    ...endingOf({ ok: false, error }),
    ...endTimes(context.now(), context.keptMs),
  };
  await context.scrapes.insert(ended).catch(problem => context.onError("scrape_record.failed", problem));
}

/** For a run that was handed over: the bus' own error for a call whose node is gone, so that the caller repeats it. */
function failureOfRun({ nodeId }: ScraperContext, error: unknown): unknown {
  if (error !== handedOver) return error;
  return new Errors.RequestRejectedError({ action: scrape.name, nodeID: nodeId });
}

const pollMs = 250;

/** Waits until a scrape of any node has ended, or the time is over. Returns its record as it is then. */
async function waitForEnd(
  context: ScraperContext,
  id: string,
  timeoutMs: number,
): Promise<StoredScrape | null> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const scrape = await context.scrapes.findById(id);
    const leftMs = deadline - performance.now();
    if (scrape?.status !== "pending" || leftMs <= 0) return scrape;
    const recorded = context.runs.get(id)?.recorded;
    if (recorded) await within(leftMs, recorded, () => null);
    else await sleep(Math.min(leftMs, pollMs));
  }
}

/** After this time beyond its bound, a pending record means that its process has died. */
const recordGraceMs = 60_000;

/** A scrape that this process runs outside the queue, with its request in plain text. */
interface HeldScrape extends StoredScrape {
  request: ScrapeRequest;
}

export function newHeldScrape(
  { nodeId, now }: ScraperContext,
  id: string,
  { keyId, owner, limits }: Caller,
  request: ScrapeRequest,
): HeldScrape {
  const at = now();
  return {
    ...{ _id: id, keyId, owner, url: request.url, request, fence: 0, status: "pending", heldBy: nodeId },
    ...{ startedAt: new Date(at).toISOString(), checkAt: at + maxRunMs(request) + recordGraceMs },
    ...{ slots: limits.concurrentScrapes, readHash: readHash(keyId, request) },
  };
}

/** The record of the scrape, with its secrets encrypted. */
async function sealHeldScrape(
  { vault }: Pick<ScraperContext, "vault">,
  held: HeldScrape,
): Promise<StoredScrape> {
  return { ...held, ...(await sealRequest(vault, held._id, held.request)) };
}

/** Writes the outcome to the record when the run ends. If the process dies before, another node queues the scrape. */
function recordWhenDone(
  context: ScraperContext,
  run: Run,
  held: HeldScrape,
  kept: Promise<unknown> = Promise.resolve(),
): void {
  run.recorded = kept
    .then(() => recordOutcome(context, run, held))
    .catch(error => context.onError("scrape_record.failed", error));
}

async function recordOutcome(context: ScraperContext, run: Run, held: HeldScrape): Promise<void> {
  const outcome = await run.outcome;
  if (isHandedOver(outcome)) return;
  const { charge, keyId } = held;
  const ended = { _id: run.id, keyId, ...(charge !== undefined && { charge }) };
  if (outcome.ok || codeOf(outcome.error) !== "overloaded" || run.isAnswered)
    return await endScrape(context, ended, 0, outcome);
  await removeHeldScrape(context, run.id);
  await settleScrape(context, ended, outcome);
}

function isHandedOver(outcome: Outcome): boolean {
  return !outcome.ok && outcome.error === handedOver;
}

/** Removes the record of a scrape that did not start, so that the same request can start it later. */
async function removeHeldScrape({ scrapes }: ScraperContext, id: string): Promise<void> {
  await scrapes.removeMany({ _id: id, status: "pending", fence: 0 });
}
