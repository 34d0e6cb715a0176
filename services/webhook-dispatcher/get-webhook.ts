import type { WebhookRoom } from "./room.ts";

/** The registered URL; the message tells what its owner has to know of it. */
export async function getWebhook(
  { endpoints, lanes }: Pick<WebhookRoom, "endpoints" | "lanes">,
  keyId: string,
): Promise<{ data: string | null; message?: string }> {
  const endpoint = await endpoints.findById(keyId);
  if (!endpoint) return { data: null, message: "No webhook is registered for this key." };
  const lane = await lanes.findById(keyId);
  if (lane?.status !== "FAILED") return { data: endpoint.url };
  const message =
    "The webhook is FAILED: nothing is sent, and events are kept for 72 hours. POST or PATCH it to go on.";
  return { data: endpoint.url, message };
}
