import type { Webhook } from "../contracts/webhook.contract.ts";
import type { Lane } from "../domain/delivery/lane.ts";
import type { StoredEndpoint } from "./room.ts";

/** A webhook as its owner sees it, but for the key's value, which this room does not know. */
export type Described = Omit<Webhook, "apiKey">;

export function describeWebhook(
  { webhookId, name, url }: StoredEndpoint,
  { status }: Pick<Lane, "status">,
): Described {
  return { id: webhookId, name, url, status };
}
