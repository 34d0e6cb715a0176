import { tableHtml } from "../document/document-html.ts";
import { escapeHtml } from "../text/escape-html.ts";
import { type Block, blocksOf, type ListItem } from "./pdf-blocks.ts";
import { flowsOf } from "./pdf-columns.ts";
import { withFormulas } from "./pdf-formulas.ts";
import { inlineHtml, inlineText, type Words, wordsOf } from "./pdf-inline.ts";
import { linesOf, type PdfPage, type Segment, textOf } from "./pdf-lines.ts";
import { withoutMargins } from "./pdf-margins.ts";
import { styleOf } from "./pdf-style.ts";

export interface PdfHtml {
  /** What belongs into a page's body. */
  html: string;
  /** The first heading of the highest level. */
  heading: string | undefined;
}

/**
 * The text of a PDF as HTML: headings, paragraphs, lists, tables, code and links, found by position and font. Headers and
 * footers of the pages are left out. Never throws; time grows with n log n of the texts.
 */
export function pdfHtml(pages: PdfPage[]): PdfHtml {
  const lines = withoutMargins(pages.map(page => ({ height: page.height, lines: linesOf(page) })));
  const flows = lines
    .flatMap(page => flowsOf(page))
    .map(flow => ({ ...flow, lines: withFormulas(flow.lines) }));
  const style = styleOf(flows);
  const words = wordsOf(lines.flat());
  const blocks = provenItems(joined(flows.map(flow => blocksOf(flow, style))).map(demoteLong));
  return { html: blocksHtml(blocks, words, style.pitch), heading: titleOf(blocks, words) };
}

/** The blocks of all flows; a paragraph that a column or page ends is one with its rest. */
function joined(flows: Block[][]): Block[] {
  const blocks: Block[] = [];
  for (const flow of flows) {
    for (const [index, block] of flow.entries()) {
      const last = blocks.at(-1);
      if (index === 0 && last && isRest(last, block))
        for (const line of block.lines) (last as { lines: Segment[] }).lines.push(line);
      else blocks.push(block);
    }
  }
  return blocks;
}

function isRest(before: Block, block: Block): block is Extract<Block, { kind: "paragraph" }> {
  if (block.kind !== "paragraph" || (before.kind !== "paragraph" && before.kind !== "item")) return false;
  const [end, start] = [before.lines.at(-1), block.lines[0]];
  if (!end || !start || Math.abs(end.size - start.size) > 1) return false;
  return !/[.!?:;]["'”’)\]]?\s*$/.test(textOf(end)) && /^\s*\p{Ll}/u.test(textOf(start));
}

const maxHeadingLines = 3;

function demoteLong(block: Block): Block {
  return block.kind === "heading" && block.lines.length > maxHeadingLines
    ? { kind: "paragraph", lines: block.lines }
    : block;
}

function blocksHtml(blocks: Block[], words: Words, pitch: number): string {
  const parts: string[] = [];
  for (let at = 0; at < blocks.length; at += 1) {
    const block = blocks[at] as Block;
    if (block.kind !== "item") {
      parts.push(blockHtml(block, words, pitch));
      continue;
    }
    const items: ListItem[] = [];
    for (let next: Block | undefined = block; next?.kind === "item"; next = blocks[at + items.length])
      items.push(next);
    parts.push(listHtml(items, words));
    at += items.length - 1;
  }
  return parts.join("\n");
}

function blockHtml(block: Exclude<Block, ListItem>, words: Words, pitch: number): string {
  switch (block.kind) {
    case "heading":
      return `<h${block.level}>${inlineHtml(block.lines, words, true).trim()}</h${block.level}>`;
    case "code":
      return codeHtml(block.lines, pitch);
    case "table":
      return tableHtml(block.rows.map(row => row.map(cell => inlineHtml(cell, words).trim())));
    default:
      return `<p>${inlineHtml(block.lines, words).trim()}</p>`;
  }
}

function titleOf(blocks: Block[], words: Words): string | undefined {
  const heading = blocks.find(block => block.kind === "heading" && block.level === 1);
  return heading?.kind === "heading" ? inlineText(heading.lines, words) : undefined;
}

/** Signs that are bullets only where several lines begin with them. */
const weak = /^[-–—·*]$/;

/** Items that are alone, or whose numbers follow no other, become paragraphs: a sentence may begin with "1914." */
function provenItems(blocks: Block[]): Block[] {
  const items = blocks.filter(block => block.kind === "item");
  let at = 0;
  return blocks.map(block => {
    if (block.kind !== "item") return block;
    const isProven = neighbours(items, at).some(other => areSiblings(block, other));
    at += 1;
    if (isProven || (block.marker.number === undefined && !weak.test(block.marker.text))) return block;
    return { kind: "paragraph", lines: [block.marker.line, ...block.lines.slice(1)] };
  });
}

const maxNested = 30;

/** The items before and after, and those at the same position: nested items may be between them. */
function neighbours(items: ListItem[], at: number): ListItem[] {
  const isBeside = ({ x }: ListItem) => Math.abs(x - (items[at]?.x ?? 0)) < 4;
  const before = items.slice(Math.max(0, at - maxNested), at);
  const after = items.slice(at + 1, at + 1 + maxNested);
  return [before.at(-1), before.findLast(isBeside), after[0], after.find(isBeside)].filter(
    item => item !== undefined,
  );
}

function areSiblings({ marker }: ListItem, { marker: other }: ListItem): boolean {
  if (marker.number === undefined) return marker.text === other.text;
  return other.number === undefined || Math.abs(other.number - marker.number) === 1 || other.number === 1;
}

const maxDepth = 8;

/** A list with those inside it, by the positions of the markers. */
function listHtml(items: ListItem[], words: Words): string {
  const open: { x: number; name: string }[] = [];
  let html = "";
  for (const { marker, x, lines } of items) {
    const size = lines[0]?.size ?? 10;
    const name = marker.number === undefined ? "ul" : "ol";
    while (open.length > 1 && x < (open.at(-1)?.x ?? 0) - 0.4 * size) html += `</li></${open.pop()?.name}>`;
    const top = open.at(-1);
    const isDeeper = top !== undefined && x > top.x + 0.8 * size && open.length < maxDepth;
    if (top && !isDeeper) html += top.name === name ? "</li>" : `</li></${open.pop()?.name}>`;
    if (!top || isDeeper || top.name !== name) {
      html += name === "ol" && marker.number !== 1 ? `<ol start="${marker.number}">` : `<${name}>`;
      open.push({ x, name });
    }
    html += `<li>${inlineHtml(lines, words).trim()}`;
  }
  return `${html}${open
    .reverse()
    .map(({ name }) => `</li></${name}>`)
    .join("")}`;
}

const maxIndent = 120;

/** Lines in a font of equal widths, with their indentation and the blank lines between them. */
function codeHtml(lines: Segment[], pitch: number): string {
  const left = lines.reduce((x, line) => Math.min(x, line.x), Number.POSITIVE_INFINITY);
  const code = lines.map((line, index) => {
    const before = lines[index - 1];
    const isApart = before !== undefined && line.y - before.y > 1.6 * pitch * line.size;
    return (isApart ? "\n" : "") + codeLine(line, left);
  });
  return `<pre><code>${escapeHtml(code.join("\n"))}</code></pre>`;
}

function codeLine({ texts }: Segment, left: number): string {
  let code = "";
  for (const { text, x, width } of texts) {
    const column = Math.round((x - left) / Math.max(1, width / Math.max(1, text.length)));
    code += " ".repeat(Math.min(maxIndent, Math.max(0, column - code.length))) + text;
  }
  return code;
}
