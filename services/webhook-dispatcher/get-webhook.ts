import { failedSentence } from "./describe-webhook.ts";
import type { WebhookRoom } from "./room.ts";

/** The registered URL; the message tells what its owner has to know of it. */
export async function getWebhook(
  { endpoints, lanes }: Pick<WebhookRoom, "endpoints" | "lanes">,
  keyId: string,
): Promise<{ data: string | null; message?: string }> {
  const endpoint = await endpoints.findById(keyId);
  if (!endpoint) return { data: null, message: "No webhook is registered for this key." };
  const lane = await lanes.findById(keyId);
  return { data: endpoint.url, ...(lane?.status === "FAILED" && { message: failedSentence }) };
}
