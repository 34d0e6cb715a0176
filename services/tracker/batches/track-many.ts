import { sleepUntilAborted } from "../../../mixins/async/sleep.ts";
import { TimeSlices } from "../../../mixins/async/time-slices.ts";
import { sealFields } from "../../../mixins/clients/job-vault.ts";
import { keepingOnce, withoutLogin } from "../../../mixins/clients/session-logins.ts";
import { secretOptions } from "../../../mixins/clients/watch-secrets.ts";
import { findPage } from "../../../mixins/store/pages.ts";
import { RequestBudget } from "../../../reader/text/request-budget.ts";
import type { Caller } from "../../contracts/caller.ts";
import { fail } from "../../contracts/errors.ts";
import {
  type BatchEntry,
  firstEntries,
  type TrackBatch,
  type TrackBatchRequest,
  type WantedSource,
} from "../../contracts/track-batch.contract.ts";
import { viewRecord } from "../../contracts/watch.contract.ts";
import type { TrackerContext, TrackerStores } from "../context.ts";
import { type Installation, refuseInvalid } from "../watches/views.ts";
import {
  type BatchItem,
  batchRetentionMs,
  entryId,
  type StoredBatch,
  type StoredEntry,
} from "./batches.store.ts";

type Answer = { data: TrackBatch; message: string };

/**
 * Milliseconds between the due times of a batch's entries. So a long batch asks strangers' hosts steadily, and the entries
 * of another key are due among them and not after them.
 */
const paceMs = 20;
/** Milliseconds that a request waits for its batch. */
const waitMs = 10_000;
const recheckMs = 100;

/** Stores a batch, and waits a little for its end. */
export async function trackMany(
  context: TrackerContext,
  caller: Caller,
  items: WantedSource[],
): Promise<Answer> {
  await refuseInvalidItems(items, context);
  const kept = await withoutLogins(context, caller, items);
  return describe(context, await runBatch(context, caller, kept), { limit: firstEntries });
}

/** Units for the options of all entries: ten times those of one request. */
const budgetUnits = 50_000;

/** Entries with the same options are checked once. */
async function refuseInvalidItems(
  items: WantedSource[],
  context: Installation & Pick<TrackerContext, "closing">,
): Promise<void> {
  const budget = new RequestBudget(budgetUnits);
  const checked = new Set<string>();
  const slices = new TimeSlices(context.closing);
  for (const [number, { source, options = {} }] of items.entries()) {
    const named = JSON.stringify([source, options]);
    if (checked.has(named)) continue;
    checked.add(named);
    refuseInvalid(source, options, context, `items.${number}.options`, budget);
    await slices.next();
  }
}

/** The items with the names of their sessions alone; a login that is there several times is kept once for each site. */
async function withoutLogins(
  { keepLogin }: Pick<TrackerContext, "keepLogin">,
  { keyId }: Caller,
  items: WantedSource[],
): Promise<WantedSource[]> {
  const keep = keepingOnce(keepLogin);
  const kept: WantedSource[] = [];
  for (const [number, { options, ...item }] of items.entries()) {
    const fields = { url: `items.${number}.sid`, session: `items.${number}.options.session` };
    const of = { keyId, url: item.sid, fields };
    kept.push({ ...item, ...(options && { options: await withoutLogin(options, of, keep) }) });
  }
  return kept;
}

/** Runs a batch that another request has made. */
export async function runBatch(
  context: TrackerContext,
  caller: Caller,
  items: BatchItem[],
): Promise<StoredBatch> {
  const until = context.now() + waitMs;
  const batch = await addBatch(context, caller, items);
  while (context.now() < until && !context.closing.aborted) {
    if ((await context.entries.findOne({ batchId: batch._id, status: "pending" })) === null) break;
    await sleepUntilAborted(recheckMs, context.closing);
  }
  return batch;
}

