import { createHmac, type KeyObject, randomBytes } from "node:crypto";
import { generateSecret, privateKeyOf, publicKeyOf, signingKey } from "../../domain/delivery/signature.ts";
import { seal, sealingKey, subKey, unseal } from "../../domain/key/seal.ts";
import type { ReplacedSecret, Signer, StoredEndpoint } from "../webhooks.store.ts";

/** Encrypts and decrypts signing secrets and headers. */
export interface Vault {
  /** A new secret, and its encrypted form for this endpoint. */
  issue(endpoint: Pick<StoredEndpoint, "_id" | "webhookId">): { secret: string; sealed: string };
  reveal(endpoint: Signer): string;
  /** The keys that sign at `now`, newest first: secret ones, and after them the private ones, where the owner wants both. */
  signingKeys(endpoint: Signer, now: number): KeyObject[];
  /** The public halves of the keys that an endpoint signs with at `now`, newest first; none where it has no pairs. */
  publicKeys(endpoint: Signer, now: number): string[];
  /** Encrypts the headers of a job's notice, or of a webhook, for the one with this id. */
  sealHeaders(id: string, headers: Record<string, string>): string;
  unsealHeaders(id: string, sealed: string): Record<string, string>;
  /** Encrypts the secrets of a destination, for the webhook with this id. */
  sealDestination(id: string, secrets: Record<string, string>): string;
  unsealDestination(id: string, sealed: string): Record<string, string>;
}

export function openVault(masterSecret: string): Vault {
  const key = sealingKey(masterSecret, "webhook/secret/v1");
  const headersKey = sealingKey(masterSecret, "webhook/headers/v1");
  const destinationKey = sealingKey(masterSecret, "webhook/destination/v1");
  const pairsKey = subKey(masterSecret, "webhook/ed25519/v1");
  const reveal = (sealed: string, { _id, webhookId }: Signer) => unseal(key, sealed, [_id, webhookId]);
  const secretsOf = (endpoint: Signer, now: number) =>
    [endpoint, ...replacedSecrets(endpoint, now)].map(({ sealed }) => reveal(sealed, endpoint));
  // Each secret has its pair, so that both are replaced together; who has the secret alone cannot sign.
  const pairOf = (secret: string) => privateKeyOf(createHmac("sha256", pairsKey).update(secret).digest());
  return {
    issue: ({ _id, webhookId }) => {
      const secret = generateSecret(randomBytes);
      return { secret, sealed: seal(key, secret, [_id, webhookId], randomBytes(12)) };
    },
    reveal: endpoint => reveal(endpoint.sealed, endpoint),
    signingKeys: (endpoint, now) => {
      const secrets = secretsOf(endpoint, now);
      return [...secrets.map(signingKey), ...(endpoint.asymmetric ? secrets.map(pairOf) : [])];
    },
    publicKeys: (endpoint, now) =>
      endpoint.asymmetric ? secretsOf(endpoint, now).map(secret => publicKeyOf(pairOf(secret))) : [],
    sealHeaders: (id, headers) => seal(headersKey, JSON.stringify(headers), [id], randomBytes(12)),
    unsealHeaders: (id, sealed) => JSON.parse(unseal(headersKey, sealed, [id])),
    sealDestination: (id, secrets) => seal(destinationKey, JSON.stringify(secrets), [id], randomBytes(12)),
    unsealDestination: (id, sealed) => JSON.parse(unseal(destinationKey, sealed, [id])),
  };
}

/** The headers that an endpoint's owner has given. */
export function ownHeadersOf(
  vault: Pick<Vault, "unsealHeaders">,
  { webhookId, sealedHeaders }: StoredEndpoint,
): Record<string, string> {
  return sealedHeaders ? vault.unsealHeaders(webhookId, sealedHeaders) : {};
}

/** The replaced secrets that still sign at `now`, newest first. */
export function replacedSecrets(
  { previousSealed, previousUntil, older = [] }: Signer,
  now: number,
): ReplacedSecret[] {
  const previous = previousSealed ? [{ sealed: previousSealed, until: previousUntil }] : [];
  return [...previous, ...older].filter(({ until }) => now < until);
}
