import type { KeyObject } from "node:crypto";
import type { Job } from "../../../mixins/queue/queue.ts";
import { sign } from "../../domain/delivery/signature.ts";
import { send } from "../engine/send.ts";
import { noticeKeys } from "./job-secret.ts";
import type { NoticeRoom, NoticeRun, StoredNotice } from "./room.ts";
import { addRun, putOff } from "./runs.ts";
import { settleNotice } from "./settle-notice.ts";

type StartOfRun = Pick<Job<NoticeRun, null>, "payload" | "starts">;

/** One run of a notice: one attempt, unless its key has as many under way as it may. */
export async function runNotice(room: NoticeRoom, { payload, starts }: StartOfRun): Promise<null> {
  const notice = await standing(room, payload);
  if (!notice) return null;
  if (room.places.take(notice.keyId))
    await attempt(room, notice, starts).finally(() => room.places.giveBack(notice.keyId));
  else await putOff(room, notice, Date.now());
  return null;
}

/** Leaves a notice to a later run: the process died twice while it was at work on this one, which need not be to blame. */
export async function passOver(room: NoticeRoom, wanted: NoticeRun): Promise<void> {
  const notice = await standing(room, wanted);
  if (notice) await putOff(room, notice, Date.now());
}

/** The notice that waits for this run; null when it is delivered, or its key was deleted, or the run is over. */
async function standing(room: NoticeRoom, { noticeId, run }: NoticeRun): Promise<StoredNotice | null> {
  const notice = await room.notices.findById(noticeId);
  if (!notice || notice.run === run) return notice;
  // An earlier start of this run came to its end, but may have died before it queued the next one.
  await addRun(room, notice, Date.now());
  return null;
}

async function attempt(room: NoticeRoom, notice: StoredNotice, starts: number): Promise<void> {
  const started = Date.now();
  if (starts > 1 && !(await recordStart(room, notice, started))) return;
  const keys = await noticeKeys(room, notice.keyId, started);
  if (keys.length === 0) {
    // The key was deleted while the job went on.
    await room.notices.remove(notice._id);
    return;
  }
  const answer = await send(room.agent, requestOf(notice, keys, started));
  await settleNotice(room, notice, answer, { started, ended: Date.now() });
}

/**
 * An earlier start may have sent the notice and failed to record what came of it. So nothing is sent again before
 * something can be recorded; false when the run is over.
 */
async function recordStart(
  { notices }: NoticeRoom,
  { _id, run }: StoredNotice,
  now: number,
): Promise<boolean> {
  return (await notices.updateMany({ _id, run }, { $set: { dueAt: now } })) > 0;
}

function requestOf({ url, headers, eventId, body }: StoredNotice, keys: KeyObject[], now: number) {
  const timestamp = Math.floor(now / 1000);
  const added = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    url: new URL(url),
    body,
    headers: {
      "user-agent": "Magpie/0.1",
      ...Object.fromEntries(added),
      "content-type": "application/json",
      "webhook-id": eventId,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": sign(keys, eventId, timestamp, body),
    },
  };
}
