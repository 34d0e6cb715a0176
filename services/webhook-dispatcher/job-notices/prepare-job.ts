import { type KeyObject, randomUUID } from "node:crypto";
import { codeOf } from "../../contracts/errors.ts";
import { admitEndpoint } from "../endpoints/admit-address.ts";
import { checkHeaders } from "../endpoints/own-headers.ts";
import type { JobSigner, Signer } from "../webhooks.store.ts";
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
 * Ensures that a key's notices can be signed, with its first endpoint's secret or one of their own, and returns the secret
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
    if (kept?.endpoint?.sealed !== endpoint.sealed)
      await jobSecrets.upsert(keyId, { $set: { endpoint: signerOf(endpoint) } });
    return {};
  }
  if (kept) return {};
  const webhookId = randomUUID();
  const { secret, sealed } = vault.issue({ _id: keyId, webhookId });
  const own = { webhookId, sealed, previousSealed: null, previousUntil: 0 };
  const isFirst = await jobSecrets.insert({ _id: keyId, own }).then(() => true, ifTaken);
  return isFirst ? { secret } : {};
}

/**
 * The keys that sign a key's notices at `now`; none if the key was deleted. What was issued for jobs remains the first, so
 * that receivers of one signature keep what they know, until the endpoint's secret is rotated.
 */
export async function noticeSigningKeys(
  { endpoints, jobSecrets, vault }: Secrets,
  keyId: string,
  now: number,
): Promise<KeyObject[]> {
  const { own, endpoint: removed } = (await jobSecrets.findById(keyId)) ?? {};
  const endpoint = (await endpoints.findById(keyId)) ?? removed;
  const signers = endpoint?.previousSealed ? [endpoint, own] : [own, endpoint];
  return signers.flatMap(signer => (signer ? vault.signingKeys({ ...signer, _id: keyId }, now) : []));
}

function signerOf({ webhookId, sealed, previousSealed, previousUntil, older = [] }: Signer): JobSigner {
  return { webhookId, sealed, previousSealed, previousUntil, older };
}

function ifTaken(error: unknown): false {
  if (codeOf(error) !== "conflict") throw error;
  return false;
}
