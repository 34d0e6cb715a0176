import { escapeHtml } from "../text/escape-html.ts";
import { type Area, needsBlank, type PdfText, type Segment, textOf } from "./pdf-lines.ts";

interface Piece {
  text: string;
  bold: boolean;
  italic: boolean;
  url: string | undefined;
}

/** The words of a document: whether a hyphen at a line's end belongs to the word is seen elsewhere in it. */
export interface Words {
  whole: Set<string>;
  hyphenated: Set<string>;
}

const maxWords = 200_000;

export function wordsOf(lines: Segment[]): Words {
  const words: Words = { whole: new Set(), hyphenated: new Set() };
  for (const line of lines) {
    if (words.whole.size > maxWords) break;
    const text = textOf(line).toLowerCase();
    for (const [word] of text.matchAll(/\p{L}+(?:-\p{L}+)*/gu))
      (word.includes("-") ? words.hyphenated : words.whole).add(word);
  }
  return words;
}

/** Lines of text as one run of HTML, with emphasis and links. */
export function inlineHtml(lines: Segment[], words: Words, isPlain = false): string {
  const pieces = piecesOf(lines, words);
  const isUniform = isPlain || pieces.every(({ text, bold }) => bold || text.trim() === "");
  return pieces.map(piece => pieceHtml(piece, isPlain, isUniform)).join("");
}

/** Lines as plain text. */
export function inlineText(lines: Segment[], words: Words): string {
  return piecesOf(lines, words)
    .map(({ text }) => text)
    .join("")
    .replace(/\s+/g, " ")
    .trim();
}

function pieceHtml({ text, bold, italic, url }: Piece, isPlain: boolean, isUniform: boolean): string {
  const [, before = "", core = "", after = ""] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? [];
  if (core === "") return text;
  let html = escapeHtml(core);
  if (italic && !isPlain) html = `<em>${html}</em>`;
  if (bold && !isUniform) html = `<strong>${html}</strong>`;
  if (url !== undefined) html = `<a href="${escapeHtml(url)}">${html}</a>`;
  return `${before}${html}${after}`;
}

function piecesOf(lines: Segment[], words: Words): Piece[] {
  const pieces: Piece[] = [];
  for (const { texts } of lines) {
    const [first] = texts;
    if (first) joinLine(pieces, first, words);
    for (const [index, text] of texts.entries()) append(pieces, text, needsBlank(texts[index - 1], text));
  }
  for (const piece of pieces) piece.text = piece.text.replace(/(?:[.·…] ?){5,}/g, " … ");
  return pieces;
}

function append(pieces: Piece[], { text, bold, italic, url }: PdfText, blank: boolean): void {
  const last = pieces.at(-1);
  const written = blank ? ` ${text}` : text;
  if (last && ((last.bold === bold && last.italic === italic && last.url === url) || text.trim() === ""))
    last.text += written;
  else if (last && blank) {
    last.text += " ";
    pieces.push({ text, bold, italic, url });
  } else pieces.push({ text: written, bold, italic, url });
}

const unspaced = /[\u2e80-\u312f\u31a0-\u9fff\uf900-\ufaff\uff00-\uffef]/;

/** Ends the line before `next`: with a blank, or without one inside a divided word and between Chinese or Japanese. */
function joinLine(pieces: Piece[], { text: next }: PdfText, words: Words): void {
  const last = pieces.at(-1);
  if (!last) return;
  last.text = last.text.trimEnd();
  const end = last.text.slice(-1);
  const start = next.trimStart().slice(0, 1);
  if (end === "\u00ad") last.text = last.text.slice(0, -1);
  else if (
    /[-\u2010]/.test(end) &&
    /[\p{L}\p{N}]/u.test(last.text.slice(-2, -1)) &&
    /[\p{L}\p{N}]/u.test(start)
  ) {
    if (isDivided(last.text, next, words)) last.text = last.text.slice(0, -1);
  } else if (!(unspaced.test(end) && unspaced.test(start))) last.text += " ";
}

