import { unzipSync, zipSync } from "fflate";
import mammoth from "mammoth";
import { SaxesParser } from "saxes";
import { DocumentError } from "./broken-document.ts";
import { cutXml } from "./cut-xml.ts";
import { type DocumentFacts, documentHtml } from "./document-html.ts";

/** Parts of an office document, by their names. */
export type OfficeParts = Record<string, Uint8Array>;

/** Unpacked, of a Word document: the XML of a novel is 5 MB, and becomes objects of 80 times that. */
const maxDocxBytes = 16 * 1024 * 1024;
/** Start and end tags that are read of a Word document: those of some 40,000 paragraphs. */
const maxDocxTags = 300_000;
const maxParts = 1000;
/** Pictures, fonts and embedded files are never unpacked. */
const needed = /^(\[Content_Types\]\.xml|_rels\/\.rels|docProps\/core\.xml|(word|xl)\/[^:]*\.(xml|rels))$/i;

/**
 * Unpacks the XML of an office document. A part yields no more bytes than the archive's directory says, and all of them
 * are bounded. Throws a `DocumentError` for an archive that is too large, other errors for one that is broken.
 */
export function unpackOffice(bytes: Uint8Array, maxBytes: number): OfficeParts {
  let [size, count] = [0, 0];
  const filter = ({ name, originalSize }: { name: string; originalSize: number }) => {
    if (!needed.test(name)) return false;
    [size, count] = [size + originalSize, count + 1];
    if (size > maxBytes || count > maxParts)
      throw new DocumentError("broken", "The document is too large to be read.");
    return true;
  };
  return unzipSync(bytes, { filter });
}

const styleMap = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Quote'] => blockquote > p:fresh",
  "p[style-name='Intense Quote'] => blockquote > p:fresh",
  "p[style-name='HTML Preformatted'] => pre:separator('\n')",
  "p[style-name='Code'] => pre:separator('\n')",
  "p[style-name='Source Code'] => pre:separator('\n')",
  "r[style-name='HTML Code'] => code",
  "r[style-name='Verbatim Char'] => code",
  "strike => s",
];

/** HTML of a document; `isCut`: it has only its beginning. */
export interface OfficeHtml {
  html: string;
  isCut: boolean;
}

/** Reads a Word document as HTML, without its pictures. CPU-bound. Throws when it is broken. */
export async function readDocx(bytes: Uint8Array, maxTags = maxDocxTags): Promise<OfficeHtml> {
  const { parts, isCut } = cutParts(unpackOffice(bytes, maxDocxBytes), maxTags);
  // Mammoth gets an archive of what was unpacked within bounds. It opens no file and no address.
  const buffer = Buffer.from(zipSync(parts, { level: 0 }));
  const noPictures = (async () => []) as unknown as NonNullable<Parameters<typeof mammoth.convertToHtml>[1]>;
  const { value } = await mammoth.convertToHtml(
    { buffer },
    {
      ...{ styleMap, includeEmbeddedStyleMap: false, externalFileAccess: false },
      convertImage: noPictures as never,
    },
  );
  const facts = officeFacts(parts);
  const heading = /<h1\b[^>]*>(.{1,1000}?)<\/h1>/s.exec(value)?.[1]?.replace(/<[^<>]*>/g, "");
  const title = facts.title ?? (heading && decoded(heading));
  return { html: documentHtml({ ...facts, title }, value), isCut };
}

function cutParts(parts: OfficeParts, maxTags: number): { parts: OfficeParts; isCut: boolean } {
  const name = "word/document.xml";
  const whole = parts[name];
  const cut = whole && cutXml(whole, maxTags);
  return { parts: cut ? { ...parts, [name]: cut } : parts, isCut: cut !== undefined };
}

function decoded(html: string): string {
  return html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

const factNames: Record<string, keyof DocumentFacts> = {
  "dc:title": "title",
  "dc:creator": "author",
  "dc:description": "description",
  "cp:keywords": "keywords",
  "dc:language": "language",
  "dcterms:created": "created",
  "dcterms:modified": "modified",
};

/** What a document says of itself (ISO/IEC 29500-2, 8.2). */
export function officeFacts(parts: OfficeParts): DocumentFacts {
  const facts: DocumentFacts = {};
  let name: keyof DocumentFacts | undefined;
  readXml(parts["docProps/core.xml"], {
    open: tag => {
      name = factNames[tag];
    },
    text: text => {
      if (name && text.trim() !== "") facts[name] = ((facts[name] ?? "") + text).trim().slice(0, 2000);
    },
    close: () => {
      name = undefined;
    },
  });
  return facts;
}

interface XmlEvents {
  open?: (tag: string, attributes: Record<string, string>) => void;
  text?: (text: string) => void;
  close?: (tag: string) => void;
}

const chunk = 64 * 1024;

/** Reads XML in one pass. Expands no entities but XML's own, and reads past errors. */
export function readXml(bytes: Uint8Array | undefined, { open, text, close }: XmlEvents): void {
  const parser = new SaxesParser();
  parser.on("error", () => undefined);
  // Some writers give the names of spreadsheets a prefix.
  const plain = (name: string) => name.replace(/^x:/, "");
  if (open) parser.on("opentag", ({ name, attributes }) => open(plain(name), attributes));
  if (text) {
    parser.on("text", text);
    parser.on("cdata", text);
  }
  if (close) parser.on("closetag", ({ name }) => close(plain(name)));
  const decoder = new TextDecoder();
  for (let at = 0; bytes !== undefined && at < bytes.length; at += chunk)
    parser.write(decoder.decode(bytes.subarray(at, at + chunk), { stream: true }));
  parser.close();
}
