import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  type KeyObject,
  sign as signWith,
} from "node:crypto";

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

/** The start of an Ed25519 private key in PKCS #8 (RFC 8410, 7); 32 bytes of seed follow. */
const pkcs8 = Buffer.from("302e020100300506032b657004220420", "hex");

/** The Ed25519 key pair of 32 bytes, as the key that signs. */
export function privateKeyOf(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: "der", type: "pkcs8" });
}

/** The public half of such a key as Standard Webhooks writes it: `whpk_` and base64 of its 32 bytes. */
export function publicKeyOf(key: KeyObject): string {
  const { x = "" } = createPublicKey(key).export({ format: "jwk" });
  return `whpk_${Buffer.from(x, "base64url").toString("base64")}`;
}

/**
 * The value of `webhook-signature` over `id.timestamp.body` (standardwebhooks.com), newest first: `v1,<base64>` for each
 * secret key (HMAC-SHA256), `v1a,<base64>` for each private one (Ed25519). `timestamp` is in whole seconds.
 */
export function sign(
  keys: readonly KeyObject[],
  id: string,
  timestamp: number,
  body: string | Uint8Array,
): string {
  const before = `${id}.${timestamp}.`;
  const signed = (key: KeyObject) =>
    key.type === "private"
      ? `v1a,${signWith(null, Buffer.concat([Buffer.from(before), Buffer.from(body)]), key).toString("base64")}`
      : `v1,${createHmac("sha256", key).update(before).update(body).digest("base64")}`;
  return keys.map(signed).join(" ");
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
