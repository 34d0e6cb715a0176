import { createHash, randomBytes } from "node:crypto";
import type { Readable } from "node:stream";

export type BlobMeta = {
  /** Who may read it. */
  owner: string;
  contentType: string;
} & Life;

/**
 * How long a blob lives: for a time, or until it or the group that it belongs to is removed. A `key` of a group, made by
 * `keyInGroup`, lets its owner note the blob before it is there; each key is put once.
 */
type Life = { ttlMs: number } | { group: string } | { key: string };

export interface OpenBlob {
  contentType: string;
  /** Bytes. */
  size: number;
  body: Readable;
}

/** Binary results and records that live for a time, or until they are removed. */
export interface Blobs {
  /** Returns the blob's key: opaque, unguessable, of letters, digits, `-` and `_`. Durable once resolved. */
  put(bytes: Uint8Array, meta: BlobMeta): Promise<string>;
  /** Null for a key that is unknown, expired or of another owner. The caller reads `body` to its end or destroys it. */
  open(key: string, owner: string): Promise<OpenBlob | null>;
  /** Removes a blob, if there is one. */
  remove(key: string): Promise<void>;
  /** Removes all blobs of a group, if there are any. */
  dropGroup(group: string): Promise<void>;
  /** Removes blobs that have expired at `now` (Unix time in ms); returns how many. */
  sweep(now: number): Promise<number>;
}

const hourMs = 3_600_000;
const timedForm = /^([0-9a-z]{9})_[\w-]{32}$/;
const groupedForm = /^g([0-9a-f]{32})_[\w-]{32}$/;

/** The key of a new blob: the given one, or the time of expiry or the group, and 192 random bits. `now` is Unix time in ms. */
export function makeKey(life: Life, now: number): string {
  if ("group" in life) return keyInGroup(life.group);
  if ("ttlMs" in life) return `${digitsOf(now + life.ttlMs)}_${random()}`;
  if (!groupedForm.test(life.key)) throw new TypeError("The given key of a blob is not one of keyInGroup");
  return life.key;
}

/** A key for a blob of a group that will be put. */
export function keyInGroup(group: string): string {
  return `g${nameOf(group)}_${random()}`;
}

/** When a key expires (Unix time in ms), infinite for one of a group; null for what is not a key, such as a path. */
export function expiryOf(key: string): number | null {
  if (groupedForm.test(key)) return Infinity;
  const digits = timedForm.exec(key)?.[1];
  return digits === undefined ? null : Number.parseInt(digits, 36);
}

/** The folder of a key's blob, below the root; null for what is not a key. */
export function folderOf(key: string): string | null {
  const group = groupedForm.exec(key)?.[1];
  if (group !== undefined) return `groups/${group}`;
  const expiresAt = expiryOf(key);
  return expiresAt === null ? null : hourOf(expiresAt);
}

export function groupFolderOf(group: string): string {
  return `groups/${nameOf(group)}`;
}

/** The folder of all blobs that expire in the same hour, so that a sweep reads nothing else. */
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

/** The range of one key: "\0" is the first character. */
export function only(key: string): KeyRange {
  return { from: key, below: `${key}\0` };
}

/** The keys that sort before it are exactly those that have expired at `now`. */
export function firstAfter(now: number): string {
  return digitsOf(Math.floor(now) + 1);
}

/** Nine digits of lower-case base 36 last until the year 5188. */
function digitsOf(expiresAt: number): string {
  return Math.ceil(expiresAt).toString(36).padStart(9, "0");
}

function random(): string {
  return randomBytes(24).toString("base64url");
}

function nameOf(group: string): string {
  return createHash("sha256").update(group).digest("hex").slice(0, 32);
}
