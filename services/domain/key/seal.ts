import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject } from "node:crypto";

const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts a text so that only the holder of the key can read or change it (AES-256-GCM, NIST SP 800-38D). Decryption
 * needs the same `context`; `nonce` is 12 random bytes, never used twice. Form: `v1.<base64url>`.
 */
export function seal(key: KeyObject, text: string, context: string[], nonce: Uint8Array): string {
  if (nonce.length !== nonceBytes) throw new RangeError(`The nonce has ${nonceBytes} bytes`);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(additionalData(context));
  const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `v1.${sealed.toString("base64url")}`;
}

/** Decrypts a text. Throws when it was sealed with another key or context, or was changed. */
export function unseal(key: KeyObject, sealed: string, context: string[]): string {
  if (!sealed.startsWith("v1.")) throw new Error("Sealed in a form that this version does not know");
  const bytes = Buffer.from(sealed.slice(3), "base64url");
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes))
    .setAAD(additionalData(context))
    .setAuthTag(bytes.subarray(-tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString();
}

/** JSON, since joined strings could be split differently. */
function additionalData(context: string[]): Buffer {
  return Buffer.from(JSON.stringify(context));
}

/**
 * A 256-bit key for one purpose, from the master secret (HKDF-SHA256, RFC 5869). The label names purpose and version,
 * for example `keys/lookup/v1`.
 */
export function subKey(masterSecret: string, label: string): Buffer {
  return Buffer.from(hkdfSync("sha256", masterSecret, "", `magpie/${label}`, 32));
}

/** Makes the key in the form for `seal`, once: raw bytes take four times as long. */
export function sealingKey(masterSecret: string, label: string): KeyObject {
  return createSecretKey(subKey(masterSecret, label));
}
