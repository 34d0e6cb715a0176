import { attachmentsOf, imageOf } from "./attachments.ts";
import { cleanHtml } from "./clean-html.ts";
import { type Author, distinct, type FeedItem, toItem } from "./feed.ts";
import { feedDate } from "./feed-date.ts";
import { absoluteUrl, toLine, toText } from "./feed-text.ts";
import { factsOf } from "./item-facts.ts";
import {
  addressOf,
  attributeOf,
  baseOf,
  childOf,
  childrenOf,
  declaresBase,
  firstValue,
  isHtml,
  languageIn,
  languageOf,
  lineOf,
  plainOf,
  textOf,
} from "./xml-element.ts";
import type { XmlElement } from "./xml-tree.ts";

/** What an item inherits from its feed. */
export interface FeedContext {
  url: string;
  language: string | undefined;
  authors: XmlElement[];
}

/** Whether an item has an id of its own. */
export function hasId(item: XmlElement): boolean {
  return idOf(item) !== undefined;
}

/** Maps an item of RSS, RDF or Atom. The usual namespaces mean the same in each of them. */
export function xmlItem(item: XmlElement, { url: outer, language, authors }: FeedContext): FeedItem {
  const base = baseOf(item, outer);
  const id = idOf(item);
  const url = urlOf(item, id, base);
  const { published, modified } = datesOf(item);
  const [title, texts] = [titleOf(item), textsOf(item)];
  return toItem({
    id: id !== undefined && /^\.{0,2}\//.test(id) ? (absoluteUrl(id, base) ?? id) : id,
    url,
    external_url: relatedOf(item, base),
    title: lineOf(title),
    ...contentOf(texts, declaresBase(item) ? outer : (url ?? base)),
    image: imageOf(item, base),
    date_published: published,
    date_modified: modified,
    authors: authorsOf(item, authors, base),
    tags: tagsOf(item),
    language:
      (languageIn(item, "dc:language") ?? languageOf(texts.shown ?? title ?? item) ?? language) || undefined,
    attachments: attachmentsOf(item, base),
    ...factsOf(item, base),
  });
}

function idOf(item: XmlElement): string | undefined {
  return (
    firstValue(item, "guid", "id") ?? attributeOf(item, "rdf:about", "about") ?? firstValue(item, "atom:id")
  );
}

function titleOf(item: XmlElement): XmlElement | undefined {
  const names = ["title", "atom:title", "dc:title", "media:title", "itunes:title"];
  return names.flatMap(name => childrenOf(item, name)).find(each => lineOf(each) !== undefined);
}

function urlOf(item: XmlElement, id: string | undefined, base: string): string | undefined {
  const links = childrenOf(item, "link", "atom:link");
  const written = links.map(link => writtenLink(link, base)).find(Boolean);
  const source = absoluteUrl(attributeOf(childOf(item, "content"), "src"), base);
  const isPermalink = attributeOf(childOf(item, "guid"), "ispermalink")?.toLowerCase() !== "false";
  const permalink =
    isPermalink && id !== undefined && /^https?:\/\//i.test(id) ? absoluteUrl(id, id) : undefined;
  return (
    written ?? alternateOf(links, base) ?? absoluteUrl(attributeOf(item, "href"), base) ?? source ?? permalink
  );
}

/** A link that is the text of its element, as in RSS. */
export function writtenLink(link: XmlElement, base: string): string | undefined {
  const isPlain = !link.attributes.has("href") && !link.attributes.has("rel");
  return isPlain ? absoluteUrl(addressOf(link), baseOf(link, base)) : undefined;
}

/** The page among links of Atom. */
export function alternateOf(links: XmlElement[], base: string): string | undefined {
  const alternates = links.filter(
    link => (attributeOf(link, "rel") ?? "alternate") === "alternate" && addressOf(link) !== undefined,
  );
  const page = alternates.find(link => attributeOf(link, "type")?.includes("html") !== false);
  const link = page ?? alternates[0];
  return absoluteUrl(link && addressOf(link), baseOf(link, base));
}

function relatedOf(item: XmlElement, base: string): string | undefined {
  const related = childrenOf(item, "link").find(link =>
    /^(?:related|via)$/.test(attributeOf(link, "rel") ?? ""),
  );
  return absoluteUrl(attributeOf(related, "href"), base);
}

const contents = ["content:encoded", "content", "atom:content", "xhtml:body", "body", "fullitem"];
const descriptions = ["description", "summary", "atom:summary", "abstract", "dc:description"];

interface Texts {
  /** The content of the item, or what stands for it. */
  shown: XmlElement | undefined;
  /** Another text, which is the summary. */
  other: XmlElement | undefined;
}

