import { monotonicFactory } from "ulid";
import { delayAfter, jitter } from "../../domain/delivery/backoff.ts";
import { retryAfterMs } from "../../domain/delivery/retry-after.ts";
import type { Answer } from "../engine/send.ts";
import { deliveriesCollection, failedAs, type StoredDelivery } from "../room.ts";
import { type NoticeRoom, noticesCollection, type StoredNotice } from "./room.ts";
import { addRun } from "./runs.ts";

const maxAttempts = 5;
const newId = monotonicFactory();

/** Lists an attempt and ends the notice or queues its next run. Nothing, when another run has done so. */
export async function settleNotice(
  room: NoticeRoom,
  notice: StoredNotice,
  answer: Answer,
  times: { started: number; ended: number },
): Promise<void> {
  const delivery = deliveryOf(notice, answer, times);
  const wait = delayAfter(delivery.attempt, room.schedule, jitter(Math.random));
  const dueAt = times.ended + Math.max(wait, retryAfterMs(answer.retryAfter, times.ended));
  const next = { attempts: delivery.attempt, run: notice.run + 1, dueAt, deferrals: 0 };
  const isOurs = await room.notices.transaction(transaction => {
    const notices = transaction.collection<StoredNotice>(noticesCollection);
    if (notices.findById(notice._id)?.run !== notice.run) return false;
    transaction.collection<StoredDelivery>(deliveriesCollection).insert(delivery);
    if (delivery.outcome === "failed") notices.updateById(notice._id, { $set: next });
    else notices.removeById(notice._id);
    return true;
  });
  if (!isOurs) return;
  const { answer: _text, failedAs: _failedAs, ...line } = delivery;
  room.logger.debug("notice.attempted", line);
  if (delivery.outcome === "dead") room.logger.info("notice.dead", line);
  if (delivery.outcome === "failed") await addRun(room, { ...notice, ...next }, times.ended);
}

function deliveryOf(
  { keyId, eventId, type, attempts }: StoredNotice,
  { status, error, text }: Answer,
  { started, ended }: { started: number; ended: number },
): StoredDelivery {
  const attempt = attempts + 1;
  const isLast = attempt >= maxAttempts || status === 404 || status === 410;
  const outcome = error === null ? "succeeded" : isLast ? "dead" : "failed";
  return {
    _id: newId(ended),
    keyId,
    event_id: eventId,
    type,
    attempt,
    outcome,
    ...failedAs(outcome),
    http_status: status,
    error,
    duration_ms: ended - started,
    answer: text,
    at: new Date(started).toISOString(),
  };
}
