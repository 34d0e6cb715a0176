import type { WebhookRoom } from "./room.ts";

/** The registered URL. */
export async function getWebhook(
  { endpoints }: WebhookRoom,
  keyId: string,
): Promise<{ data: string | null; message?: string }> {
  const endpoint = await endpoints.findById(keyId);
  return endpoint
    ? { data: endpoint.url }
    : { data: null, message: "No webhook is registered for this key." };
}
