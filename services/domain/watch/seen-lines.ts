import { createHash } from "node:crypto";

/** Lines that are remembered, at most. */
export const maxSeen = 10_000;
/** Characters of a line's hash: 48 bits. */
const width = 8;

/** The lines that a page has shown, those of the last check at the end: hashes of eight characters each. */
export type SeenLines = string;

/** Adds the lines of a snapshot. When the memory is full, the lines that were not shown for longest are forgotten. */
export function rememberLines(seen: SeenLines, keys: readonly string[]): SeenLines {
  const shown = new Set(keys.filter(key => key !== "").map(hashOf));
  const older = split(seen).filter(hash => !shown.has(hash));
  return [...older, ...shown].slice(-maxSeen).join("");
}

/** Whether a line was shown before. */
export function isSeen(seen: SeenLines): (key: string) => boolean {
  const hashes = new Set(split(seen));
  return key => hashes.has(hashOf(key));
}

/** From now on lines are forgotten. */
export function isFull(seen: SeenLines): boolean {
  return seen.length >= maxSeen * width;
}

function split(seen: SeenLines): string[] {
  return seen.match(/.{8}/gs) ?? [];
}

function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("base64url").slice(0, width);
}
