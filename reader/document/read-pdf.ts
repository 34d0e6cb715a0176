import { getDocumentProxy } from "unpdf";
import { PackedCMaps } from "../pdf/cmaps.ts";
import { pdfHtml } from "../pdf/pdf-html.ts";
import { type PdfLink, withLinks } from "../pdf/pdf-inline.ts";
import type { PdfPage, PdfTag, PdfText } from "../pdf/pdf-lines.ts";
import { type DocumentFacts, documentHtml } from "./document-html.ts";

const mostPages = 200;
/** Texts of one page, and of all pages, at most. A page of a book has some hundred texts. */
const maxPageTexts = 50_000;
const maxTexts = 400_000;
const maxLinks = 2000;
/** Fonts are known only after all of a page was interpreted, which may be slow; most documents have theirs on the first pages. */
const maxFontPages = 20;

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;
type Page = Awaited<ReturnType<Pdf["getPage"]>>;
type Items = Awaited<ReturnType<Page["getTextContent"]>>;

/**
 * Reads a PDF as HTML, at most its first 200 pages, or fewer. CPU-bound; checks the signal often. Throws when the document is
 * broken or locked, and the signal's reason.
 */
export async function readPdf(
  bytes: Uint8Array,
  signal?: AbortSignal,
  maxPages = mostPages,
): Promise<string> {
  const pdf = await open(bytes);
  try {
    const { pages, left } = await readPages(pdf, Math.min(maxPages, mostPages), signal);
    const { html, heading } = pdfHtml(pages);
    const note = left ? `\n<p>The first ${pages.length} of ${pdf.numPages} pages were read.</p>` : "";
    return documentHtml(await factsOf(pdf, heading), html + note);
  } finally {
    await pdf.loadingTask.destroy();
  }
}

async function open(bytes: Uint8Array): Promise<Pdf> {
  // The parser takes ownership of the buffer, so it gets a copy. Images are not decoded.
  return await getDocumentProxy(Uint8Array.from(bytes), {
    ...{ verbosity: 0, maxImageSize: 1, disableFontFace: true, isEvalSupported: false },
    ...{ BinaryDataFactory: PackedCMaps, useWorkerFetch: false },
  });
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

async function readPage(page: Page, fonts: Fonts, signal?: AbortSignal): Promise<PdfPage> {
  const { width, height, transform } = page.getViewport({ scale: 1 });
  const items = await textItems(page, fonts, signal);
  // A page of more is no page that anybody reads; to interpret it would take too much memory.
  if (items.length < maxPageTexts) await fonts.load(page, new Set(items.map(item => item.fontName)));
  const tags = await tagsOf(page);
  const texts: PdfText[] = [];
  let turned = 0;
  for (const item of items) {
    const text = item.str.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "");
    const [a, b, c, d, x, y] = multiply(transform, item.transform);
    const size = Math.hypot(c, d);
    if (text.trim() === "" || ![a, b, size, x, y, item.width].every(Number.isFinite)) continue;
    const isTurned = Math.abs(b) > 0.1 * Math.hypot(a, b);
    // What is written across the page comes behind it, line by line.
    if (isTurned) turned += 1;
    texts.push({
      ...{ text, ...fonts.style(item.fontName) },
      x: isTurned ? 0 : clamp(x),
      y: isTurned ? height + 2 * turned * size : clamp(y),
      width: clamp(item.width),
      size: Math.min(500, Math.max(1, size)),
      rtl: item.dir === "rtl",
      tag: tags.get(item.mark ?? ""),
    });
  }
  return { width, height, texts: withLinks(texts, await linksOf(page, transform)) };
}

const farthest = 20_000;

function clamp(value: number): number {
  return Math.min(farthest, Math.max(-farthest, value));
}

type Matrix = [number, number, number, number, number, number];

function multiply(m: number[], n: number[]): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = m;
  const [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0] = n;
  return [
    ...[a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j],
    ...[a * k + c * l + e, b * k + d * l + f],
  ] as Matrix;
}

/** `mark`: the id of the marked content around it. */
type TextItem = Extract<Items["items"][number], { str: string }> & { mark?: string };

async function textItems(page: Page, fonts: Fonts, signal?: AbortSignal): Promise<TextItem[]> {
  const found: TextItem[] = [];
  const marks: (string | undefined)[] = [];
  const reader = (
    page.streamTextContent({ includeMarkedContent: true }) as ReadableStream<Items>
  ).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return found;
    signal?.throwIfAborted();
    fonts.addFamilies(value.styles);
    for (const item of value.items) {
      if ("str" in item) {
        if (item.str.trim() !== "") found.push({ ...item, ...(marks.at(-1) && { mark: marks.at(-1) }) });
      } else if (item.type === "endMarkedContent") marks.pop();
      else if (marks.length < maxDepth) marks.push(item.id || marks.at(-1));
    }
    if (found.length < maxPageTexts) continue;
    await reader.cancel(new Error("The page has too many texts.")).catch(() => undefined);
    return found;
  }
}

