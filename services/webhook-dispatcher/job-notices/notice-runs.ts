import { setImmediate as yieldToLoop } from "node:timers/promises";
import { delayAfter, jitter } from "../../domain/delivery/backoff.ts";
import type { StoredNotice } from "../webhooks.store.ts";
import type { NoticeContext } from "./context.ts";

type Runs = Pick<NoticeContext, "queue" | "notices">;

/** A run that fails through our own fault, not the receiver's, is repeated until it finishes: for some two years. */
const runRetryMs = [1_000, 5_000, 30_000, 60_000];
const maxRunStarts = 2 ** 20;
const highestPriority = 2 ** 20;

/**
 * Ensures that the queue has the run that a notice waits for. The first notice of any key runs before the second of
 * another. A notice whose run has failed continues with the next run. If the run is complete, the notice was delivered
 * before it was announced again, and is removed.
 */
export async function addRun(context: Runs, notice: StoredNotice, now: number): Promise<void> {
  const { _id, keyId, run, dueAt } = notice;
  const others = Math.max((await context.notices.count({ keyId })) - 1, 0);
  const isNew = await context.queue.add({
    id: runId(notice),
    payload: { noticeId: _id, run },
    delayMs: Math.max(dueAt - now, 0),
    priority: Math.min(others, highestPriority),
    attempts: maxRunStarts,
    backoffMs: runRetryMs,
  });
  if (isNew) return;
  const known = await context.queue.get(runId(notice));
  if (known?.state === "failed") await postpone(context, notice, now);
  if (known?.state === "completed") await context.notices.removeMany({ _id, run });
}

/** Whether the queue has that run and has not finished it. */
async function isQueued({ queue }: Runs, notice: StoredNotice): Promise<boolean> {
  const known = await queue.get(runId(notice));
  return known?.state === "waiting" || known?.state === "active";
}

function runId({ _id, run }: StoredNotice): string {
  return `${_id.replaceAll(":", "-")}.${run}`;
}

/** Each postponement doubles the delay, so that a receiver with many waiting notices costs little. */
const deferralMs = [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000];

/** Leaves a notice to a later run, without an attempt. */
export async function postpone(context: Runs, notice: StoredNotice, now: number): Promise<void> {
  const deferrals = notice.deferrals + 1;
  const dueAt = now + delayAfter(deferrals, deferralMs, jitter(Math.random));
  const change = { run: notice.run + 1, dueAt, deferrals };
  const changed = await context.notices.updateMany({ _id: notice._id, run: notice.run }, { $set: change });
  if (changed > 0) await addRun(context, { ...notice, ...change }, now);
}

type Reconciling = Pick<NoticeContext, "queue" | "notices">;

const lateMs = 60_000;
/** A notice may have 256 KB, so a page of 20 has 5 MB at most. */
const pageSize = 20;

/**
 * Queues the runs of late notices that the queue does not know or has finished, so that a stored notice is delivered
 * even if the queue is lost. Several nodes may do this at once.
 */
export async function reconcileNotices(
  context: Reconciling,
  now: number,
  signal: AbortSignal,
): Promise<void> {
  for await (const page of lateNotices(context, now - lateMs, signal)) {
    for (const notice of page) if (!(await isQueued(context, notice))) await addRun(context, notice, now);
    // An embedded store and queue answer without yielding to the event loop.
    await yieldToLoop();
  }
}

/** In order of their due time, by an index; in order of ids, all waiting notices would be read. */
async function* lateNotices(
  { notices }: Reconciling,
  before: number,
  signal: AbortSignal,
): AsyncGenerator<StoredNotice[]> {
  let last = { dueAt: 0, _id: "" };
  while (!signal.aborted) {
    const { dueAt, _id } = last;
    const beyond = { $or: [{ dueAt: { $gt: dueAt } }, { _id: { $gt: _id } }] };
    const query = { dueAt: { $gte: dueAt, $lt: before }, ...beyond };
    const page = await notices.find({ query, sort: ["dueAt", "_id"], limit: pageSize });
    yield page;
    const end = page.at(-1);
    if (!end) return;
    last = end;
  }
}
