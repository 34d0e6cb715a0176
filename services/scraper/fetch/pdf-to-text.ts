import { getDocumentProxy } from "unpdf";
import { fail } from "../../contracts/errors.ts";

export interface PdfText {
  title: string | null;
  /** Text of each page, at most the first 200. */
  pages: string[];
}

const maxPages = 200;

/**
 * The text of a PDF, page by page. CPU-bound between pages; the signal is heeded between them. Throws
 * `upstream_error` when the document is broken or locked, and the signal's reason.
 */
export async function pdfToText(bytes: Uint8Array, signal: AbortSignal): Promise<PdfText> {
  const pdf = await open(bytes);
  try {
    const pages: string[] = [];
    for (let number = 1; number <= Math.min(pdf.numPages, maxPages); number++) {
      signal.throwIfAborted();
      pages.push(await pageText(pdf, number));
    }
    return { title: await titleOf(pdf), pages };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

async function open(bytes: Uint8Array): Promise<Pdf> {
  try {
    // The parser takes the buffer over, so it is given a copy.
    return await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0 });
  } catch (cause) {
    throw fail("upstream_error", "The PDF is broken or locked.", {}, cause);
  }
}

async function pageText(pdf: Pdf, number: number): Promise<string> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  const text = items.map(item => ("str" in item ? `${item.str}${item.hasEOL ? "\n" : ""}` : "")).join("");
  page.cleanup();
  return text.trim();
}

async function titleOf(pdf: Pdf): Promise<string | null> {
  const { info } = await pdf.getMetadata();
  const title: unknown = (info as { Title?: unknown }).Title;
  return typeof title === "string" && title.trim() !== "" ? title.trim() : null;
}
