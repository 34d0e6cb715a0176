import { type AnyFeed, MalformedError, parseFeed as parseDialect } from "feedsmith";
import { atomFeed } from "./atom-feed.ts";
import type { Feed } from "./feed.ts";
import { jsonFeed } from "./json-feed.ts";
import { escapeLooseTexts, isolateXml, keepWholeItems } from "./repair-xml.ts";
import { rdfFeed, rssFeed } from "./rss-feed.ts";

/** A feed, or a plain sentence that says why a text is none. */
export type ParsedFeed = { ok: true; feed: Feed } | { ok: false; reason: string };

/**
 * Reads RSS 0.9x, 1.0 and 2.0, Atom 0.3 and 1.0, and JSON Feed, whatever the text is declared to be. Broken XML is
 * mended where that is safe: loose markup in texts, and documents that break off. Documents that declare entities are
 * refused, since feeds need none and bombs do (CWE-776, CWE-611). `url` is where the text came from.
 */
export function parseFeed(text: string, url: string): ParsedFeed {
  const document = isolateXml(text.replace(/^\ufeff/, ""));
  if (document === undefined) return { ok: false, reason: "The document is not a feed." };
  if (/<!ENTITY/i.test(document.prolog))
    return { ok: false, reason: "The feed declares XML entities, which are refused." };
  const parsed = parseMended(document.body);
  if (parsed === undefined) return { ok: false, reason: "The document is not a feed, or a broken one." };
  const base = absoluteBase(document.rootBase, url);
  return { ok: true, feed: toFeed(parsed, base) };
}

function parseMended(body: string): AnyFeed | undefined {
  const mends = [
    (text: string) => text,
    escapeLooseTexts,
    keepWholeItems,
    (text: string) => keepWholeItems(escapeLooseTexts(text)),
  ];
  for (const mend of mends) {
    try {
      return parseDialect(mend(body));
    } catch (error) {
      // Only what is not well-formed can be mended; anything else is no feed.
      if (!(error instanceof MalformedError)) return undefined;
    }
  }
  return undefined;
}

function absoluteBase(declared: string | undefined, url: string): string {
  return (declared === undefined ? undefined : URL.parse(declared, url)?.href) ?? url;
}

function toFeed(parsed: AnyFeed, base: string): Feed {
  switch (parsed.format) {
    case "rss":
      return rssFeed(parsed.feed, base);
    case "rdf":
      return rdfFeed(parsed.feed, base);
    case "atom":
      return atomFeed(parsed.feed, base);
    case "json":
      return jsonFeed(parsed.feed, base);
  }
}
