import { isUtf8 } from "node:buffer";
import { decodeEntities, looksLikeHtml, nestedBase, toLine, toText } from "./feed-text.ts";
import type { XmlElement } from "./xml-tree.ts";

/** The children of these names, in the order of the document. */
export function childrenOf(element: XmlElement | undefined, ...names: string[]): XmlElement[] {
  return element?.children.filter(({ name }) => names.includes(name)) ?? [];
}

/** The first child that has the first of these names that any has. */
export function childOf(element: XmlElement | undefined, ...names: string[]): XmlElement | undefined {
  for (const name of names) {
    const found = element?.children.find(child => child.name === name);
    if (found) return found;
  }
  return undefined;
}

/** An attribute, trimmed; undefined when it is missing or empty. */
export function attributeOf(element: XmlElement | undefined, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = element?.attributes.get(name)?.trim();
    if (value) return value;
  }
  return undefined;
}

/** The content of an element, trimmed: text or HTML, escaped or not. Undefined when it is empty. */
export function textOf(element: XmlElement | undefined): string | undefined {
  return element === undefined ? undefined : decoded(element).trim() || undefined;
}

/** The content of the first non-empty child with one of these names. */
export function firstValue(element: XmlElement | undefined, ...names: string[]): string | undefined {
  for (const name of names)
    for (const child of childrenOf(element, name)) {
      const value = textOf(child);
      if (value !== undefined) return value;
    }
  return undefined;
}

/** Whether the content of an element is HTML: as declared, else by its form. */
export function isHtml(element: XmlElement): boolean {
  if (element.markup !== undefined) return true;
  const type = attributeOf(element, "type")?.toLowerCase() ?? "";
  if (type === "text" || type === "text/plain") return false;
  return /html|xml/.test(type) || looksLikeHtml(decoded(element));
}

/** The content of an element as plain text. */
export function plainOf(element: XmlElement | undefined): string | undefined {
  if (element === undefined) return undefined;
  return isHtml(element) ? toText(decoded(element)) : textOf(element);
}

export function lineOf(element: XmlElement | undefined): string | undefined {
  if (element === undefined) return undefined;
  return isHtml(element) ? toLine(decoded(element)) : textOf(element)?.replace(/\s+/g, " ");
}

/** The address of a link: its `href`, else its content. */
export function addressOf(link: XmlElement): string | undefined {
  const written = link.markup === undefined ? textOf(link) : undefined;
  return attributeOf(link, "href", "url") ?? written;
}

/** `xml:base` of an element and those around it. */
export function baseOf(element: XmlElement | undefined, outer: string): string {
  return [...withAncestors(element)]
    .flatMap(({ attributes }) => attributes.get("xml:base") ?? [])
    .reduceRight((base, declared) => nestedBase(declared.trim(), base), outer);
}

export function declaresBase(element: XmlElement): boolean {
  return [...withAncestors(element)].some(({ attributes }) => attributes.has("xml:base"));
}

/** The language that a child with one of these names says. */
export function languageIn(element: XmlElement, ...names: string[]): string | undefined {
  return languageTag(firstValue(element, ...names));
}

/** The inherited `xml:lang`; an empty one, which says that nothing is known, hides those around it. */
export function languageOf(element: XmlElement): string | undefined {
  for (const { attributes } of withAncestors(element)) {
    const language = attributes.get("xml:lang")?.trim();
    if (language !== undefined) return languageTag(language);
  }
  return undefined;
}

/** Many programs write a locale of POSIX, such as `en_US`, in place of a tag of BCP 47. */
function languageTag(written: string | undefined): string | undefined {
  return written?.replaceAll("_", "-");
}

const maxDepth = 20;

function* withAncestors(element: XmlElement | undefined): Generator<XmlElement> {
  let at = element;
  for (let depth = 0; at !== undefined && depth < maxDepth; depth++, at = at.parent) yield at;
}

function decoded(element: XmlElement): string {
  const { markup, text } = element;
  if (markup !== undefined) {
    const inner = withoutWrapper(plainNames(unmarked(markup)));
    // TypePad wraps what is escaped, as `html` asks for, into the element that only XHTML has.
    const isEscaped = attributeOf(element, "type") === "html" && !inner.includes("<");
    return isEscaped ? decodeEntities(inner) : inner;
  }
  return isBase64(element) ? fromBase64(element) : text;
}

// XHTML inside a feed may have a prefix on every element.
function plainNames(markup: string): string {
  return markup.replace(/(<\/?)[\w-]+:(?=[a-z])/gi, "$1");
}

function unmarked(markup: string): string {
  return markup.replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, "$1");
}

// RFC 4287, 3.1.1.3: the div around an XHTML text is not part of it.
function withoutWrapper(markup: string): string {
  return /^\s*<div(?:\s[^<>]*)?>([\s\S]*)<\/div\s*>\s*$/i.exec(markup)?.[1] ?? markup;
}

/** Atom 0.3 declares base64; Atom 1.0 implies it by any type that is not text (RFC 4287, 4.1.3.3). */
function isBase64(element: XmlElement): boolean {
  const mode = attributeOf(element, "mode")?.toLowerCase();
  const type = attributeOf(element, "type")?.toLowerCase() ?? "";
  const isBinary = /^[\w-]+\/[\w.+-]+/.test(type) && !/^(?:text|message)\/|xml|html|json/.test(type);
  return mode === "base64" || (mode === undefined && isBinary && looksLikeBase64(element.text));
}

function looksLikeBase64(text: string): boolean {
  const packed = text.replace(/\s+/g, "");
  return packed.length % 4 === 0 && /^[a-z\d+/]+={0,2}$/i.test(packed);
}

/** Decoded content that is not text is a picture or the like, which is left out, or a word that only looks like base64. */
function fromBase64({ name, text }: XmlElement): string {
  const bytes = Buffer.from(text, "base64");
  const decodedText = bytes.toString();
  const isText = isUtf8(bytes) && !/[\u0000-\u0008\u000e-\u001f]/.test(decodedText);
  return isText ? decodedText : name === "content" ? "" : text;
}
