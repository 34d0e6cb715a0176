import { type Parts, unpack } from "./archive.ts";
import { DocumentError } from "./broken-document.ts";
import { documentHtml } from "./document-html.ts";
import { type Anchors, embeddedHtml } from "./embedded-page.ts";
import { readFacts } from "./office-package.ts";
import type { OfficeHtml } from "./read-docx.ts";
import { findAll, readTree } from "./read-xml.ts";

/** Unpacked, of all chapters. */
const maxBytes = 48 * 1024 * 1024;
const maxElements = 100_000;
const maxChapters = 2000;
/** Characters of all chapters: those of ten long novels. */
const maxLength = 12 * 1024 * 1024;
const needs = /^META-INF\/(?:container|encryption)\.xml$|\.(?:opf|x?html?|xml)$/i;

/** Reads a book (EPUB 3.3) as HTML: its chapters in the order of the spine. Throws when it is broken or locked. */
export function readEpub(bytes: Uint8Array, length = maxLength): OfficeHtml {
  const parts = unpack(bytes, { needs, maxBytes });
  const budget = { elements: maxElements, isCut: false };
  const path = packagePath(parts);
  const chapters = chaptersOf(parts, path);
  const locked = lockedParts(parts);
  if (chapters.length > 0 && chapters.every(chapter => locked.has(chapter)))
    throw new DocumentError("broken", "The book is locked by its seller (DRM), so it cannot be read.");
  const pieces: string[] = [];
  let left = length;
  for (const chapter of chapters.slice(0, maxChapters)) {
    const page = parts[chapter];
    if (page === undefined || locked.has(chapter)) continue;
    const html = embeddedHtml(decoded(page.subarray(0, maxLength)), anchorsOf(chapter, chapters));
    left -= html.length;
    if (left < 0) budget.isCut = true;
    if (left < 0 && pieces.length > 0) break;
    if (html !== "") pieces.push(`<section>${html}</section>`);
  }
  const isCut = budget.isCut || chapters.length > maxChapters;
  return { html: documentHtml(readFacts(parts[path], factNames), pieces.join("\n")), isCut };
}

/** Chapters have anchors of the same names, so each gets the number of its chapter. */
function anchorsOf(chapter: string, chapters: readonly string[]): Anchors {
  const nameIn = (path: string, id: string) => `c${chapters.indexOf(path)}-${id}`;
  return {
    ofElement: id => nameIn(chapter, id),
    ofLink: href => {
      const at = href.indexOf("#");
      if (at < 0) return undefined;
      const path = at === 0 ? chapter : partOf(href.slice(0, at), chapter);
      return chapters.includes(path) ? nameIn(path, href.slice(at + 1)) : undefined;
    },
  };
}

const factNames = {
  "dc:title": "title",
  "dc:creator": "author",
  "dc:description": "description",
  "dc:subject": "keywords",
  "dc:language": "language",
  "dc:date": "created",
} as const;

function packagePath(parts: Parts): string {
  const container = readTree(parts["META-INF/container.xml"], { elements: 1000, isCut: false });
  const [file] = findAll(container, "rootfile");
  const path = file?.attributes["full-path"] ?? "";
  if (parts[path] === undefined) throw new DocumentError("broken", "The book has no list of its chapters.");
  return path;
}

/** The paths of the chapters, each once, without the book's own table of contents. */
function chaptersOf(parts: Parts, path: string): string[] {
  const opf = readTree(parts[path], { elements: maxElements, isCut: false });
  const plain = (name: string) => [...findAll(opf, name), ...findAll(opf, `opf:${name}`)];
  const items = new Map(plain("item").map(({ attributes }) => [attributes.id ?? "", attributes]));
  const chapters = plain("itemref").flatMap(({ attributes }) => {
    const item = items.get(attributes.idref ?? "");
    const isText = /html|xml/.test(item?.["media-type"] ?? "");
    const isContents = /(?:^|\s)nav(?:\s|$)/.test(item?.properties ?? "");
    return item?.href === undefined || !isText || isContents ? [] : [partOf(item.href, path)];
  });
  return [...new Set(chapters)];
}

function partOf(href: string, from: string): string {
  const url = URL.parse(href, `file:///${from.split("/").map(encodeURIComponent).join("/")}`);
  return decodePath(url?.pathname.slice(1) ?? "");
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A percent sign that is none.
    return path;
  }
}

function lockedParts(parts: Parts): Set<string> {
  const tree = readTree(parts["META-INF/encryption.xml"], { elements: maxElements, isCut: false });
  const references = [...findAll(tree, "CipherReference"), ...findAll(tree, "enc:CipherReference")];
  return new Set(references.map(({ attributes }) => decodePath(attributes.URI ?? "")));
}

/** XHTML is UTF-8 or UTF-16 (EPUB 3.3, 3.9). */
function decoded(bytes: Uint8Array): string {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return new TextDecoder(isUtf16 ? (bytes[0] === 0xff ? "utf-16le" : "utf-16be") : "utf-8").decode(bytes);
}
