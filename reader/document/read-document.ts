import { decodeText, guessEncoding, needsGuess } from "../text/decode-text.ts";
import { DocumentError, orBroken } from "./broken-document.ts";
import {
  type DocumentKind,
  delimiters,
  documentKind,
  isJson,
  isText,
  isXml,
  type MediaType,
  sniffType,
} from "./media-type.ts";
import type { OfficeHtml } from "./read-docx.ts";
import { fence } from "./read-notebook.ts";
import type { Recognized } from "./read-pdf.ts";

/**
 * A page in a form to extract from: HTML as it was sent, HTML that a document was converted to, or a text with its
 * markdown. `source`: the document as it was sent; null when it is binary. `warning`: what is not in it. `textless`: its
 * pages without text, which may be pictures.
 */
export type PageDocument =
  | { kind: "html"; html: string }
  | { kind: "converted"; html: string; source: string | null; warning?: string; textless?: number[] }
  | { kind: "text"; markdown: string; text: string; title: string | null; warning?: string };

/** A document as a server sends it. */
export interface SentDocument {
  body: Uint8Array;
  /** The value of the header `Content-Type`; empty where none is known. */
  contentType: string;
  finalUrl?: string | undefined;
  /** Pages of a PDF that are read, at most. */
  pdfPages?: number | undefined;
  /** What a program has recognised in its pages that are pictures. */
  recognized?: Recognized | undefined;
}

/**
 * Detects the type of a body and decodes it. CPU-bound: call it in a worker thread. The signal ends the reading of a long
 * document, with its reason. Throws a `DocumentError` for a type without text, and for a broken document.
 */
export async function openDocument(document: SentDocument, signal?: AbortSignal): Promise<PageDocument> {
  return await orBroken(() => openTyped(document, signal), signal);
}

async function openTyped(
  { body, contentType, finalUrl, pdfPages, recognized }: SentDocument,
  signal: AbortSignal | undefined,
): Promise<PageDocument> {
  const type = await sniffType(contentType, body, finalUrl);
  const { essence } = type;
  if (essence === "text/html" || essence === "application/xhtml+xml")
    return { kind: "html", html: await decode(body, type, essence === "text/html" ? "html" : "xml") };
  if (essence === "application/pdf") {
    const { readPdf } = await import("./read-pdf.ts");
    return {
      kind: "converted",
      ...(await readPdf(body, { signal, maxPages: pdfPages, recognized })),
      source: null,
    };
  }
  const kind = documentKind(essence);
  if (kind === "notebook") return await notebookDocument(await decode(body, type, "text"));
  if (kind !== undefined) return converted(await readers[kind](body));
  if (isXml(essence)) return xmlDocument(await decode(body, type, "xml"));
  if (isJson(essence)) return fenced("json", prettyJson(await decode(body, type, "text")));
  if (!isText(essence)) throw unsupported(essence);
  const text = await decode(body, type, "text");
  return (await tableDocument(essence, text)) ?? textDocument(type, text);
}

/** What reads documents is loaded when the first of its kind comes. */
const readers: Record<
  Exclude<DocumentKind, "notebook">,
  (body: Uint8Array) => Promise<string | OfficeHtml>
> = {
  docx: async body => (await import("./read-docx.ts")).readDocx(body),
  xlsx: async body => (await import("./read-sheets.ts")).readXlsx(body),
  pptx: async body => (await import("./read-slides.ts")).readPptx(body),
  odf: async body => (await import("./read-odf.ts")).readOdf(body),
  ods: async body => (await import("./read-odf.ts")).readOds(body),
  epub: async body => (await import("./read-epub.ts")).readEpub(body),
  rtf: async body => (await import("./read-rtf.ts")).readRtf(body),
  mail: async body => (await import("./read-mail.ts")).readMail(body),
};

function converted(read: string | OfficeHtml): PageDocument {
  const { html, isCut } = typeof read === "string" ? { html: read, isCut: false } : read;
  return { kind: "converted", html, source: null, ...(isCut && { warning: cutWarning }) };
}

const cutWarning = "The document is too long to be read as a whole: only its beginning was read.";

async function notebookDocument(json: string): Promise<PageDocument> {
  const { readNotebook } = await import("./read-notebook.ts");
  const read = readNotebook(json);
  if (read === undefined) return fenced("json", prettyJson(json));
  const { markdown, isCut } = read;
  return {
    ...{ kind: "text", markdown, text: markdown, title: headingOf(markdown) },
    ...(isCut && { warning: cutWarning }),
  };
}

async function tableDocument(essence: string, text: string): Promise<PageDocument | undefined> {
  const delimiter = delimiters.get(essence);
  if (delimiter === undefined) return undefined;
  const { readCsv } = await import("./read-sheets.ts");
  const html = readCsv(text, delimiter === "any" ? undefined : delimiter);
  return html === undefined ? undefined : { kind: "converted", html, source: text };
}

function unsupported(contentType: string): DocumentError {
  return new DocumentError("unsupported", `A document of type ${contentType} is not read.`, { contentType });
}

/** Decodes a body of a type that is known. */
export async function decode(
  body: Uint8Array,
  { charset }: MediaType,
  syntax: Parameters<typeof decodeText>[2],
): Promise<string> {
  const guess = needsGuess(body, charset, syntax) ? await guessEncoding(body) : undefined;
  return decodeText(body, { charset, guess }, syntax);
}

function xmlDocument(xml: string): PageDocument {
  const isXhtml = /<html\b[^>]*xmlns\s*=\s*["']http:\/\/www\.w3\.org\/1999\/xhtml["']/i.test(
    xml.slice(0, 4096),
  );
  return isXhtml ? { kind: "html", html: xml } : fenced("xml", xml);
}

const maxPrettyLength = 1024 * 1024;
const maxPrettyDepth = 20;

/** Leaves large or deep documents unchanged: indentation would make them many times larger. */
function prettyJson(text: string): string {
  if (text.length > maxPrettyLength) return text;
  try {
    const value: unknown = JSON.parse(text);
    return isDeeper(value, maxPrettyDepth) ? text : JSON.stringify(value, null, 2);
  } catch {
    // Not a single JSON value (JSON lines, for example): unchanged.
    return text;
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some(inner => isDeeper(inner, levels - 1));
}

const proseTypes = new Set(["text/plain", "text/markdown", "text/x-markdown", "text/x-web-markdown"]);

function textDocument({ essence }: MediaType, text: string): PageDocument {
  if (!proseTypes.has(essence)) return fenced(essence.replace(/^.*\/(?:x-)?(?:latex)?/, "") || "tex", text);
  return { kind: "text", markdown: text, text, title: headingOf(text) };
}

/** The first heading of the first level, without the `#`s that close it (CommonMark 0.31, 4.2). */
function headingOf(text: string): string | null {
  const line = /^#[ \t]+(\S.{0,998})/m.exec(text)?.[1];
  return line?.replace(/([ \t]+#+)?\s*$/, "") ?? null;
}

function fenced(language: string, text: string): PageDocument {
  return { kind: "text", markdown: fence(language, text), text, title: null };
}
