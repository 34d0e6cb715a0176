import { WebhookVerificationError } from "./errors.ts";
import type { WebhookBody } from "./types.ts";

/** Headers of the Fetch API, or of a Node server. */
export type HeadersLike = Headers | Record<string, string | string[] | undefined>;

export interface VerifyOptions {
  /** Seconds that the timestamp may differ from now. 300 by default. */
  toleranceSeconds?: number | undefined;
}

/**
 * Verifies a delivery by Standard Webhooks 1.0 and returns its body. `body` is the body as it arrived. Several secrets may be
 * given while one is being replaced. Throws a WebhookVerificationError unless one of them signed the delivery.
 */
export async function verifyWebhook(
  secret: string | readonly string[],
  headers: HeadersLike,
  body: string | Uint8Array,
  { toleranceSeconds = 300 }: VerifyOptions = {},
): Promise<WebhookBody> {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(name =>
    headerOf(headers, name),
  ) as [string, string, string];
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds))
    throw new WebhookVerificationError("The delivery is too old, or its timestamp is not one.");
  const bytes = typeof body === "string" ? encode(body) : body;
  const signed = Uint8Array.from([...encode(`${id}.${timestamp}.`), ...bytes]);
  const given = signatures.split(" ").flatMap(each => (each.startsWith("v1,") ? [each.slice(3)] : []));
  for (const one of typeof secret === "string" ? [secret] : secret)
    if (await isSignedBy(one, signed, given)) return parsed(new TextDecoder().decode(bytes));
  throw new WebhookVerificationError("No signature of the delivery is right.");
}

async function isSignedBy(
  secret: string,
  signed: Uint8Array<ArrayBuffer>,
  signatures: string[],
): Promise<boolean> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ""));
  if (!bytes?.length) throw new TypeError("The secret of a webhook is `whsec_` and base64.");
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, [
    "verify",
  ]);
  const results = signatures.map(async signature => {
    const given = bytesOf(signature);
    return given !== undefined && (await crypto.subtle.verify("HMAC", key, given, signed));
  });
  return (await Promise.all(results)).includes(true);
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function headerOf(headers: HeadersLike, name: string): string {
  const found = headers instanceof Headers ? headers.get(name) : namedIn(headers, name);
  const value = Array.isArray(found) ? found[0] : found;
  if (!value) throw new WebhookVerificationError(`The delivery has no header \`${name}\`.`);
  return value;
}

/** Finds a header by its name. Node writes names in lower case; other servers may not. */
function namedIn(headers: Record<string, string | string[] | undefined>, name: string) {
  const [, value] = Object.entries(headers).find(([each]) => each.toLowerCase() === name) ?? [];
  return value;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function parsed(text: string): WebhookBody {
  try {
    return JSON.parse(text) as WebhookBody;
  } catch (cause) {
    throw new WebhookVerificationError("The body of the delivery is not JSON.", { cause });
  }
}