function textsOf(item: XmlElement): Texts {
  const firstOf = (names: string[]) =>
    names.flatMap(name => childrenOf(item, name)).find(each => textOf(each) !== undefined);
  const [content, description] = [firstOf(contents), firstOf(descriptions)];
  if (content !== undefined) return { shown: content, other: description };
  const shown = description ?? firstOf(["itunes:summary"]) ?? mediaDescription(item);
  return { shown, other: shown && firstOf(descriptions.filter(name => name !== shown.name)) };
}

function contentOf(
  { shown, other }: Texts,
  outer: string,
): Pick<FeedItem, "content_html" | "content_text" | "summary"> {
  if (shown === undefined) return {};
  const summary = plainOf(other);
  const text = textOf(shown) ?? "";
  const html = isHtml(shown) ? cleanHtml(text, baseOf(shown, outer)) : undefined;
  return {
    ...(html === undefined ? { content_text: text } : { content_html: html }),
    ...(summary !== undefined && summary !== toText(text) && { summary }),
  };
}

function mediaDescription(item: XmlElement): XmlElement | undefined {
  return childOf(item, "media:description") ?? childOf(childOf(item, "media:group"), "media:description");
}

function datesOf(item: XmlElement): { published: string | undefined; modified: string | undefined } {
  const first = (...names: string[]) =>
    names
      // What is written twice is corrected by the second one, as in feedparser.
      .flatMap(name => childrenOf(item, name).toReversed())
      .map(each => feedDate(textOf(each)))
      .find(Boolean);
  const issued = first(
    ..."pubdate published dc:date date dcterms:issued issued dcterms:created created atom:published".split(
      " ",
    ),
  );
  const updated =
    first("updated", "atom:updated", "modified", "dcterms:modified") ??
    feedDate(attributeOf(item, "lastmod"));
  // An RSS item with only a modification date in Dublin Core has no publication date.
  const published = issued ?? (childOf(item, "dcterms:modified") ? undefined : updated);
  // In Atom `updated` is mandatory, so a date equal to the publication is not a modification.
  const isModified = item.name !== "entry" || updated !== published;
  return { published, modified: isModified ? updated : undefined };
}

function authorsOf(item: XmlElement, ofFeed: XmlElement[], base: string): Author[] {
  const source = childOf(item, "source");
  const own = childrenOf(item, "author", "atom:author", "dc:creator", "dc:author", "itunes:author");
  const people = [own, childrenOf(source, "author"), ofFeed].find(each => each.length > 0) ?? [];
  // Elsewhere a comma may be within a name.
  const isList = /^oai:arxiv\.org:/i.test(idOf(item) ?? "");
  const apart = (author: Author): Author[] =>
    isList ? (author.name ?? "").split(", ").map(name => ({ ...author, name })) : [author];
  const named = people
    .flatMap(person => apart(authorOf(person, base)))
    .filter(({ name, url }) => name || url);
  return distinct(named, ({ name, url = "" }) => name ?? url, 20);
}

/** A person of Atom, or one on a line, as `ada@example.com (Ada Byron)`. */
function authorOf(person: XmlElement, base: string): Author {
  const name = lineOf(childOf(person, "name")) ?? lineOf(childOf(person, "email")) ?? nameIn(lineOf(person));
  const page = childOf(person, "uri", "url", "homepage");
  const url = absoluteUrl(textOf(page), baseOf(page, base));
  return { ...(name !== undefined && { name }), ...(url !== undefined && { url }) };
}

const address = String.raw`[^\s()<>]+@[^\s()<>]+`;
const addressFirst = new RegExp(String.raw`^<?(?:mailto:)?${address}>?\s*\((.+)\)$`, "i");
const addressLast = new RegExp(String.raw`^(.+?)\s*[(<](?:mailto:)?${address}[)>]$`, "i");

function nameIn(line: string | undefined): string | undefined {
  if (line === undefined || line.length > 500) return line;
  return (addressFirst.exec(line)?.[1] ?? addressLast.exec(line)?.[1] ?? line).trim();
}

function tagsOf(item: XmlElement): string[] {
  const categories = childrenOf(item, "category", "atom:category").map(
    each => toLine(attributeOf(each, "label", "term")) ?? lineOf(each),
  );
  const subjects = childrenOf(item, "dc:subject").map(lineOf);
  const ofMedia = childrenOf(item, "media:category").map(each => attributeOf(each, "label") ?? lineOf(each));
  const keywords = childrenOf(item, "tags", "media:keywords", "itunes:keywords").flatMap(
    each =>
      lineOf(each)
        ?.split(",")
        .map(word => word.trim()) ?? [],
  );
  const named = [...categories, ...subjects, ...ofMedia, ...ofItunes(item), ...keywords];
  return distinct(
    named.flatMap(tag => tag || []),
    tag => tag,
  );
}

/** The nested categories of iTunes. */
function ofItunes(parent: XmlElement): (string | undefined)[] {
  return childrenOf(parent, "itunes:category").flatMap(category => [
    attributeOf(category, "text"),
    ...childrenOf(category, "itunes:category").map(each => attributeOf(each, "text")),
  ]);
}
