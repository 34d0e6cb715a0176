import { eventId } from "../../../mixins/log/event-id.ts";
import { codeOf } from "../../contracts/errors.ts";
import type { JobNotice } from "../../contracts/webhook.contract.ts";
import { noticeBody } from "./notice-body.ts";
import type { NoticeRoom, StoredNotice } from "./room.ts";
import { addRun } from "./runs.ts";

/** Keeps a notice and queues its delivery; a notice that is announced again goes out once. */
export async function announceJob(room: NoticeRoom, notice: JobNotice, now: number): Promise<null> {
  const stored = toStored(notice, now);
  await room.notices.insert(stored).catch(error => {
    // Announced before; the one who did so may have died before it was queued.
    if (codeOf(error) !== "conflict") throw error;
  });
  const outcome = await addRun(room, stored, now);
  // It was delivered before, and what was kept of it then is gone.
  if (outcome === "ended") await room.notices.removeMany({ _id: stored._id, run: stored.run });
  return null;
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
