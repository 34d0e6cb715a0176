import { Errors } from "moleculer";
import { claimJob } from "../../../mixins/idempotency/claim-job.ts";
import { type ErrorCode, errorStatus, fail } from "../../contracts/errors.ts";
import {
  type ScrapeData,
  type ScrapeJob,
  type ScrapeRequest,
  scrape,
} from "../../contracts/scraper.contract.ts";
import { awaitEnd } from "./await-end.ts";
import { describeScrape, jobOf } from "./describe-scrape.ts";
import { endTimes, resultId } from "./end-scrape.ts";
import { heldRecord, holdScrape, leaveOverdue } from "./hold-scrape.ts";
import { insertOnce } from "./insert-once.ts";
import { type JobsRoom, newScrapeId, type StoredScrape, type Visitor } from "./room.ts";
import { runScrape } from "./run-scrape.ts";
import { handedOver, type Run } from "./runs.ts";
import { unlessLate } from "./unless-late.ts";

/**
 * A synchronous scrape: answered when it is done, or with 408 `scrape_timeout` past its timeout; then it goes on, and
 * its record says so. Sent again with its key, the request waits for the first one.
 */
export async function scrapeNow(
  jobs: JobsRoom,
  request: ScrapeRequest,
  { caller, key, waitsUntil }: Visitor,
): Promise<ScrapeJob> {
  const claim = { keyId: caller.keyId, operation: "scrape", key, body: request };
  const id = await claimJob(jobs.claims, claim, newScrapeId, jobs.now());
  const record = heldRecord(jobs, id, caller, request);
  const isHeld = key !== undefined;
  if (isHeld && !(await insertOnce(jobs, record))) return await join(jobs, id, request.timeout);
  const { keyId, owner } = caller;
  const anewBy = waitsUntil && { anewBy: waitsUntil - request.timeout };
  const run = runScrape(jobs, { id, keyId, owner, request, ...anewBy });
  if (isHeld) holdScrape(jobs, run);
  const outcome = await unlessLate(request.timeout, run.outcome);
  if (outcome === null) {
    if (!isHeld) await holdLate(jobs, run, record);
    await leaveOverdue(jobs, run, caller);
    throw late(id, request.timeout);
  }
  await run.recorded;
  if (!outcome.ok) throw refusal(jobs, outcome.error);
  return await (isHeld ? join(jobs, id, request.timeout) : keep(jobs, record, outcome.data));
}

async function join(jobs: JobsRoom, id: string, timeoutMs: number): Promise<ScrapeJob> {
  const first = await awaitEnd(jobs, id, timeoutMs);
  if (first?.status === "pending") throw late(id, timeoutMs);
  if (first?.status === "completed") return await describeScrape(jobs, first);
  throw repeated(first?.error ?? { code: "overloaded", message: "There was no room. Send it again." });
}

/** The failure of the first request, for the next one. What is no code of an answer means that it was cancelled. */
function repeated({ code, message }: { code: string; message: string }): Error {
  return fail(Object.hasOwn(errorStatus, code) ? (code as ErrorCode) : "conflict", message);
}

async function holdLate(jobs: JobsRoom, run: Run, record: StoredScrape): Promise<void> {
  await jobs.scrapes.insert(record);
  holdScrape(jobs, run);
}

function late(scrape_id: string, timeoutMs: number): Error {
  return fail(
    "scrape_timeout",
    `The page was not ready within ${timeoutMs} ms. The scrape goes on: ask for it by its scrape_id.`,
    { scrape_id },
  );
}

/** Until this has answered nobody knows the scrape's identity: so its record may come before its result. */
async function keep(
  { scrapes, results, now }: JobsRoom,
  record: StoredScrape,
  data: ScrapeData,
): Promise<ScrapeJob> {
  const { request: _request, heldBy: _heldBy, checkAt: _checkAt, ...kept } = record;
  const ended: StoredScrape = { ...kept, status: "completed", ...endTimes(now()) };
  await scrapes.insert(ended);
  await results.insert({ _id: resultId(record._id, record.fence), data });
  return jobOf(ended, data);
}

/** What the bus says of a call whose node is gone, so that another one does it. */
function refusal({ nodeId }: JobsRoom, error: unknown): unknown {
  if (error !== handedOver) return error;
  return new Errors.RequestRejectedError({ action: scrape.name, nodeID: nodeId });
}
