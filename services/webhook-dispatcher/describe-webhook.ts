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

export const failedSentence =
  "The webhook is FAILED: nothing is sent, and events are kept for 72 hours. POST or PATCH it to go on.";

/** What is said of a step that makes an endpoint get something: a FAILED one does not. */
export function unlessFailed(lane: Pick<Lane, "status"> | null, message: string): string {
  return lane?.status === "FAILED" ? failedSentence : message;
}
