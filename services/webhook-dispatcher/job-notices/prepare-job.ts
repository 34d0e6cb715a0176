import { type KeyObject, randomUUID } from "node:crypto";
import { codeOf } from "../../contracts/errors.ts";
import { admitEndpoint } from "../endpoints/endpoints.ts";
import { checkHeaders } from "../endpoints/own-headers.ts";
import type { StoredEndpoint } from "../webhooks.store.ts";
import type { NoticeContext } from "./context.ts";

/** Checks the URL and the headers of a job's webhook. Returns the secret that signs its notices if it is new. */
export async function prepareJob(
  context: NoticeContext,
  { keyId, url, headers = {} }: { keyId: string; url: string; headers?: Record<string, string> },
): Promise<{ secret?: string }> {
  admitEndpoint(context, url, "webhook.url");
  checkHeaders(headers, "webhook.headers");
  return await ensureJobSecret(context, keyId);
}

type Secrets = Pick<NoticeContext, "endpoints" | "jobSecrets" | "vault">;

/**
 * Ensures that a key's notices can be signed, with its endpoint's secret or one of their own, and returns the secret
 * only when it is new. A copy of the endpoint's secret is kept for notices that are sent after the endpoint was
 * removed.
 */
async function ensureJobSecret(
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

/** The keys that sign a key's notices at `now`, newest first; none if the key was deleted. */
export async function noticeSigningKeys(
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
