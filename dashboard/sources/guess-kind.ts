/* What a person may mean by what was pasted: an address, an account, or words to search for. */
import type { SourceKind } from "../../services/contracts/source.ts";

/** The kind of source that a text is, as far as the text alone says it. */
export function guessKind(written: string): SourceKind {
  const text = written.trim();
  if (/^(#|@|search:|(x|bluesky|mastodon):(?!\/\/)\S)/i.test(text)) return "microblog";
  if (/^[\w.-]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(text)) return "microblog";
  if (/^discord:\S/i.test(text)) return "chatserver";
  if (/^telegram(-preview)?:\S/i.test(text)) return "messenger";
  const url = addressIn(text);
  if (url) return kindOfAddress(url);
  return /_|\d$/.test(text) && !/\s/.test(text) ? "microblog" : text === "" ? "web" : "search";
}

function kindOfAddress({ hostname, pathname }: URL): SourceKind {
  if (/(^|\.)discord\.gg$/.test(hostname) || /^\/invite\//.test(pathname)) return "chatserver";
  if (/^(t|telegram)\.me$/.test(hostname)) return "messenger";
  if (/^(www\.)?(x|twitter)\.com$/.test(hostname) && /^\/\w+\/?$/.test(pathname)) return "microblog";
  if (hostname === "bsky.app" && /^\/profile\/[^/]+\/?$/.test(pathname)) return "microblog";
  const isFeed =
    /\.(xml|rss|atom|rdf)(\.gz)?$|(^|\/)(feed|feeds|rss|atom)(\.json)?\/?$|(^|\/)feeds?\/[^/]+$/i;
  return isFeed.test(pathname) ? "rss" : "web";
}

/** What is sent as the `sid`: an address without its scheme gets one, and a user name loses its `@`. */
export function sidOf(written: string, kind: SourceKind): string {
  const text = written.trim();
  if (kind === "microblog") return text.replace(/^@/, "");
  const isAddress = kind === "web" || kind === "site" || kind === "rss";
  return isAddress && addressIn(text) && !/^[a-z]+:\/\//i.test(text) ? `https://${text}` : text;
}

/** The address that a text is, with or without its scheme. */
function addressIn(text: string): URL | undefined {
  if (/\s/.test(text)) return undefined;
  const hasScheme = /^https?:\/\//i.test(text);
  const isHost =
    /^(([\p{L}\p{N}_-]+\.)+[\p{L}][\p{L}\p{N}-]+|\d{1,3}(\.\d{1,3}){3}|localhost)(:\d+)?([/?#]|$)/u.test(
      text,
    );
  if (!hasScheme && !isHost) return undefined;
  return URL.parse(hasScheme ? text : `https://${text}`) ?? undefined;
}
