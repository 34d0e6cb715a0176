import type { FetchedDocument } from "../../../mixins/egress/fetch-document.ts";
import { absoluteUrl } from "../../domain/feed/absolute.ts";
import type { Feed } from "../../domain/feed/feed.ts";
import type { Hub } from "./room.ts";

const maxHeaderLength = 4096;
const maxUrlLength = 2048;

/**
 * The hub that a feed names (W3C WebSub, 4): in `Link` headers first, then in the document, which an answer of 304 has
 * not. A feed without a `self` is known by where it was found.
 */
export function findHub(
  { url, headers }: Pick<FetchedDocument, "url" | "headers">,
  feed?: Pick<Feed, "hubs" | "selfUrl">,
): Hub | undefined {
  const links = linksOf(headers.link ?? "", url);
  const hub = links.get("hub") ?? feed?.hubs[0];
  const topic = links.get("self") ?? feed?.selfUrl ?? url;
  if (hub === undefined || hub.length > maxUrlLength || topic.length > maxUrlLength) return undefined;
  return { url: hub, topic };
}

/** The first target of each relation (RFC 8288, 3); links about other documents have an anchor and are passed over. */
function linksOf(header: string, base: string): Map<string, string> {
  const found = new Map<string, string>();
  const link = /<([^<>]*)>((?:[^",<]|"(?:[^"\\]|\\.)*")*)/g;
  for (const [, target, text = ""] of header.slice(0, maxHeaderLength).matchAll(link)) {
    const url = absoluteUrl(target, base);
    const { rel = "", anchor } = parametersOf(text);
    if (url === undefined || anchor !== undefined) continue;
    for (const relation of rel.toLowerCase().split(/\s+/)) if (!found.has(relation)) found.set(relation, url);
  }
  return found;
}

/** The first value of each parameter; names in lower case. */
function parametersOf(text: string): Record<string, string> {
  const parameter = /;\s*([^\s=;",]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g;
  const all = [...text.matchAll(parameter)].map(([, name = "", quoted, bare = ""]) => [
    name.toLowerCase(),
    quoted ?? bare,
  ]);
  return Object.fromEntries(all.reverse()) as Record<string, string>;
}