async function addBatch(
  context: TrackerContext,
  { keyId, owner, limits }: Caller,
  items: BatchItem[],
): Promise<StoredBatch> {
  const createdAt = context.now();
  const batchId = `trk_${context.newId(createdAt)}`;
  const kept = await Promise.all(items.map(wanted => withSealed(context, keyId, wanted)));
  const entries = kept.map(
    (wanted, number): StoredEntry => ({
      _id: entryId(batchId, number),
      batchId,
      number,
      keyId,
      owner,
      limits,
      wanted,
      status: "pending",
      failures: 0,
      createdAt,
      dueAt: createdAt + number * paceMs,
    }),
  );
  // Creates the tally, through which maintenance finds keys that were deleted.
  await context.tallies.upsert(keyId, { $inc: { sources: 0 } });
  await context.entries.insertMany(entries);
  const batch = await context.batches.insert({ _id: batchId, keyId, total: items.length, createdAt });
  context.onEntriesAdded();
  return batch;
}

async function withSealed(
  { vault }: TrackerContext,
  keyId: string,
  { options, ...wanted }: BatchItem,
): Promise<StoredEntry["wanted"]> {
  if (!options) return wanted;
  return {
    ...wanted,
    options: await sealFields(vault, viewRecord(keyId), options, secretOptions),
  };
}

/** A batch of a key, and a page of its entries. */
export async function trackBatch(
  context: TrackerContext,
  { keyId }: Caller,
  { batch_id, ...page }: TrackBatchRequest,
): Promise<Answer> {
  const batch = await context.batches.findById(batch_id);
  if (batch?.keyId !== keyId) throw fail("not_found", "This API key has no such batch.");
  return describe(context, batch, page);
}

async function describe(
  { entries, batchesKeptMs: keptMs = batchRetentionMs }: Pick<TrackerContext, "entries" | "batchesKeptMs">,
  batch: StoredBatch,
  { cursor, limit, status }: Pick<TrackBatchRequest, "cursor" | "limit" | "status">,
): Promise<Answer> {
  const { _id, total, createdAt } = batch;
  const counts = await Promise.all(
    (["pending", "tracked", "known", "waiting", "removed"] as const).map(each =>
      entries.count({ batchId: _id, status: each }),
    ),
  );
  const [pending = 0, tracked = 0, known = 0, waiting = 0, removed = 0] = counts;
  const { page, next_cursor } = await findPage(entries, {
    query: { batchId: _id, ...(status && { status }) },
    limit,
    ...(cursor !== undefined && { cursor: entryId(_id, Number(cursor)) }),
  });
  const data: TrackBatch = {
    id: _id,
    state: pending > 0 ? "running" : "completed",
    progress: {
      total,
      pending,
      tracked,
      known,
      waiting,
      removed,
      failed: total - pending - tracked - known - waiting - removed,
    },
    entries: page.map(publicEntry),
    next_cursor: next_cursor === null ? null : String(page.at(-1)?.number),
    created_at: new Date(createdAt).toISOString(),
    expires_at: new Date(createdAt + keptMs).toISOString(),
  };
  return { data, message: messageOf(data) };
}

function publicEntry({ number, wanted, status, data, jobId, error }: StoredEntry): BatchEntry {
  return {
    number,
    ...(wanted.line !== undefined && { line: wanted.line }),
    source: wanted.source,
    sid: wanted.sid,
    status,
    ...(data && { data }),
    ...(jobId !== undefined && { jobId }),
    ...(error && { error }),
  };
}

function messageOf({ state, progress: { total, pending, failed } }: TrackBatch): string {
  if (state === "running") return `${pending} of ${total} sources are still to be tracked.`;
  return failed === 0
    ? "All sources are tracked or wait for approval."
    : `${failed} of ${total} sources failed.`;
}

/** Removes batches that are past their retention. */
export async function pruneBatches({
  batches,
  entries,
  now,
  batchesKeptMs = batchRetentionMs,
}: TrackerContext): Promise<void> {
  const isOld = { createdAt: { $lt: now() - batchesKeptMs } };
  await batches.removeMany(isOld);
  await entries.removeMany(isOld);
}

/** Forgets the batches of a deleted key. */
export async function forgetBatches({ batches, entries }: TrackerStores, keyId: string): Promise<void> {
  await batches.removeMany({ keyId });
  await entries.removeMany({ keyId });
}
