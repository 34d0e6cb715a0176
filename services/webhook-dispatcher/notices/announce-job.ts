import { eventId } from "../../../mixins/log/event-id.ts";
import { codeOf } from "../../contracts/errors.ts";
import type { JobNotice } from "../../contracts/webhook.contract.ts";
import { noticeBody } from "./notice-body.ts";
import type { NoticeRoom, StoredNotice } from "./room.ts";
import { addRun } from "./runs.ts";

/** Keeps a notice and queues its delivery; a notice that is announced again goes out once. */
export async function announceJob(room: NoticeRoom, notice: JobNotice, now: number): Promise<null> {
  const kept = await keep(room, toStored(notice, now));
  if (kept) await addRun(room, kept, now);
  return null;
}

/** Null when it was announced before and is delivered by now. */
async function keep({ notices }: NoticeRoom, notice: StoredNotice): Promise<StoredNotice | null> {
  try {
    return await notices.insert(notice);
  } catch (error) {
    if (codeOf(error) !== "conflict") throw error;
    // Whoever announced it before may have died before it was queued.
    return await notices.findById(notice._id);
  }
}

function toStored({ id, keyId, type, url, headers, ...notice }: JobNotice, now: number): StoredNotice {
  const event = eventId(keyId, id, notice.timestamp);
  return {
    _id: id,
    keyId,
    type,
    eventId: event,
    url,
    headers,
    body: noticeBody(event, { id, keyId, type, url, headers, ...notice }),
    attempts: 0,
    run: 1,
    dueAt: now,
    deferrals: 0,
  };
}
