import type { KeyObject } from "node:crypto";
import { randomBytes } from "node:crypto";
import { generateSecret, signingKey } from "../domain/delivery/signature.ts";
import { seal, unseal } from "../domain/key/seal.ts";
import { sealingKey } from "../domain/key/sub-key.ts";
import type { ReplacedSecret, StoredEndpoint } from "./room.ts";

/** Whose secret it is, and what is kept of it. */
export type Signer = Pick<
  StoredEndpoint,
  "_id" | "webhookId" | "sealed" | "previousSealed" | "previousUntil" | "older"
>;

/** All that is done with signing secrets at rest. */
export interface Vault {
  /** A new secret, and its sealed form for this endpoint. */
  issue(endpoint: Pick<StoredEndpoint, "_id" | "webhookId">): { secret: string; sealed: string };
  reveal(endpoint: Signer): string;
  /** The keys that sign at this time, newest first. */
  signingKeys(endpoint: Signer, now: number): KeyObject[];
}

export function openVault(masterSecret: string): Vault {
  const key = sealingKey(masterSecret, "webhook/secret/v1");
  const reveal = (sealed: string, { _id, webhookId }: Signer) => unseal(key, sealed, [_id, webhookId]);
  return {
    issue: ({ _id, webhookId }) => {
      const secret = generateSecret(randomBytes);
      return { secret, sealed: seal(key, secret, [_id, webhookId], randomBytes(12)) };
    },
    reveal: endpoint => reveal(endpoint.sealed, endpoint),
    signingKeys: (endpoint, now) => {
      const all = [endpoint, ...replacedSecrets(endpoint, now)];
      return all.map(({ sealed }) => signingKey(reveal(sealed, endpoint)));
    },
  };
}

/** The replaced secrets that sign at this time, newest first. */
export function replacedSecrets(
  { previousSealed, previousUntil, older = [] }: Signer,
  now: number,
): ReplacedSecret[] {
  const previous = previousSealed ? [{ sealed: previousSealed, until: previousUntil }] : [];
  return [...previous, ...older].filter(({ until }) => now < until);
}
