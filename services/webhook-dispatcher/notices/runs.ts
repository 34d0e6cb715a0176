import { delayAfter, jitter } from "../../domain/delivery/backoff.ts";
import type { NoticeRoom, StoredNotice } from "./room.ts";

type Runs = Pick<NoticeRoom, "queue" | "notices">;

/** A run that our own trouble hinders, not the receiver, is tried again until it comes to its end: for some two years. */
const troubleMs = [1_000, 5_000, 30_000, 60_000];
const troubles = 2 ** 20;
const highestPriority = 2 ** 20;

/**
 * Sees that the queue has the run which a notice waits for. The first notice of any key goes before the second of
 * another. A notice whose run has failed goes on with the next one; one whose run is complete went out before it was
 * announced again, and goes.
 */
export async function addRun(room: Runs, notice: StoredNotice, now: number): Promise<void> {
  const { _id, keyId, run, dueAt } = notice;
  const others = Math.max((await room.notices.count({ keyId })) - 1, 0);
  const isNew = await room.queue.add({
    id: runId(notice),
    payload: { noticeId: _id, run },
    delayMs: Math.max(dueAt - now, 0),
    priority: Math.min(others, highestPriority),
    attempts: troubles,
    backoffMs: troubleMs,
  });
  if (isNew) return;
  const known = await room.queue.get(runId(notice));
  if (known?.state === "failed") await putOff(room, notice, now);
  if (known?.state === "completed") await room.notices.removeMany({ _id, run });
}

/** Whether the queue has that run, and has not ended it. */
export async function isQueued({ queue }: Runs, notice: StoredNotice): Promise<boolean> {
  const known = await queue.get(runId(notice));
  return known?.state === "waiting" || known?.state === "active";
}

function runId({ _id, run }: StoredNotice): string {
  return `${_id.replaceAll(":", "-")}.${run}`;
}

/** Each time that a notice is put off it waits twice as long: a receiver with many that wait costs little. */
const deferralMs = [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000];

/** Leaves a notice to a later run, without an attempt. */
export async function putOff(room: Runs, notice: StoredNotice, now: number): Promise<void> {
  const deferrals = notice.deferrals + 1;
  const dueAt = now + delayAfter(deferrals, deferralMs, jitter(Math.random));
  const change = { run: notice.run + 1, dueAt, deferrals };
  const changed = await room.notices.updateMany({ _id: notice._id, run: notice.run }, { $set: change });
  if (changed > 0) await addRun(room, { ...notice, ...change }, now);
}
