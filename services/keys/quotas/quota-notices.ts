import { createHash } from "node:crypto";
import type { EventLog, NewEvent } from "../../../mixins/event-log/event-log.ts";
import type { QuotaNotice } from "../../domain/quota/counts.ts";

/** Appends notices to the log of the key that they are about. */
export async function notifyKey(
  log: EventLog,
  keyId: string,
  notices: readonly QuotaNotice[],
  now: number,
): Promise<void> {
  await log.append(notices.map(notice => eventOf(keyId, notice, now)));
}

/** The event of a notice: once for each key, quota, period and threshold. */
function eventOf(keyId: string, { type, quota, mark, of }: QuotaNotice, now: number): NewEvent {
  const bodyId = createHash("sha256")
    .update(JSON.stringify([keyId, of, mark]))
    .digest("base64url");
  const { name, period, used, limit, resets_at } = quota;
  return {
    bodyId,
    type,
    timestamp: new Date(now).toISOString(),
    data: { source: null, quota: { name, period, used, limit, resets_at } },
    keyIds: [keyId],
  };
}
