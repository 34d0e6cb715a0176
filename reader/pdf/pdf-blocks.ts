import type { Flow } from "./pdf-columns.ts";
import {
  beginsTaggedItem,
  type Line,
  type Marker,
  markerOf,
  type PdfText,
  type Segment,
  textOf,
} from "./pdf-lines.ts";
import { isAllBold, type TextStyle } from "./pdf-style.ts";
import { type TableBlock, tableAt } from "./pdf-tables.ts";

/** A part of a document; its lines are joined to one text. */
export type Block =
  | { kind: "heading"; level: number; lines: Segment[] }
  | { kind: "paragraph"; lines: Segment[] }
  | { kind: "code"; lines: Segment[] }
  | ListItem
  | TableBlock;

export interface ListItem {
  kind: "item";
  marker: Marker;
  /** Where the marker is. */
  x: number;
  lines: Segment[];
}

/** Divides the lines of a flow into headings, paragraphs, items, code and tables. */
export function blocksOf(flow: Flow, style: TextStyle): Block[] {
  const blocks: Block[] = [];
  const { lines } = flow;
  const rights = measuresOf(flow, style);
  let refused = { end: 0, tries: 0 };
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] as Line;
    const mayBeTable =
      line.segments.length > 1 && !isCode(line, style) && !markerOf(line) && !isNumberedHeading(line, style);
    if (at >= refused.end) refused = { end: at, tries: 0 };
    if (mayBeTable && refused.tries < maxTries) {
      const { table, length } = tableAt(lines, at, style.pitch);
      if (table) {
        blocks.push(table);
        at += length;
        continue;
      }
      refused = { end: Math.max(refused.end, at + length), tries: refused.tries + 1 };
    }
    const before = at === 0 ? undefined : lines[at - 1];
    add(blocks, line, { before, after: lines[at + 1], right: rights[at - 1] ?? flow.right, style });
    at += 1;
  }
  return blocks;
}

/** How often a table is looked for in lines that looked like one. */
const maxTries = 4;

interface Around {
  before: Line | undefined;
  after: Line | undefined;
  /** Where the text of the line before ends when it is wrapped. */
  right: number;
  style: TextStyle;
}

function add(blocks: Block[], line: Line, around: Around): void {
  const last = blocks.at(-1);
  if (line.isFormula) {
    blocks.push({ kind: "paragraph", lines: [line] });
    return;
  }
  const level = headingLevel(line, around);
  if (level !== undefined) {
    if (last?.kind === "heading" && last.level === level && isSameText(line, around)) last.lines.push(line);
    else blocks.push({ kind: "heading", level, lines: [line] });
    return;
  }
  if (isCode(line, around.style)) {
    if (last?.kind === "code" && isNear(line, around, 2.5)) last.lines.push(line);
    else blocks.push({ kind: "code", lines: [line] });
    return;
  }
  const isDrawn = beginsTaggedItem(line, around.before);
  const marker = markerOf(line) ?? (isDrawn ? { text: "•", line, rest: line } : undefined);
  if (marker) {
    blocks.push({ kind: "item", marker, x: line.x, lines: [marker.rest] });
  } else if (last && continues(last, line, around)) {
    last.lines.push(line);
  } else {
    blocks.push({ kind: "paragraph", lines: [line] });
  }
}

/** A number and a title apart, larger than the text. */
function isNumberedHeading(line: Line, { levels, step }: TextStyle): boolean {
  const [number] = line.segments;
  return (
    line.segments.length === 2 && levels.has(step(line.size)) && isNumber.test(number ? textOf(number) : "")
  );
}

const isNumber = /^\s*(?:[A-Z]|\d{1,2}|[IVX]{1,5})(?:\.\d{1,2})*\.?\s*$/;
const maxHeading = 200;
const maxBoldHeading = 120;
/** The dots between an entry of a table of contents and its page. */
const leader = /(?:\. ?){5}/;