/** Whether the hyphen at a line's end is there for the line only. */
function isDivided(line: string, next: string, { whole, hyphenated }: Words): boolean {
  const before = /\p{L}+$/u.exec(line.slice(-64, -1))?.[0].toLowerCase();
  const after = /^\p{Ll}+/u.exec(next.trimStart().slice(0, 64))?.[0];
  if (before === undefined || after === undefined) return false;
  return whole.has(before + after) || !hyphenated.has(`${before}-${after}`);
}

/** An area of a page that leads somewhere. */
export interface PdfLink extends Area {
  url: string;
  /** The text below it, where the reader knows it. */
  text: string;
}

const band = 20;
const maxBands = 1000;

/** Gives texts the links that are on them; a text that a link covers in part is divided. */
export function withLinks(texts: PdfText[], links: PdfLink[]): PdfText[] {
  if (links.length === 0) return texts;
  const bands = new Map<number, PdfLink[]>();
  for (const link of links) {
    const first = Math.floor(link.top / band);
    const last = Math.min(first + maxBands, Math.floor(link.bottom / band));
    for (let at = first; at <= last; at += 1)
      bands.set(at, [...(bands.get(at) ?? []).slice(-maxPerBand), link]);
  }
  return texts.flatMap(text => {
    // The middle of the letters is above the baseline.
    const middle = text.y - 0.3 * text.size;
    const found = (bands.get(Math.floor(middle / band)) ?? []).filter(
      ({ left, right, top, bottom }) =>
        middle > top && middle < bottom && right > text.x && left < text.x + text.width,
    );
    return divide(
      text,
      found.sort((a, b) => a.left - b.left),
    );
  });
}

const maxPerBand = 100;

function divide(text: PdfText, links: PdfLink[]): PdfText[] {
  const parts: PdfText[] = [];
  let at = 0;
  for (const link of links) {
    const [start, end] = covered(text, link, at);
    if (end <= start) continue;
    if (start > at) parts.push(part(text, at, start));
    parts.push({ ...part(text, start, end), url: link.url });
    at = end;
  }
  if (links.length === 0) return [text];
  if (at < text.text.length) parts.push(part(text, at, text.text.length));
  return parts;
}

function part(whole: PdfText, start: number, end: number): PdfText {
  const perCharacter = whole.width / Math.max(1, whole.text.length);
  return {
    ...whole,
    ...{ text: whole.text.slice(start, end), width: (end - start) * perCharacter },
    x: whole.rtl ? whole.x + whole.width - end * perCharacter : whole.x + start * perCharacter,
  };
}

/** Which characters a link covers, from `least`; whole words, since the widths of characters are estimated. */
function covered(text: PdfText, link: PdfLink, least: number): [start: number, end: number] {
  const { length } = text.text;
  const perCharacter = text.width / Math.max(1, length);
  const [from, to] = text.rtl
    ? [text.x + text.width - link.right, text.x + text.width - link.left]
    : [link.left - text.x, link.right - text.x];
  const start = Math.max(least, Math.round(from / perCharacter));
  const end = Math.min(length, Math.round(to / perCharacter));
  const exact = nearest(text.text, link.text.trim(), start, least);
  if (exact !== undefined) return [exact, exact + link.text.trim().length];
  const isInWord = (at: number) => /\S\S/.test(text.text.slice(Math.max(0, at - 1), at + 1));
  let [first, last] = [start, end];
  while (first > least && isInWord(first)) first -= 1;
  while (last < length && isInWord(last)) last += 1;
  return [first, last];
}

/** Where a text is, the nearest to where it is expected. */
function nearest(whole: string, text: string, expected: number, least: number): number | undefined {
  if (text === "") return undefined;
  const after = whole.indexOf(text, Math.max(least, expected));
  const before = whole.lastIndexOf(text, expected);
  const candidates = [before, after].filter(at => at >= least && Math.abs(at - expected) <= 8);
  candidates.sort((a, b) => Math.abs(a - expected) - Math.abs(b - expected));
  return candidates[0];
}
