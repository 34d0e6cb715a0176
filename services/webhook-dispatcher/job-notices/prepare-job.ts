import { type KeyObject, randomUUID } from "node:crypto";
import { codeOf, invalid } from "../../contracts/errors.ts";
import { admitEndpoint } from "../endpoints/endpoints.ts";
import type { StoredEndpoint } from "../webhooks.store.ts";
import type { NoticeContext } from "./context.ts";

/** Checks the URL and the headers of a job's webhook. Returns the secret that signs its notices if it is new. */
export async function prepareJob(
  context: NoticeContext,
  { keyId, url, headers = {} }: { keyId: string; url: string; headers?: Record<string, string> },
): Promise<{ secret?: string }> {
  admitEndpoint(context, url, "webhook.url");
  checkHeaders(headers);
  return await ensureJobSecret(context, keyId);
}

const maxHeaders = 50;
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const controlCharacter = /[^\t\x20-\x7e\x80-\xff]/;
/** Headers of the connection (RFC 9110, 7.6.1), of the content, or of the signature. */
const ours =
  /^(host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|proxy-.*|content-.*|webhook-.*)$/i;

/** Checks the headers that a job adds to its deliveries; throws a 400 that names the first wrong one. */
function checkHeaders(headers: Record<string, string>): void {
  const entries = Object.entries(headers);
  if (entries.length > maxHeaders)
    throw invalid("webhook.headers", "too_many", `Give at most ${maxHeaders} headers.`);
  for (const [name, value] of entries) {
    const field = `webhook.headers.${name.slice(0, 100)}`;
    if (!token.test(name)) throw invalid(field, "invalid_name", "This is not a valid header name.");
    if (ours.test(name))
      throw invalid(field, "forbidden_header", "The service sets this header itself: leave it out.");
    if (controlCharacter.test(value))
      throw invalid(field, "invalid_value", "A header value must not contain control characters.");
  }
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
