/* The kinds of source, as people read them. */
import type { SourceKind } from "../../services/contracts/source.ts";

export const kindNames: Record<SourceKind, string> = {
  rss: "Feed",
  web: "Page",
  microblog: "Microblog",
  chatserver: "Chat server",
  messenger: "Messenger",
};

/** What the address of a source of this kind is. */
export const addressHints: Record<SourceKind, [label: string, hint: string]> = {
  rss: ["Address of the feed", "RSS, Atom or JSON Feed: https://example.com/feed.xml"],
  web: ["Address of the page", "A page with a feed is tracked by its feed; any other by its main content."],
  microblog: ["User name", "Without the @."],
  chatserver: ["Invite", "The code or the link of an invite."],
  messenger: ["Channel", "A channel's user name or its invite link."],
};

/** Answers name the kind in upper case, paths in lower case. */
export function kindOf({ source }: { source: string }): SourceKind {
  return source.toLowerCase() as SourceKind;
}
