import { type Line, lineOf, needsBlank, type PdfText, textOf } from "./pdf-lines.ts";

/** How far the lines of one formula may be apart, in parts of the text size: those of a fraction, or limits of a sum. */
const maxGap = 1.6;
const maxLines = 8;
const maxTexts = 500;
/** The part of a line's characters that is of a formula. */
const minShare = 0.5;

/**
 * Joins the lines of a formula that is set by itself to one line: "Q = ∫_0^w v(x) dx". Fractions, limits, raised and lowered
 * signs are written as in plain text.
 */
export function withFormulas(lines: Line[]): Line[] {
  const found: Line[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    let end = at;
    while (end < lines.length && end - at < maxLines && isOfFormula(lines, end, at)) end += 1;
    const group = lines.slice(at, end);
    const count = group.reduce((sum, { texts }) => sum + texts.length, 0);
    if (count <= maxTexts && group.some(isFormula)) {
      found.push(formulaOf(group));
      at = end - 1;
    } else found.push(lines[at] as Line);
  }
  return found;
}

function isOfFormula(lines: Line[], at: number, start: number): boolean {
  const [line, before] = [lines[at] as Line, lines[at - 1]];
  if (!isMath(line)) return false;
  return (
    at === start || (before !== undefined && line.y - before.y <= maxGap * Math.max(line.size, before.size))
  );
}

/** Whether most of a line is in fonts of formulas, or numbers and signs; a formula has no words. */
function isMath({ texts }: Line): boolean {
  let [math, all, hasFont] = [0, 0, false];
  for (const { text, math: isOwn } of texts) {
    const { length } = text.trim();
    all += length;
    if (isOwn === true) hasFont = true;
    math += isOwn === true ? length : (text.match(/[\d=+\-−<>()[\]{},.|/∑∏∫]/g)?.length ?? 0);
  }
  const isIndex = all <= 6 && texts.every(({ text }) => !/\p{L}{3}/u.test(text));
  return isIndex ? hasFont || math === all : hasFont && math >= minShare * all;
}

/** Whether a line says that something is, or is done, with something. */
function isFormula(line: Line): boolean {
  return isMath(line) && line.texts.some(({ math }) => math) && /[=≈≤≥<>∑∏∫→∈+]/.test(textOf(line));
}

interface Part {
  text: string;
  x: number;
  right: number;
  texts: PdfText[];
}

function formulaOf(lines: Line[]): Line {
  const main = lines.reduce((most, line) => (weightOf(line) > weightOf(most) ? line : most));
  const size = Math.max(...main.texts.map(text => text.size));
  const texts = lines.flatMap(line => line.texts).sort((a, b) => a.x - b.x);
  const isOn = ({ y, size: own, text }: PdfText) =>
    largeSign.test(text)
      ? Math.abs(y - main.y) < 1.5 * size
      : own > 0.8 * size && Math.abs(y - main.y) < 0.3 * size;
  const on = texts.filter(isOn).map(text => partOf([text]));
  const off = texts.filter(text => !isOn(text));
  const above = runsOf(off.filter(({ y }) => y < main.y));
  const below = runsOf(off.filter(({ y }) => y >= main.y));
  const parts = [...on, ...fractionsOf(above, below, on, size)].sort((a, b) => a.x - b.x);
  return { ...lineOf([{ ...main, texts: textsOf(parts, main, size) }]), isFormula: true };
}

const largeSign = /^[∑∏∫∐⋃⋂⨁⨂]$/;

/** The line that has most signs of the text's size, and one that says that something is. */
function weightOf(line: Line): number {
  const bySize = line.texts.reduce((sum, { text, size }) => sum + text.trim().length * size, 0);
  return bySize + (/[=≈≤≥<>]/.test(textOf(line)) ? 1000 : 0);
}

function partOf(texts: PdfText[]): Part {
  const [first, last] = [texts[0] as PdfText, texts.at(-1) as PdfText];
  const text = texts.map((each, at) => (needsBlank(texts[at - 1], each) ? " " : "") + each.text).join("");
  return { text, x: first.x, right: last.x + last.width, texts };
}

/** Texts above or below that follow one another. */
function runsOf(texts: PdfText[]): Part[] {
  const runs: PdfText[][] = [];
  for (const text of texts) {
    const last = runs.at(-1)?.at(-1);
    if (last && text.x - last.x - last.width < 0.4 * text.size) runs.at(-1)?.push(text);
    else runs.push([text]);
  }
  return runs.map(partOf);
}

/** What is above and below: a fraction where both are in the same place, limits of a sign, or raised and lowered. */
function fractionsOf(above: Part[], below: Part[], on: Part[], size: number): Part[] {
  const open = [...below];
  const parts: Part[] = [];
  for (const top of above) {
    const at = open.findIndex(bottom => overlap(top, bottom) > 0.3 * Math.min(widthOf(top), widthOf(bottom)));
    const isOver = on.some(each => overlap(each, top) > 0.3 * Math.min(widthOf(each), widthOf(top)));
    const isSmall = top.texts.every(text => text.size < 0.8 * size);
    if (at >= 0 && !isOver && !isSmall) {
      const [bottom] = open.splice(at, 1) as [Part];
      parts.push({ ...top, text: `${grouped(top.text, ["(", ")"])}/${grouped(bottom.text, ["(", ")"])}` });
    } else parts.push(indexOf(top, "^", on));
  }
  return [...parts, ...open.map(bottom => indexOf(bottom, "_", on))];
}

/** Limits are behind their sign, which may be below or above them; other indexes are where they are. */
function indexOf(part: Part, mark: string, on: Part[]): Part {
  const [own] = part.texts;
  const sign = on.find(({ text, x, right, texts: [each] }) => {
    const isFar = own && each && Math.abs(own.y - each.y) > 0.3 * each.size;
    return isFar && largeSign.test(text) && part.x < right + 5 && part.right > x - 5;
  });
  const x = sign ? sign.right - (mark === "_" ? 0.02 : 0.01) : part.x;
  return { ...part, x, text: `${mark}${grouped(part.text, ["{", "}"])}` };
}

function grouped(text: string, [open, close]: [string, string]): string {
  return /^(?:[\p{L}\p{N}∂∆∇]{1,3}|\p{N}+)$/u.test(text) ? text : `${open}${text}${close}`;
}

function overlap(a: Part, b: Part): number {
  return Math.min(a.right, b.right) - Math.max(a.x, b.x);
}

function widthOf({ x, right }: Part): number {
  return Math.max(1, right - x);
}

/** The parts as texts of one line, with blanks where there are gaps; indexes follow what they belong to. */
function textsOf(parts: Part[], { y }: Line, size: number): PdfText[] {
  const [style] = parts[0]?.texts ?? [];
  if (!style) return [];
  let [text, right] = ["", Number.POSITIVE_INFINITY];
  for (const part of parts) {
    const isIndex = /^[_^]/.test(part.text);
    text += (!isIndex && part.x - right > 0.15 * size ? " " : "") + part.text;
    right = Math.max(part.right, Number.isFinite(right) ? right : part.right);
  }
  const x = parts[0]?.x ?? 0;
  return [{ ...style, text, x, y, size, width: Math.max(1, right - x), italic: false, math: true }];
}
