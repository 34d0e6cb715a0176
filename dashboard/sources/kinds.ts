/* The names of the kinds of source, and what is pasted for each of them. */
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

const networkNames: Record<string, string> = {
  sandbox: "the sandbox",
  x: "X",
  bluesky: "Bluesky",
  mastodon: "Mastodon",
  discord: "Discord",
  telegram: "Telegram",
  "telegram-preview": "public pages of Telegram",
};

/** What is pasted for each kind of source. */
export const addressHints: Record<SourceKind, string> = {
  rss: "RSS, Atom, JSON Feed or a sitemap; also the page of a YouTube channel, of a project's releases on GitHub or of a subreddit.",
  web: "What this page shows is watched. If it names a feed, the feed is tracked instead, unless you choose a part of the page.",
  site: "The pages below this address are watched: new, changed, gone and moved ones.",
  search: "Words as you would type them into a search engine. Each new result becomes an event.",
  microblog:
    "A user name without the @, a hashtag such as #birds, or search: and words to search for. For another network than the default: bluesky:ada.example, x:magpie, @user@server, or the address of the profile.",
  chatserver: "The code or the link of an invite.",
  messenger: "A channel's user name or its invite link.",
};

/** Its kind, and the network where it has one: "Microblog on Bluesky". */
export function kindInWords(source: { source: string; network?: string }): string {
  const kind = kindNames[kindOf(source)] ?? source.source;
  return source.network === undefined ? kind : `${kind} on ${networkNames[source.network] ?? source.network}`;
}

/** Answers name the kind in upper case, paths in lower case. */
export function kindOf({ source }: { source: string }): SourceKind {
  return source.toLowerCase() as SourceKind;
}
