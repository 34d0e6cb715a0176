import { zipSync } from "fflate";
import mammoth from "mammoth";
import { escapeHtml } from "../text/escape-html.ts";
import { type Parts, unpack } from "./archive.ts";
import { cutXml } from "./cut-xml.ts";
import { documentHtml } from "./document-html.ts";
import { Formulas } from "./docx-formulas.ts";
import { officeFacts, pictureText } from "./office-package.ts";

/** Unpacked, of a Word document: the XML of a novel is 5 MB, and becomes objects of 80 times that. */
const maxDocxBytes = 16 * 1024 * 1024;
/** Start and end tags that are read of a Word document: those of some 40,000 paragraphs. */
const maxDocxTags = 300_000;
const maxParts = 1000;
/** Pictures, fonts and embedded files are never unpacked. */
const needs = /^(\[Content_Types\]\.xml|_rels\/\.rels|docProps\/core\.xml|word\/[^:]*\.(xml|rels))$/i;

const quotations = ["Quote", "Intense Quote", "Block Text", "Block Quote", "Quotations"];
const codeBlocks = ["HTML Preformatted", "Code", "Code Block", "Source Code", "Preformatted Text"];
const codeInLine = ["HTML Code", "Verbatim Char", "Source Text", "Code Char", "Inline Code"];
const styleMap = [
  "p[style-name='Title'] => h1:fresh",
  ...quotations.map(name => `p[style-name='${name}'] => blockquote > p:fresh`),
  ...codeBlocks.map(name => `p[style-name='${name}'] => pre:separator('\n')`),
  ...codeInLine.map(name => `r[style-name='${name}'] => code`),
  "p[style-name='Definition Term'] => dl > dt:fresh",
  "p[style-name='Definition'] => dl > dd:fresh",
  "strike => s",
];

/** HTML of a document; `isCut`: it has only its beginning. */
export interface OfficeHtml {
  html: string;
  isCut: boolean;
}

/**
 * Reads a Word document as HTML: formulas as TeX, and in place of a picture what is said of it. CPU-bound. Throws when it
 * is broken.
 */
export async function readDocx(bytes: Uint8Array, maxTags = maxDocxTags): Promise<OfficeHtml> {
  const { parts, isCut } = cutParts(unpack(bytes, { needs, maxBytes: maxDocxBytes, maxParts }), maxTags);
  const formulas = new Formulas();
  // Mammoth gets an archive of what was unpacked within bounds. It opens no file and no address.
  const buffer = Buffer.from(zipSync(formulas.takeOut(parts), { level: 0 }));
  const { value } = await mammoth.convertToHtml(
    { buffer },
    {
      ...{ styleMap, includeEmbeddedStyleMap: false, externalFileAccess: false },
      convertImage: mammoth.images.imgElement(async () => ({ src: "" })),
    },
  );
  const described = value.replace(picture, (_, text = "") => pictureHtml(text));
  const html = formulas.putBack(described.replace(asCaption, ""));
  const facts = officeFacts(parts);
  const heading = /<h1\b[^>]*>(.{1,1000}?)<\/h1>/s.exec(html)?.[1]?.replace(/<[^<>]*>/g, "");
  const title = facts.title ?? (heading && decoded(heading));
  return { html: documentHtml({ ...facts, title }, html), isCut };
}

/** As Mammoth writes the elements of `convertImage`. */
const picture = /<img(?: alt="([^"<>]*)")? src="" \/>/g;

/** What is said of a picture, where the paragraph below it says the same. */
const asCaption = /<p><em>([^<>]{1,2000})<\/em><\/p>(?=<p>\1<\/p>)/g;

function pictureHtml(alt: string): string {
  const text = pictureText(decoded(alt));
  return text === "" ? "" : `<em>${escapeHtml(text)}</em>`;
}

function cutParts(parts: Parts, maxTags: number): { parts: Parts; isCut: boolean } {
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
