import type { KeyObject } from "node:crypto";
import { logEvent } from "../../../mixins/log/log-events.ts";
import type { Job } from "../../../mixins/queue/queue.ts";
import { delayAfter, jitter, receiverPauseMs } from "../../domain/delivery/backoff.ts";
import { firecrawlSignature, sign } from "../../domain/delivery/signature.ts";
import { withOwnHeaders } from "../endpoints/own-headers.ts";
import { listAlone } from "../journal/attempt-list.ts";
import { type Answer, send } from "../sending/send.ts";
import { type Attempted, attemptLine, type StoredNotice } from "../webhooks.store.ts";
import type { NoticeContext, NoticeRun } from "./context.ts";
import { addRun, postpone } from "./notice-runs.ts";
import { noticeSigningKeys } from "./prepare-job.ts";

type StartOfRun = Pick<Job<NoticeRun, null>, "payload" | "starts">;

/** Runs a notice once: one attempt, unless its key has reached its limit. */
export async function runNotice(context: NoticeContext, { payload, starts }: StartOfRun): Promise<null> {
  const notice = await noticeForRun(context, payload);
  if (!notice) return null;
  if (context.perKeyLimit.tryTake(notice.keyId))
    await attempt(context, notice, starts).finally(() => context.perKeyLimit.release(notice.keyId));
  else await postpone(context, notice, Date.now());
  return null;
}

/** Leaves a notice to a later run after the process died twice during this one; the notice may not be the cause. */
export async function postponeRun(context: NoticeContext, wanted: NoticeRun): Promise<void> {
  const notice = await noticeForRun(context, wanted);
  if (notice) await postpone(context, notice, Date.now());
}

/** The notice that waits for this run; null if it was delivered, its key was deleted, or the run is over. */
async function noticeForRun(
  context: NoticeContext,
  { noticeId, run }: NoticeRun,
): Promise<StoredNotice | null> {
  const notice = await context.notices.findById(noticeId);
  if (!notice || notice.run === run) return notice;
  // An earlier start of this run finished, but may have crashed before it queued the next run.
  await addRun(context, notice, Date.now());
  return null;
}

async function attempt(context: NoticeContext, notice: StoredNotice, starts: number): Promise<void> {
  const started = Date.now();
  if (starts > 1 && !(await recordStart(context, notice, started))) return;
  const keys = await noticeSigningKeys(context, notice.keyId, started);
  if (keys.length === 0) {
    // The key was deleted while the job ran.
    await context.notices.remove(notice._id);
    return;
  }
  const answer = await send(context.agent, requestOf(context, notice, keys, started));
  await recordAttempt(context, notice, answer, { started, ended: Date.now() });
}

/**
 * An earlier start may have sent the notice without recording it. So nothing is sent again until the store can be
 * written; false when the run is over.
 */
async function recordStart(
  { notices }: NoticeContext,
  { _id, run }: StoredNotice,
  now: number,
): Promise<boolean> {
  return (await notices.updateMany({ _id, run }, { $set: { dueAt: now } })) > 0;
}

function requestOf(
  { vault }: NoticeContext,
  { _id, url, sealedHeaders, traceparent, eventId, body, format }: StoredNotice,
  keys: KeyObject[],
  now: number,
) {
  const headers = sealedHeaders === undefined ? {} : vault.unsealHeaders(_id, sealedHeaders);
  const timestamp = Math.floor(now / 1000);
  return {
    url: new URL(url),
    body,
    headers: withOwnHeaders(headers, {
      "content-type": "application/json",
      "webhook-id": eventId,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": sign(keys, eventId, timestamp, body),
      ...(format === "firecrawl" && { "x-firecrawl-signature": firecrawlSignature(keys, body) }),
      ...(traceparent && { traceparent }),
    }),
  };
}

const maxAttempts = 5;

/** Removes the notice or queues its next run, and lists the attempt. Does nothing if another run has done so. */
async function recordAttempt(
  context: NoticeContext,
  notice: StoredNotice,
  answer: Answer,
  times: { started: number; ended: number },
): Promise<void> {
  const made = attemptOf(notice, answer, times);
  const delayMs = delayAfter(made.attempt, context.schedule, jitter(Math.random));
  const dueAt = times.ended + Math.max(delayMs, receiverPauseMs(answer.retryAfter, times.ended));
  const next = { attempts: made.attempt, run: notice.run + 1, dueAt, deferrals: 0 };
  let isOurs = false;
  await context.notices.change(notice._id, current => {
    isOurs = current?.run === notice.run;
    if (!current || !isOurs) return undefined;
    return made.outcome === "failed" ? { ...current, ...next } : null;
  });
  if (!isOurs) return;
  // If the process dies here the list lacks this attempt, and the next start of the run queues the next run.
  await listAlone(context.deliveries, made);
  const line = attemptLine(made);
  context.onAttempted(made);
  logEvent(context.logger, "notice.attempted", line);
  if (made.outcome === "dead") logEvent(context.logger, "notice.abandoned", line);
  if (made.outcome === "failed") await addRun(context, { ...notice, ...next }, times.ended);
}

function attemptOf(
  { keyId, eventId, type, url, attempts }: StoredNotice,
  { status, error, text }: Answer,
  { started, ended }: { started: number; ended: number },
): Attempted {
  const attempt = attempts + 1;
  const isLast = attempt >= maxAttempts || status === 404 || status === 410;
  const outcome = error === null ? "succeeded" : isLast ? "dead" : "failed";
  return {
    keyId,
    event_id: eventId,
    type,
    url,
    attempt,
    outcome,
    http_status: status,
    error,
    duration_ms: ended - started,
    answer: text,
    startedAt: started,
  };
}
