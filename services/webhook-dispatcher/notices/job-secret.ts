import { type KeyObject, randomUUID } from "node:crypto";
import { codeOf } from "../../contracts/errors.ts";
import type { StoredEndpoint } from "../room.ts";
import type { NoticeRoom } from "./room.ts";

type Secrets = Pick<NoticeRoom, "endpoints" | "jobSecrets" | "vault">;

/**
 * Sees that there is a secret to sign a key's notices with: that of its endpoint, or one of their own. Tells it only when
 * it is new. The endpoint's is kept beside it, for notices that are still to go out when the endpoint is removed.
 */
export async function ensureSecret(
  { endpoints, jobSecrets, vault }: Secrets,
  keyId: string,
): Promise<{ secret?: string }> {
  const kept = await jobSecrets.findById(keyId);
  const endpoint = await endpoints.findById(keyId);
  if (endpoint) {
    if (kept?.sealed !== endpoint.sealed) await jobSecrets.upsert(keyId, { $set: signerOf(endpoint) });
    return {};
  }
  if (kept) return {};
  const identity = { _id: keyId, webhookId: randomUUID() };
  const { secret, sealed } = vault.issue(identity);
  const isFirst = await jobSecrets
    .insert({ ...identity, sealed, previousSealed: null, previousUntil: 0 })
    .then(() => true, ifTaken);
  return isFirst ? { secret } : {};
}

/** The keys that sign a key's notices at this time, newest first; none when the key is gone. */
export async function noticeKeys(
  { endpoints, jobSecrets, vault }: Secrets,
  keyId: string,
  now: number,
): Promise<KeyObject[]> {
  const signer = (await endpoints.findById(keyId)) ?? (await jobSecrets.findById(keyId));
  return signer ? vault.signingKeys(signer, now) : [];
}

function signerOf({ webhookId, sealed, previousSealed, previousUntil, older = [] }: StoredEndpoint) {
  return { webhookId, sealed, previousSealed, previousUntil, older };
}

function ifTaken(error: unknown): false {
  if (codeOf(error) !== "conflict") throw error;
  return false;
}
