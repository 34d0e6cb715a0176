import type { SourceKind } from "../contracts/source.ts";

/**
 * Milliseconds. What a live connection has missed is read as soon as that: how often a platform may be asked, its
 * connector knows. `POLL_MIN_INTERVAL` is about feeds and pages, which belong to strangers.
 */
const socialMinMs = 1000;

const socialKinds = new Set<SourceKind>(["microblog", "chatserver", "messenger"]);

/** Whether sources of this kind are followed, so that their posts come by themselves. */
export function isSocial(kind: SourceKind): boolean {
  return socialKinds.has(kind);
}

/** The shortest polling interval of a kind, in milliseconds. */
export function shortestMs({ minIntervalMs }: { minIntervalMs: number }, kind: SourceKind): number {
  return isSocial(kind) ? Math.min(minIntervalMs, socialMinMs) : minIntervalMs;
}