const maxDepth = 500;
const maxTags = 100_000;

/** Tells for each id of marked content what the structure of a tagged PDF says of it (PDF 2.0, 14.8.4). */
async function tagsOf(page: Page): Promise<Map<string, PdfTag>> {
  const tags = new Map<string, PdfTag>();
  let count = 0;
  const visit = (node: StructureNode, tag: PdfTag, depth: number): void => {
    count += 1;
    if (depth > maxDepth || tags.size > maxTags) return;
    if (node.type === "content" && node.id !== undefined) tags.set(node.id, tag);
    const inner = tagWithin(node.role, tag, count);
    for (const child of node.children ?? []) visit(child, inner, depth + 1);
  };
  const tree: unknown = await page.getStructTree();
  if (tree) visit(tree as StructureNode, {}, 0);
  return tags;
}

interface StructureNode {
  role?: string;
  type?: string;
  id?: string;
  children?: StructureNode[];
}

function tagWithin(role: string | undefined, tag: PdfTag, id: number): PdfTag {
  const level = /^H([1-6])$/.exec(role ?? "")?.[1];
  if (level !== undefined) return { ...tag, heading: Number(level) };
  if (role === "LI") return { ...tag, item: id };
  if (role === "TD" || role === "TH") return { ...tag, cell: id };
  return tag;
}

type FontStyle = Pick<PdfText, "bold" | "italic" | "mono">;

const plain: FontStyle = { bold: false, italic: false, mono: false };

/** The styles of a document's fonts, by the reader's names for them. */
class Fonts {
  private readonly families = new Map<string, string>();
  private readonly styles = new Map<string, FontStyle>();
  private interpreted = 0;

  addFamilies(styles: Items["styles"]): void {
    for (const [name, { fontFamily }] of Object.entries(styles)) this.families.set(name, fontFamily);
  }

  style(name: string): FontStyle {
    return this.styles.get(name) ?? { ...plain, mono: this.families.get(name) === "monospace" };
  }

  /** Interprets the page when it has fonts that are not known. */
  async load(page: Page, names: Set<string>): Promise<void> {
    const unknown = [...names].filter(name => !this.styles.has(name));
    if (unknown.length === 0 || this.interpreted >= maxFontPages) return;
    this.interpreted += 1;
    await page.getOperatorList();
    for (const name of unknown) if (page.commonObjs.has(name)) this.styles.set(name, this.read(page, name));
  }

  private read(page: Page, id: string): FontStyle {
    const font = page.commonObjs.get(id) as Partial<Record<"name" | "bold" | "black" | "italic", unknown>>;
    const name = String(font.name ?? "").replace(/^[A-Z]{6}\+/, "");
    return {
      bold: font.bold === true || font.black === true || /bold|black|heavy|demi|-(b|bi|bx)$/i.test(name),
      italic: font.italic === true || /ital|obli/i.test(name),
      mono: /mono|courier|consol|menlo|typewriter|^cmtt/i.test(name) || this.families.get(id) === "monospace",
    };
  }
}

async function linksOf(page: Page, transform: number[]): Promise<PdfLink[]> {
  const annotations: unknown[] = await page.getAnnotations();
  return annotations.slice(0, maxLinks).flatMap(annotation => {
    const { subtype, url, rect, overlaidText } = annotation as Record<string, unknown>;
    if (subtype !== "Link" || typeof url !== "string" || !Array.isArray(rect)) return [];
    const [, , , , x1, y1] = multiply(transform, [1, 0, 0, 1, Number(rect[0]), Number(rect[1])]);
    const [, , , , x2, y2] = multiply(transform, [1, 0, 0, 1, Number(rect[2]), Number(rect[3])]);
    return {
      ...{ left: Math.min(x1, x2), right: Math.max(x1, x2), top: Math.min(y1, y2), bottom: Math.max(y1, y2) },
      ...{ url, text: typeof overlaidText === "string" ? overlaidText : "" },
    };
  });
}

const nameOfFile =
  /^(about:|https?:|microsoft (word|powerpoint|excel) - |untitled\b|slide 1$)|\.(docx?|pptx?|xlsx?|indd|tex|dvi|pdf|rtf|odt|qxd)$/i;

async function factsOf(pdf: Pdf, heading: string | undefined): Promise<DocumentFacts> {
  const { info } = await pdf.getMetadata();
  const entry = (name: string) => {
    const value: unknown = (info as Record<string, unknown>)[name];
    return typeof value === "string" && value.trim() !== "" ? value.trim().slice(0, 2000) : undefined;
  };
  const title = entry("Title");
  return {
    title: title !== undefined && !nameOfFile.test(title) ? title : (heading ?? title),
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
