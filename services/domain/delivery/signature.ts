import { createHmac, createSecretKey, type KeyObject } from "node:crypto";

const prefix = "whsec_";

/** A signing secret in the format of Standard Webhooks: `whsec_` and base64 of 32 unpredictable bytes. */
export function generateSecret(random: (size: number) => Uint8Array): string {
  return prefix + Buffer.from(random(32)).toString("base64");
}

/** The key of a secret, created once: signing with raw bytes takes six times as long. */
export function signingKey(secret: string): KeyObject {
  if (!secret.startsWith(prefix)) throw new TypeError("A webhook secret begins with whsec_");
  return createSecretKey(secret.slice(prefix.length), "base64");
}

/**
 * The value of `webhook-signature`: one `v1,<base64>` for each key, newest first, over `id.timestamp.body` (HMAC-SHA256;
 * standardwebhooks.com). `timestamp` is in whole seconds.
 */
export function sign(
  keys: readonly KeyObject[],
  id: string,
  timestamp: number,
  body: string | Uint8Array,
): string {
  const before = `${id}.${timestamp}.`;
  return keys
    .map(key => `v1,${createHmac("sha256", key).update(before).update(body).digest("base64")}`)
    .join(" ");
}

/**
 * The value of `x-firecrawl-signature` over a body: `sha256=` and the HMAC-SHA256 in hex. Its key is the secret as a text,
 * `whsec_` included, as receivers of Firecrawl's webhooks have it. The header holds one signature: that of the newest key.
 */
export function firecrawlSignature([newest]: readonly KeyObject[], body: string | Uint8Array): string {
  if (!newest) throw new TypeError("A signature needs a key");
  const secret = prefix + newest.export().toString("base64");
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}
