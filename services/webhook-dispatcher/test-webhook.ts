import { randomUUID } from "node:crypto";
import { eventId } from "../../mixins/log/event-id.ts";
import { noWebhook } from "./change-webhook.ts";
import { unlessFailed } from "./describe-webhook.ts";
import type { WebhookRoom } from "./room.ts";

/** Puts a `webhook.test` event into the key's log, from where it is delivered like any other. */
export async function testWebhook(
  { endpoints, lanes, log }: WebhookRoom,
  keyId: string,
  now: Date,
): Promise<{ data: { event_id: string }; message: string }> {
  if (!(await endpoints.findById(keyId))) throw noWebhook();
  const bodyId = `webhook.test:${randomUUID()}`;
  const timestamp = now.toISOString();
  await log.append([{ bodyId, type: "webhook.test", timestamp, data: { source: null }, keyIds: [keyId] }]);
  const message = unlessFailed(await lanes.findById(keyId), "The test event is on its way.");
  return { data: { event_id: eventId(keyId, bodyId, timestamp) }, message };
}
