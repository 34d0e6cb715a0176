import { invalid } from "../contracts/errors.ts";
import { replayAfter } from "../domain/delivery/lane.ts";
import { noWebhook } from "./change-webhook.ts";
import { unlessFailed } from "./describe-webhook.ts";
import type { WebhookRoom } from "./room.ts";

const isoTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/** Delivers again what happened at or after a time, as far as it is kept; dead events too. */
export async function replayWebhook(
  { endpoints, journal, dispatcher, log }: WebhookRoom,
  keyId: string,
  since: string,
  now: number,
): Promise<{ data: { events: number }; message: string }> {
  const time = isoTime.test(since) && isInCalendar(since) ? Date.parse(since) : Number.NaN;
  if (Number.isNaN(time)) throw invalid("since", "dateTime", "Give since as an ISO 8601 time.");
  if (time > now) throw invalid("since", "dateTime", "Give a time in the past as since.");
  const endpoint = await endpoints.findById(keyId);
  if (!endpoint) throw noWebhook();
  const position = await log.positionAt(keyId, new Date(time));
  const { latest } = await log.bounds(keyId);
  const replayed = await journal.write(keyId, batch => {
    const lane = batch.lane(keyId);
    if (lane) batch.setLane(keyId, replayAfter(lane, position));
    return lane;
  });
  if (!replayed) throw noWebhook();
  dispatcher.changed(endpoint);
  const events = Math.max(latest - position, 0);
  return { data: { events }, message: unlessFailed(replayed, "These events are delivered again, in order.") };
}

/** 30 February would be taken for a day of March. */
function isInCalendar(time: string): boolean {
  const day = time.slice(0, 10);
  const ms = Date.parse(day);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}
