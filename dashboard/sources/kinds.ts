/* The names of the kinds of source, and the hints for their addresses. */
import type { SourceKind } from "../../services/contracts/source.ts";

export const kindNames: Record<SourceKind, string> = {
  rss: "Feed",
  web: "Page",
  site: "Site",
  search: "Search",
  microblog: "Microblog",
  chatserver: "Chat server",
  messenger: "Messenger",
};

/** The label and the hint of the field for the address of a source. */
export const addressHints: Record<SourceKind, [label: string, hint: string]> = {
  rss: [
    "Address of the feed",
    "RSS, Atom, JSON Feed or a sitemap; also the page of a YouTube channel, of a project's releases on GitHub or of a subreddit.",
  ],
  web: [
    "Address of the page",
    "What it shows is watched. If the page names a feed, the feed is tracked instead, unless you choose a part of the page.",
  ],
  site: [
    "Address of the site",
    "Its pages are watched, below this address: new, changed, gone and moved ones.",
  ],
  search: ["Words to search for", "Told is each new result of the operator's search engine."],
  microblog: [
    "Account or search",
    "A user name without the @, a hashtag such as #birds, or search: and words to search for.",
  ],
  chatserver: ["Invite", "The code or the link of an invite."],
  messenger: ["Channel", "A channel's user name or its invite link."],
};

/** Answers name the kind in upper case, paths in lower case. */
export function kindOf({ source }: { source: string }): SourceKind {
  return source.toLowerCase() as SourceKind;
}
