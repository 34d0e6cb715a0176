import { decodeXML } from "entities";
import type { PdfPage, PdfText } from "./pdf-lines.ts";

/** The text that a program has recognised in the picture of a page, as hOCR, and the size of that picture. */
export interface RecognizedPage {
  hocr: string;
  width: number;
  height: number;
}

const maxWords = 20_000;
const minConfidence = 20;
/** Sizes of lines that differ from most by no more are the same: they are measured in the picture. */
const sameSize = 0.22;

interface Word {
  text: string;
  x: number;
  right: number;
  y: number;
  size: number;
}

/** The words of a page where they are on it, so that they are read as the texts of other pages are. Linear in the hOCR. */
export function recognizedTexts({ hocr, width, height }: RecognizedPage, page: PdfPage): PdfText[] {
  const words = wordsOf(hocr);
  const [scaleX, scaleY] = [page.width / Math.max(1, width), page.height / Math.max(1, height)];
  const usual = usualSizeOf(words);
  return words.map(({ text, x, right, y, size }) => ({
    // Words are apart, however narrow the gap is, but in Chinese and Japanese.
    text: unspaced.test(text) ? text : `${text} `,
    ...{ x: x * scaleX, y: y * scaleY, width: Math.max(1, (right - x) * scaleX) },
    size: Math.max(1, (Math.abs(size - usual) <= sameSize * usual ? usual : size) * scaleY),
    ...{ bold: false, italic: false, mono: false, rtl: isRightToLeft.test(text) },
  }));
}

const unspaced = /[\u2e80-\u312f\u31a0-\u9fff\uff00-\uffef]$/;
const isRightToLeft = /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}]/u;

const element =
  /<span class=['"](ocr_line|ocr_header|ocr_caption|ocr_textfloat|ocrx_word)['"][^>]*? title=(?:"([^"]*)"|'([^']*)')[^>]*>/g;

/** The words of hOCR 1.2, with the baselines and sizes of their lines. */
function wordsOf(hocr: string): Word[] {
  const words: Word[] = [];
  let line = { left: 0, bottom: 0, slope: 0, offset: 0, size: 10 };
  for (const found of hocr.matchAll(element)) {
    if (words.length >= maxWords) break;
    const [whole, kind, double, single] = found;
    const title = double ?? single ?? "";
    const [x = 0, top = 0, right = 0, bottom = 0] = numbersAfter("bbox", title);
    if (kind !== "ocrx_word") {
      const [slope = 0, offset = 0] = numbersAfter("baseline", title);
      const [size = bottom - top] = numbersAfter("x_size", title);
      line = { left: x, bottom, slope, offset, size };
      continue;
    }
    const [confidence = 100] = numbersAfter("x_wconf", title);
    const start = found.index + whole.length;
    const end = hocr.indexOf("</span>", start);
    const text = decodeXML(
      hocr.slice(start, end < 0 ? start : Math.min(end, start + maxWordLength)).replace(/<[^>]*>/g, ""),
    );
    if (text.trim() === "" || confidence < minConfidence || right <= x) continue;
    const y = line.bottom + line.offset + line.slope * (x - line.left);
    words.push({ text: text.trim(), x, right, y, size: Math.max(1, line.size) });
  }
  return words;
}

const maxWordLength = 2000;

function numbersAfter(name: string, title: string): number[] {
  const part = title.split(";").find(each => each.trim().startsWith(`${name} `));
  return (part?.trim().split(/\s+/).slice(1) ?? []).map(Number).filter(Number.isFinite);
}

/** The size of the middle character. */
function usualSizeOf(words: Word[]): number {
  const sorted = [...words].sort((a, b) => a.size - b.size);
  const all = sorted.reduce((sum, { text }) => sum + text.length, 0);
  let seen = 0;
  const middle = sorted.find(({ text }) => {
    seen += text.length;
    return seen >= all / 2;
  });
  return middle?.size ?? 10;
}
