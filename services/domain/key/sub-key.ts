import { hkdfSync } from "node:crypto";

/**
 * A 256-bit key for one purpose, from the master secret (HKDF-SHA256, RFC 5869). The label names purpose and version,
 * for example `keys/lookup/v1`.
 */
export function subKey(masterSecret: string, label: string): Buffer {
  return Buffer.from(hkdfSync("sha256", masterSecret, "", `magpie/${label}`, 32));
}