/** 1 to 6; undefined for a line that is none. */
function headingLevel(line: Line, { before, after, right, style }: Around): number | undefined {
  if (style.isTagged) return line.texts[0]?.tag?.heading;
  const text = textOf(line).trim();
  if (text.length > maxHeading || !/[\p{L}\p{N}]/u.test(text) || leader.test(text)) return undefined;
  const isLarge = line.size >= style.plainRatio * style.size || isAllBold(line);
  const level = isLarge ? style.levels.get(style.step(line.size)) : undefined;
  if (level !== undefined) return level;
  const isApart = (other: Line | undefined) =>
    other === undefined || Math.abs(line.y - other.y) > style.pitch * 1.2 * line.size;
  const opens =
    before === undefined ||
    isApart(before) ||
    style.levels.has(style.step(before.size)) ||
    !isWrapped(before, line, right);
  if (!opens || text.length > maxBoldHeading || /[.,;]$/.test(text) || line.size < style.size * 0.9)
    return undefined;
  const depth = /^\d{1,2}((?:\.\d{1,2}){1,4})\.?\s+\p{L}/u.exec(text)?.[1]?.split(".").length ?? 1;
  const isBold = style.boldIsRare && isAllBold(line) && !(after && isAllBold(after) && !isApart(after));
  const isNumbered = depth > 1 && isApart(after) && !/^\d/.test(after ? textOf(after) : "");
  return isBold || isNumbered ? Math.min(6, style.boldLevel + depth - 1) : undefined;
}

/** The second line of a heading. */
function isSameText(line: Line, { before }: Around): boolean {
  return before !== undefined && line.y - before.y < 1.6 * line.size && Math.abs(line.size - before.size) < 1;
}

function isCode({ texts }: Segment, { monoIsRare }: TextStyle): boolean {
  return monoIsRare && texts.every((text: PdfText) => text.mono || text.text.trim() === "");
}

function isNear(line: Line, { before, style }: Around, factor = 1.25): boolean {
  return before !== undefined && line.y - before.y <= style.pitch * factor * Math.max(line.size, before.size);
}

/** Whether a line continues the text of the block before it. */
function continues(
  block: Block,
  line: Line,
  around: Around,
): block is Extract<Block, { kind: "paragraph" | "item" }> {
  const { before, right, style } = around;
  if (!before || before.isFormula || !isNear(line, around) || box.test(textOf(line))) return false;
  if (fieldOf(before) !== fieldOf(line)) return false;
  if (Math.abs(line.size - before.size) > 0.15 * style.size) return false;
  if (block.kind === "item") return line.x > block.x + 0.3 * line.size || isWrapped(before, line, right);
  if (block.kind !== "paragraph" || !isWrapped(before, line, right) || leader.test(textOf(before)))
    return false;
  const isIndented = line.x > before.x + 0.8 * line.size && line.x < before.x + 5 * line.size;
  // A paragraph may begin with an indented line; a later line that is indented begins another.
  return !isIndented || (block.lines.length === 1 && !sentenceEnd.test(textOf(before).trim()));
}

/** The box of a form begins a line of its own. */
const box = /^\s*[☐☑]/;
function fieldOf({ texts }: Segment): number | undefined {
  return texts.find(({ field }) => field !== undefined)?.field;
}

const sentenceEnd = /[.!?:;。！？]["'”’)\]]?$/;

/** Whether a line ends because the first word of the next one did not fit. */
function isWrapped(line: Line, next: Line, right: number): boolean {
  if (/\p{L}[-\u00ad\u2010]\s*$/u.test(textOf(line))) return true;
  const [word = ""] = textOf(next).trimStart().split(/\s/, 1);
  const perCharacter = (next.right - next.x) / Math.max(1, textOf(next).length);
  // Chinese and Japanese break at any character.
  const characters = unspaced.test(word) ? 1 : word.length + 1;
  return line.right + characters * perCharacter > right - 0.8 * line.size;
}

const unspaced = /[\u2e80-\u312f\u31a0-\u9fff\uff00-\uffef]/;
/** Lines of at least this part of their flow are wrapped at their own right edge. */
const wideShare = 0.6;

/** Tells for each line where its text is wrapped. Short lines whose ends differ are not wrapped at all. */
function measuresOf({ x, right, lines }: Flow, style: TextStyle): number[] {
  const measures: number[] = [];
  for (let start = 0; start < lines.length; start = measures.length) {
    let end = start + 1;
    while (end < lines.length && areOfOneText(lines[end - 1] as Line, lines[end] as Line, style)) end += 1;
    const group = lines.slice(start, end);
    const edge = group.reduce((most, line) => Math.max(most, line.right), 0);
    const width = edge - x;
    const reaching = group.slice(0, -1).filter(line => line.right > edge - 0.12 * width).length;
    const isWrapped = width >= wideShare * (right - x) || reaching >= 2;
    for (let at = start; at < end; at += 1) measures.push(isWrapped ? edge : right);
  }
  return measures;
}

function areOfOneText(before: Line, line: Line, { pitch }: TextStyle): boolean {
  const isNear = line.y - before.y <= pitch * 1.25 * Math.max(line.size, before.size);
  return isNear && Math.abs(line.size - before.size) < 1;
}
