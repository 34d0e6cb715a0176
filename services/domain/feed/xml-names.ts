export const itemNames = new Set(["item", "entry"]);

/** Elements that contain HTML, escaped or not. */
export const bodies = new Set(
  (
    "description content content:encoded summary body xhtml:body fullitem subtitle tagline info rights copyright " +
    "abstract dc:description atom:content atom:summary itunes:summary media:description"
  ).split(" "),
);

/** Elements that contain one line, or nothing. */
const leaves = new Set(
  (
    "title link guid id pubdate updated published issued modified created name uri url email comments generator " +
    "language ttl category enclosure lastbuilddate date"
  ).split(" "),
);

const leafPrefix = /^(?:dc|dcterms|itunes|atom|sy):|^media:(?:title|keywords|thumbnail|credit|rating)$/;

const nested = /^(?:atom:(?:author|contributor|source)|itunes:(?:category|owner))$/;

/** Names that HTML does not have: such an element always belongs to the feed. */
export const breakers =
  /^(?:pubdate|guid|description|content:encoded|updated|published|issued|modified|id|dc:\w+)$/;

export const personParts = new Set(["name", "email", "uri", "url", "homepage"]);

export const inline =
  /^(?:a|abbr|b|big|br|cite|code|div|em|font|i|img|p|q|s|small|span|strike|strong|sub|sup|tt|u)$/;

export function isLeaf(name: string): boolean {
  return leaves.has(name) || (leafPrefix.test(name) && !nested.test(name));
}

/** Whether the name belongs to an element of feeds, and not to HTML inside a line of text. */
export function isKnown(name: string): boolean {
  return bodies.has(name) || isLeaf(name) || nested.test(name) || feedElements.has(name);
}

const feedElements = new Set("author contributor source image channel media:content media:group".split(" "));

const prefixes: [prefix: string, namespaces: string][] = [
  ["atom", "www.w3.org/2005/atom purl.org/atom/ns"],
  ["dc", "purl.org/dc/elements/1.1 purl.org/dc/elements/1.0"],
  ["dcterms", "purl.org/dc/terms"],
  ["content", "purl.org/rss/1.0/modules/content"],
  ["sy", "purl.org/rss/1.0/modules/syndication"],
  ["itunes", "www.itunes.com/dtds/podcast-1.0.dtd example.com/dtds/podcast-1.0.dtd"],
  [
    "media",
    "search.yahoo.com/mrss search.yahoo.com/rss video.search.yahoo.com/mrss www.rssboard.org/media-rss",
  ],
  [
    "podcast",
    "podcastindex.org/namespace/1.0 github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md",
  ],
  [
    "prism",
    "prismstandard.org/namespaces/basic/2.0 prismstandard.org/namespaces/basic/2.1 prismstandard.org/namespaces/basic/3.0 " +
      "prismstandard.org/namespaces/1.2/basic purl.org/rss/1.0/modules/prism",
  ],
  ["arxiv", "arxiv.org/schemas/atom"],
  ["torrent", "xmlns.ezrss.it/0.1"],
  ["xhtml", "www.w3.org/1999/xhtml"],
  ["rdf", "www.w3.org/1999/02/22-rdf-syntax-ns"],
  ["xml", "www.w3.org/xml/1998/namespace"],
  // RSS 0.90, 1.0 and 1.1, and the namespaces that some feeds declare for RSS 2.0, which has none.
  [
    "",
    "purl.org/rss/1.0 purl.org/net/rss1.1 my.netscape.com/rdf/simple/0.9 channel.netscape.com/rdf/simple/0.9 " +
      "backend.userland.com/rss2 backend.userland.com/rss blogs.law.harvard.edu/tech/rss www.rssboard.org/rss-specification",
  ],
];
const known = new Map(
  prefixes.flatMap(([prefix, namespaces]) => namespaces.split(" ").map(each => [each, prefix] as const)),
);

/**
 * The usual prefix of a namespace; the document's own `prefix` when the namespace is unknown or not declared.
 */
export function prefixOf(namespace: string | undefined, prefix: string): string {
  const plain = namespace
    ?.trim()
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/[/#]+$/, "");
  return (plain === undefined ? undefined : known.get(plain)) ?? prefix;
}
