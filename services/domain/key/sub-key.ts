import { createSecretKey, hkdfSync, type KeyObject } from "node:crypto";

/**
 * A 256-bit key for one purpose, from the master secret (HKDF-SHA256, RFC 5869). The label names purpose and version,
 * for example `keys/lookup/v1`.
 */
export function subKey(masterSecret: string, label: string): Buffer {
  return Buffer.from(hkdfSync("sha256", masterSecret, "", `magpie/${label}`, 32));
}

/** The same as `seal` takes it, set up once: with raw bytes it takes four times as long. */
export function sealingKey(masterSecret: string, label: string): KeyObject {
  return createSecretKey(subKey(masterSecret, label));
}
