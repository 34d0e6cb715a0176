import { numberIn } from "./attachments.ts";
import { distinct, type FeedItem, type Podcast } from "./feed.ts";
import { absoluteUrl } from "./feed-text.ts";
import { addressOf, attributeOf, childOf, childrenOf, firstValue, lineOf, textOf } from "./xml-element.ts";
import type { XmlElement } from "./xml-tree.ts";

/** What items of RSS and Atom say beside their content. */
export function factsOf(
  item: XmlElement,
  base: string,
): Pick<FeedItem, "comments" | "source" | "doi" | "podcast"> {
  const comments = absoluteUrl(commentsOf(item), base);
  const source = sourceOf(childOf(item, "source", "atom:source"), base);
  const doi = doiOf(item);
  const podcast = podcastOf(item, base);
  return {
    ...(comments !== undefined && { comments }),
    ...(source && { source }),
    ...(doi !== undefined && { doi }),
    ...(podcast && { podcast }),
  };
}

/** The page of RSS 2.0, or that of the Atom Threading Extensions (RFC 4685, 4). */
function commentsOf(item: XmlElement): string | undefined {
  const replies = childrenOf(item, "link", "atom:link").find(
    link => attributeOf(link, "rel") === "replies" && attributeOf(link, "type")?.includes("html") !== false,
  );
  return firstValue(item, "comments") ?? attributeOf(replies, "href");
}

/** The feed that an item is from: one line with an address in RSS, the head of a feed in Atom. */
function sourceOf(source: XmlElement | undefined, base: string): FeedItem["source"] {
  if (source === undefined) return undefined;
  const links = childrenOf(source, "link", "atom:link");
  const link = links.find(each => (attributeOf(each, "rel") ?? "alternate") === "alternate") ?? links[0];
  const title = lineOf(childOf(source, "title", "atom:title")) ?? lineOf(source);
  const url = absoluteUrl(attributeOf(source, "url") ?? (link && addressOf(link)), base);
  if (title === undefined && url === undefined) return undefined;
  return { ...(title !== undefined && { title }), ...(url !== undefined && { url }) };
}

const doi = /^(?:doi:\s*|info:doi\/|https?:\/\/(?:dx\.)?doi\.org\/)?(10\.\d{4,9}\/\S{1,300})$/i;

/** The digital object identifier by PRISM, Dublin Core, or arXiv, without a prefix. */
function doiOf(item: XmlElement): string | undefined {
  const named = childrenOf(item, "prism:doi", "dc:identifier", "arxiv:doi", "prism:url");
  return named.map(each => doi.exec(textOf(each) ?? "")?.[1]).find(Boolean);
}

/** Uses the namespaces of iTunes and of podcasts (podcastindex.org/namespace/1.0). */
function podcastOf(item: XmlElement, base: string): Podcast | undefined {
  const season = numberIn(firstValue(item, "itunes:season", "podcast:season"));
  const episode = numberIn(firstValue(item, "itunes:episode", "podcast:episode"));
  const transcripts = childrenOf(item, "podcast:transcript").flatMap(each => fileOf(each, base) ?? []);
  const chapters = fileOf(childOf(item, "podcast:chapters"), base);
  const podcast = {
    ...(season !== undefined && { season }),
    ...(episode !== undefined && { episode }),
    ...(transcripts.length > 0 && { transcripts: distinct(transcripts, ({ url }) => url, 20) }),
    ...(chapters && { chapters }),
  };
  return Object.keys(podcast).length > 0 ? podcast : undefined;
}

function fileOf(element: XmlElement | undefined, base: string): NonNullable<Podcast["chapters"]> | undefined {
  const url = absoluteUrl(attributeOf(element, "url"), base);
  const [type, language] = [attributeOf(element, "type"), attributeOf(element, "language")];
  if (url === undefined) return undefined;
  return { url, ...(type !== undefined && { mime_type: type }), ...(language !== undefined && { language }) };
}
