import { randomBytes } from "node:crypto";

const hourMs = 3_600_000;
const form = /^([0-9a-z]{9})_[\w-]{32}$/;

/** A new key: when it expires, and 192 random bits. Lower-case base 36 in nine digits reaches the year 5188. */
export function makeKey(expiresAt: number): string {
  return `${expiresAt.toString(36).padStart(9, "0")}_${randomBytes(24).toString("base64url")}`;
}

/** When a key expires (Unix time in ms); null for whatever is no key, paths above all. */
export function expiryOf(key: string): number | null {
  const digits = form.exec(key)?.[1];
  return digits === undefined ? null : Number.parseInt(digits, 36);
}

/** The folder of all that expires in the same hour, so that a sweep looks at nothing else. */
export function folderOf(expiresAt: number): string {
  return String(Math.floor(expiresAt / hourMs));
}
