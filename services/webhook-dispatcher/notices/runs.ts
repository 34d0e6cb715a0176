import { delayAfter, jitter } from "../../domain/delivery/backoff.ts";
import type { NoticeRoom, StoredNotice } from "./room.ts";

/** A run that our own trouble hinders, not the receiver, is tried again until it comes to its end: for some two years. */
const troubleMs = [1_000, 5_000, 30_000, 60_000];
const troubles = 2 ** 20;
const highestPriority = 2 ** 20;

/**
 * Queues the run that a notice waits for. The first notice of any key goes before the second of another. `ended`: the
 * queue knows that run, and it is over.
 */
export async function addRun(
  { queue, notices }: Pick<NoticeRoom, "queue" | "notices">,
  { _id, keyId, run, dueAt }: StoredNotice,
  now: number,
): Promise<"queued" | "ended"> {
  const others = Math.max((await notices.count({ keyId })) - 1, 0);
  const id = `${_id.replaceAll(":", "-")}.${run}`;
  const isNew = await queue.add({
    id,
    payload: { noticeId: _id, run },
    delayMs: Math.max(dueAt - now, 0),
    priority: Math.min(others, highestPriority),
    attempts: troubles,
    backoffMs: troubleMs,
  });
  if (isNew) return "queued";
  const known = await queue.get(id);
  return known?.state === "completed" || known?.state === "failed" ? "ended" : "queued";
}

/** Each time that a notice is put off it waits twice as long: a receiver with many that wait costs little. */
const deferralMs = [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000];

/** Leaves a notice to a later run, without an attempt. */
export async function putOff(room: NoticeRoom, notice: StoredNotice, now: number): Promise<void> {
  const deferrals = notice.deferrals + 1;
  const dueAt = now + delayAfter(deferrals, deferralMs, jitter(Math.random));
  const change = { run: notice.run + 1, dueAt, deferrals };
  const changed = await room.notices.updateMany({ _id: notice._id, run: notice.run }, { $set: change });
  if (changed > 0) await addRun(room, { ...notice, ...change }, now);
}
