import { fieldOf } from "./pdf-fields.ts";
import type { Fonts } from "./pdf-fonts.ts";
import type { PdfLink } from "./pdf-inline.ts";
import type { Area, PdfPage, PdfTag } from "./pdf-lines.ts";
import type { Items, Page } from "./pdf-source.ts";
import { quarterOf, type TurnedText, turnedPage } from "./pdf-turns.ts";

/** Texts of one page at most. A page of a book has some hundred texts. */
const maxPageTexts = 50_000;
const maxAnnotations = 2000;

/** Reads what a page shows: its texts, the values of its forms, and where its links lead. */
export async function readPage(page: Page, fonts: Fonts, signal?: AbortSignal): Promise<PdfPage> {
  const { width, height, transform } = page.getViewport({ scale: 1 });
  const items = await textItems(page, fonts, signal);
  // A page of more is no page that anybody reads; to interpret it would take too much memory.
  if (items.length < maxPageTexts) await fonts.load(page, new Set(items.map(item => item.fontName)));
  const tags = await tagsOf(page);
  const texts = items.flatMap(item => {
    const text = textOf(item, transform, fonts);
    return text ? { ...text, tag: tags.get(item.mark ?? "") } : [];
  });
  const annotations: unknown[] = await page.getAnnotations();
  const links: PdfLink[] = [];
  const fields = annotations.slice(0, maxAnnotations).flatMap(each => {
    const annotation = each as Record<string, unknown>;
    const area = areaOf(annotation.rect, transform);
    if (!area) return [];
    const { subtype, url, overlaidText } = annotation;
    if (subtype === "Link" && typeof url === "string")
      links.push({ ...area, url, text: typeof overlaidText === "string" ? overlaidText : "" });
    return subtype === "Widget" ? (fieldOf(annotation, area) ?? []) : [];
  });
  return turnedPage({ texts, links, fields }, { width, height });
}

/** `mark`: the id of the marked content around it. */
type TextItem = Extract<Items["items"][number], { str: string }> & { mark?: string };

const maxMarks = 500;

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
      else if (marks.length < maxMarks) marks.push(item.id || marks.at(-1));
    }
    if (found.length < maxPageTexts) continue;
    await reader.cancel(new Error("The page has too many texts.")).catch(() => undefined);
    return found;
  }
}

const farthest = 20_000;
const maxSize = 500;

function textOf(item: TextItem, viewport: number[], fonts: Fonts): TurnedText | undefined {
  const text = fonts.written(item.str, item.fontName);
  const [a, b, c, d, x, y] = multiply(viewport, item.transform);
  const size = Math.hypot(c, d);
  // Lines of vertical writing lead downwards; their length is the item's height.
  const isVertical = item.dir === "ttb";
  const width = isVertical ? item.height : item.width;
  if (text.trim() === "" || ![a, b, size, x, y, width].every(Number.isFinite)) return undefined;
  return {
    ...{ text, ...fonts.style(item.fontName) },
    ...{ x: clamp(x), y: clamp(y), width: clamp(width) },
    size: Math.min(maxSize, Math.max(1, size)),
    rtl: item.dir === "rtl",
    quarter: isVertical ? quarterOf(-c, -d) : quarterOf(a, b),
  };
}

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

/** Where an annotation is on the page as it is shown. */
function areaOf(rect: unknown, viewport: number[]): Area | undefined {
  if (!Array.isArray(rect) || rect.length < 4) return undefined;
  const [, , , , x1, y1] = multiply(viewport, [1, 0, 0, 1, Number(rect[0]), Number(rect[1])]);
  const [, , , , x2, y2] = multiply(viewport, [1, 0, 0, 1, Number(rect[2]), Number(rect[3])]);
  if (![x1, y1, x2, y2].every(Number.isFinite)) return undefined;
  return {
    ...{ left: Math.min(x1, x2), right: Math.max(x1, x2) },
    ...{ top: Math.min(y1, y2), bottom: Math.max(y1, y2) },
  };
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
