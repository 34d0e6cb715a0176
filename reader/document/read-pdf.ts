import { factsOf } from "../pdf/pdf-facts.ts";
import { Fonts } from "../pdf/pdf-fonts.ts";
import { pdfHtml } from "../pdf/pdf-html.ts";
import type { PdfPage } from "../pdf/pdf-lines.ts";
import { readPage } from "../pdf/pdf-page.ts";
import { openPdf, type Pdf } from "../pdf/pdf-source.ts";
import { documentHtml } from "./document-html.ts";

const mostPages = 200;
/** Texts of all pages at most. */
const maxTexts = 400_000;

/**
 * Reads a PDF as HTML, at most its first 200 pages, or fewer. CPU-bound; checks the signal often. Throws when the document is
 * broken or locked, and the signal's reason.
 */
export async function readPdf(
  bytes: Uint8Array,
  signal?: AbortSignal,
  maxPages = mostPages,
): Promise<string> {
  const pdf = await openPdf(bytes);
  try {
    const { pages, left } = await readPages(pdf, Math.min(maxPages, mostPages), signal);
    const { html, heading } = pdfHtml(pages);
    const note = left ? `\n<p>The first ${pages.length} of ${pdf.numPages} pages were read.</p>` : "";
    return documentHtml(await factsOf(pdf, heading), html + note);
  } finally {
    await pdf.loadingTask.destroy();
  }
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
