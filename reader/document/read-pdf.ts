import { Fonts } from "../pdf/pdf-fonts.ts";
import { pdfHtml } from "../pdf/pdf-html.ts";
import type { PdfPage } from "../pdf/pdf-lines.ts";
import { readPage } from "../pdf/pdf-page.ts";
import { openPdf, type Pdf } from "../pdf/pdf-source.ts";
import { type RecognizedPage, recognizedTexts } from "../pdf/recognized-text.ts";
import { type DocumentFacts, documentHtml } from "./document-html.ts";

const mostPages = 200;
/** Texts of all pages at most. */
const maxTexts = 400_000;

export interface PdfOptions {
  signal?: AbortSignal | undefined;
  /** Pages that are read at most; never more than 200. */
  maxPages?: number | undefined;
  /** What a program has recognised in pages that are pictures, by their numbers from 1. */
  recognized?: Recognized | undefined;
}

export interface Recognized {
  pages: Record<number, RecognizedPage>;
  /** Pages that are pictures, and that were left: there was no time. */
  left: number[];
}

export interface PdfDocument {
  html: string;
  /** The pages without text, by their numbers from 1, where there are any. They may be pictures, which `scanOf` gives. */
  textless?: number[];
  warning?: string;
}

/**
 * Reads a PDF as HTML, at most its first 200 pages, or fewer. CPU-bound; checks the signal often. Throws when the document is
 * broken or locked, and the signal's reason.
 */
export async function readPdf(bytes: Uint8Array, options: PdfOptions = {}): Promise<PdfDocument> {
  const { signal, maxPages = mostPages, recognized } = options;
  const pdf = await openPdf(bytes);
  try {
    const { pages, left } = await readPages(pdf, Math.min(maxPages, mostPages), signal);
    const textless = pages.flatMap(({ texts }, at) => (texts.length === 0 ? [at + 1] : []));
    for (const number of textless) {
      const [page, found] = [pages[number - 1], recognized?.pages[number]];
      if (page && found) page.texts = recognizedTexts(found, page);
    }
    const { html, heading } = pdfHtml(pages);
    const note = left ? `\n<p>The first ${pages.length} of ${pdf.numPages} pages were read.</p>` : "";
    const warning = recognized && warningOf(recognized);
    return {
      html: documentHtml(await factsOf(pdf, heading), html + note),
      ...(textless.length > 0 && { textless }),
      ...(warning && { warning }),
    };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

function warningOf({ pages, left }: Recognized): string {
  const found = Object.keys(pages).map(Number);
  const [only, several] = ["is a picture", "are pictures"];
  const said = (numbers: number[], what: string) =>
    numbers.length === 0 ? "" : `${listed(numbers)} ${numbers.length === 1 ? only : several}${what}`;
  return [
    said(found, ", whose text was recognised; it may have errors."),
    said(left, ", whose text was not read."),
  ]
    .filter(Boolean)
    .join(" ");
}

/** "Pages 1 to 3 and 7". */
function listed(numbers: number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  const parts = runs.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`));
  const all = new Intl.ListFormat("en").format(parts);
  return `${numbers.length === 1 ? "Page" : "Pages"} ${all}`;
}

async function readPages(
  pdf: Pdf,
  maxPages: number,
  signal?: AbortSignal,
): Promise<{ pages: PdfPage[]; left: boolean }> {
  const pages: PdfPage[] = [];
  const fonts = new Fonts();
  let texts = 0;
  for (let number = 1; number <= Math.min(pdf.numPages, maxPages) && texts < maxTexts; number += 1) {
    signal?.throwIfAborted();
    const page = await pdf.getPage(number);
    const read = await readPage(page, fonts, signal);
    pages.push(read);
    texts += read.texts.length;
    page.cleanup();
  }
  return { pages, left: pages.length < pdf.numPages };
}

/** Names that programs give to documents that have none. */
const nameOfFile =
  /^(about:|https?:|microsoft (word|powerpoint|excel) - |untitled\b|no title$|slide 1$|\(?(anonymous|unspecified|unnamed)\)?$|(document|dokument|documento)\d*$)|\.(docx?|pptx?|xlsx?|indd|tex|dvi|pdf|rtf|odt|qxd)$/i;
const nobody = /^\(?(anonymous|unspecified|unknown|none|n\/a|user|owner|admin(istrator)?)\)?$/i;

/** What a document says of itself. The title is that of its first heading where it says none. */
async function factsOf(pdf: Pdf, heading: string | undefined): Promise<DocumentFacts> {
  const { info } = await pdf.getMetadata();
  const entry = (name: string, isNone = nobody) => {
    const value: unknown = (info as Record<string, unknown>)[name];
    const text = typeof value === "string" ? value.trim().slice(0, 2000) : "";
    return text === "" || isNone.test(text) ? undefined : text;
  };
  return {
    title: entry("Title", nameOfFile) ?? heading,
    author: entry("Author"),
    description: entry("Subject"),
    keywords: entry("Keywords"),
    language: entry("Language"),
    created: dateOf(entry("CreationDate")),
    modified: dateOf(entry("ModDate")),
  };
}

/** `D:20260131120000+01'00'` (PDF 2.0, 7.9.4) as ISO 8601. */
function dateOf(text: string | undefined): string | undefined {
  const found = /^(?:D:)?(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(?:Z|([+-]\d\d)'?(\d\d))?/.exec(text ?? "");
  if (!found) return undefined;
  const [, year, month, day, hour, minute, second = "00", hours, minutes = "00"] = found;
  const zone = hours === undefined ? "Z" : `${hours}:${minutes}`;
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
