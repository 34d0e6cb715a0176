import type { SourceKind } from "../contracts/source.ts";

/** The kinds of sources that something asked for as one kind may be: a page with a feed is tracked as that feed. */
export function kindsOf(kind: SourceKind): SourceKind[] {
  return kind === "web" ? ["web", "rss"] : [kind];
}
