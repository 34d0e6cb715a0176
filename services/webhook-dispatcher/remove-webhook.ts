import { noWebhook } from "./change-webhook.ts";
import { removeDeliveries } from "./remove-deliveries.ts";
import type { WebhookRoom } from "./room.ts";

/** Removes the endpoint of a key; nothing is sent to it any more. */
export async function removeWebhook(room: WebhookRoom, keyId: string): Promise<{ message: string }> {
  if (!(await remove(room, keyId))) throw noWebhook();
  return { message: "Webhook removed." };
}

/** The key was deleted: what it leaves behind goes too. */
export async function forgetKey(room: WebhookRoom, keyId: string): Promise<void> {
  await remove(room, keyId);
  await removeDeliveries(room.deliveries, { keyId });
}

async function remove({ journal, dispatcher }: WebhookRoom, keyId: string): Promise<boolean> {
  const removed = await journal.write(keyId, batch => {
    batch.setLane(keyId, null);
    return batch.endpoints.removeById(keyId);
  });
  dispatcher.removed(keyId);
  return removed !== null;
}
