import { createHash, randomBytes } from "node:crypto";
import type { Life } from "./blobs.ts";

const hourMs = 3_600_000;
const timedForm = /^([0-9a-z]{9})_[\w-]{32}$/;
const groupedForm = /^g([0-9a-f]{32})_[\w-]{32}$/;

/** A new key: when it expires or what group it is of, and 192 random bits. `now` is Unix time in ms. */
export function makeKey(life: Life, now: number): string {
  const place = "group" in life ? `g${nameOf(life.group)}` : digitsOf(now + life.ttlMs);
  return `${place}_${randomBytes(24).toString("base64url")}`;
}

/** When a key expires (Unix time in ms), infinite for one of a group; null for whatever is no key, paths above all. */
export function expiryOf(key: string): number | null {
  if (groupedForm.test(key)) return Infinity;
  const digits = timedForm.exec(key)?.[1];
  return digits === undefined ? null : Number.parseInt(digits, 36);
}

/** The folder of a key's blob, below the root; null for what is no key. */
export function folderOf(key: string): string | null {
  const group = groupedForm.exec(key)?.[1];
  if (group !== undefined) return `groups/${group}`;
  const expiresAt = expiryOf(key);
  return expiresAt === null ? null : hourOf(expiresAt);
}

export function groupFolderOf(group: string): string {
  return `groups/${nameOf(group)}`;
}

/** The folder of all that expires in the same hour, so that a sweep looks at nothing else. */
export function hourOf(expiresAt: number): string {
  return String(Math.floor(expiresAt / hourMs));
}

/** Keys in the order of their characters; without `from`, from the first one. */
export interface KeyRange {
  from?: string;
  below: string;
}

/** The keys of a group: "`" is the character after "_". */
export function rangeOf(group: string): KeyRange {
  const start = `g${nameOf(group)}`;
  return { from: `${start}_`, below: `${start}\`` };
}

/** Before it stand the keys that have expired at `now` and no others. */
export function firstAfter(now: number): string {
  return digitsOf(Math.floor(now) + 1);
}

/** Lower-case base 36 in nine digits reaches the year 5188. */
function digitsOf(expiresAt: number): string {
  return Math.ceil(expiresAt).toString(36).padStart(9, "0");
}

function nameOf(group: string): string {
  return createHash("sha256").update(group).digest("hex").slice(0, 32);
}
