import type { SourceKind } from "../contracts/source.ts";

/**
 * Milliseconds. Posts that a live connection missed are read this soon; the connector itself knows how often its
 * platform may be asked. `POLL_MIN_INTERVAL` protects feeds and pages, which belong to strangers.
 */
const socialMinMs = 1000;

const socialKinds = new Set<SourceKind>(["microblog", "chatserver", "messenger"]);

/** Whether sources of this kind are followed: the platform pushes their posts. */
export function isSocial(kind: SourceKind): boolean {
  return socialKinds.has(kind);
}

/** The shortest polling interval of a kind, in milliseconds. */
export function shortestMs({ minIntervalMs }: { minIntervalMs: number }, kind: SourceKind): number {
  return isSocial(kind) ? Math.min(minIntervalMs, socialMinMs) : minIntervalMs;
}

/** The kinds that a request for one kind may lead to: a page with a feed is tracked as that feed. */
export function kindsOf(kind: SourceKind): SourceKind[] {
  return kind === "web" ? ["web", "rss"] : [kind];
}
