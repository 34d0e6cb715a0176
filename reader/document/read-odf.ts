import { type Parts, unpack } from "./archive.ts";
import { DocumentError } from "./broken-document.ts";
import { type DocumentFacts, documentHtml } from "./document-html.ts";
import { OdfBlocks } from "./odf-blocks.ts";
import { odsHtml } from "./odf-sheets.ts";
import { OdfStyles } from "./odf-styles.ts";
import { readFacts } from "./office-package.ts";
import type { OfficeHtml } from "./read-docx.ts";
import { childOf, elementsIn, findAll, readTree, type XmlElement } from "./read-xml.ts";

/** Unpacked. */
const maxBytes = 48 * 1024 * 1024;
const maxElements = 400_000;
const maxSlides = 1000;
/** Formulas are documents of their own. */
const needs = /^(?:content|styles|meta|META-INF\/manifest)\.xml$|^[^/]{1,80}\/content\.xml$/;

/** Reads a text or a presentation of OpenDocument (ISO/IEC 26300) as HTML. Throws when it is broken. */
export function readOdf(bytes: Uint8Array, elements = maxElements): OfficeHtml {
  const parts = openParts(bytes);
  const budget = { elements, isCut: false };
  const content = readTree(parts["content.xml"], budget);
  const styles = new OdfStyles();
  styles.add(content);
  styles.add(readTree(parts["styles.xml"], budget));
  const [body] = findAll(content, "office:body");
  const blocks = new OdfBlocks(styles, name => parts[`${name}/content.xml`], budget);
  const slides = body && childOf(body, "office:presentation");
  const text = body && childOf(body, "office:text");
  const html = slides ? slidesHtml(slides, blocks, styles) : text ? blocks.html(text) : "";
  const facts = factsOf(parts);
  const title = facts.title ?? /<h[12]\b[^>]*>([^<>]{1,1000})<\/h[12]>/.exec(html)?.[1];
  return { html: documentHtml({ ...facts, title: title && unescaped(title) }, html), isCut: budget.isCut };
}

/** Reads a spreadsheet of OpenDocument as HTML: a table for each sheet that is shown. Throws when it is broken. */
export function readOds(bytes: Uint8Array): string {
  const parts = openParts(bytes);
  const { html, name } = odsHtml(parts["content.xml"]);
  const facts = factsOf(parts);
  return documentHtml({ ...facts, title: facts.title ?? name }, html);
}

function openParts(bytes: Uint8Array): Parts {
  const parts = unpack(bytes, { needs, maxBytes });
  const isLocked = /encryption-data/.test(new TextDecoder().decode(parts["META-INF/manifest.xml"]));
  if (isLocked) throw new DocumentError("broken", "The document is locked with a password.");
  if (parts["content.xml"] === undefined) throw new DocumentError("broken", "The document has no content.");
  return parts;
}

function slidesHtml(presentation: XmlElement, blocks: OdfBlocks, styles: OdfStyles): string {
  const shown = elementsIn(presentation, "draw:page").filter(
    page => !styles.isHidden("drawing-page", page.attributes["draw:style-name"]),
  );
  return shown
    .slice(0, maxSlides)
    .map(page => blocks.slide(page))
    .filter(html => html !== "")
    .join("\n<hr>\n");
}

const factNames: Record<string, keyof DocumentFacts> = {
  "dc:title": "title",
  "meta:initial-creator": "author",
  "dc:description": "description",
  "meta:keyword": "keywords",
  "dc:language": "language",
  "meta:creation-date": "created",
  "dc:date": "modified",
};

function factsOf(parts: Parts): DocumentFacts {
  const facts = readFacts(parts["meta.xml"], factNames);
  // Who changed it last, where nobody is named who began it.
  const author = facts.author ?? readFacts(parts["meta.xml"], { "dc:creator": "author" }).author;
  return { ...facts, author };
}

function unescaped(html: string): string {
  return html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
