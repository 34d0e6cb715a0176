import { action, repeatable } from "./action.ts";
import { type SourceKind, sourceKinds } from "./source.ts";

/** What a hub asks at the callback (W3C WebSub, 5.3); the names are the Recommendation's. */
export interface IntentQuery {
  /** Names the subscription; nobody but its hub knows it. */
  token: string;
  "hub.mode": string;
  "hub.topic": string;
  "hub.challenge"?: string;
  "hub.lease_seconds"?: number;
}

/** Content that a hub distributes (W3C WebSub, 7). */
export interface HubDelivery {
  token: string;
  /** `X-Hub-Signature`. */
  signature?: string;
  /** The bytes as they came, in base64. */
  body: string;
}

const token = { type: "string", min: 1, max: 128 };

/** Answers the challenge of a hub that was asked; 404 for any other. */
export const verifyIntent = repeatable<IntentQuery, string>("connectors.verifyIntent", {
  token,
  "hub.mode": { type: "string", max: 32 },
  "hub.topic": { type: "string", max: 4096 },
  "hub.challenge": { type: "string", max: 4096, optional: true },
  "hub.lease_seconds": { type: "number", min: 0, optional: true },
});

/**
 * Takes what a hub sends as a hint to read the feed. Ignored without a good signature, as the Recommendation wants; 410
 * tells the hub that there is no such subscription.
 */
export const receiveDelivery = action<HubDelivery, null>("connectors.receiveDelivery", {
  $$strict: true,
  token,
  signature: { type: "string", max: 512, optional: true },
  body: { type: "string" },
});

/** Ends what is kept up for a source that nobody tracks any more. */
export const letGo = repeatable<{ kind: SourceKind; externalId: string }, null>("connectors.letGo", {
  $$strict: true,
  kind: { type: "enum", values: [...sourceKinds] },
  externalId: { type: "string", min: 1, max: 2048 },
});
