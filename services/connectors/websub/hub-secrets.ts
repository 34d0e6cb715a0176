import { randomBytes } from "node:crypto";
import { seal, unseal } from "../../domain/key/seal.ts";
import { sealingKey } from "../../domain/key/sub-key.ts";

/** The secrets that hubs sign with; at rest they are sealed. */
export interface HubSecrets {
  /** A new secret, sealed for this subscription. */
  issue(token: string, topic: string): string;
  reveal(subscription: { _id: string; topic: string; sealed: string }): string;
}

export function openHubSecrets(masterSecret: string): HubSecrets {
  const key = sealingKey(masterSecret, "websub/secret/v1");
  return {
    issue: (token, topic) =>
      seal(key, randomBytes(32).toString("base64url"), [token, topic], randomBytes(12)),
    reveal: ({ _id, topic, sealed }) => unseal(key, sealed, [_id, topic]),
  };
}
