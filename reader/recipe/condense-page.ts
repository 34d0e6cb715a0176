import { isText } from "../html/tree.ts";
import { type Part, relevantParts } from "../text/relevant-parts.ts";
import type { PageElement } from "./page-element.ts";
import { parsePage } from "./parse-page.ts";

const maxText = 80;
const maxLinkedData = 3000;
const maxDepth = 40;
const kept = [
  "id",
  "class",
  "itemprop",
  "itemtype",
  "property",
  "name",
  "rel",
  "datetime",
  "href",
  "src",
  "content",
];
const skipped = /^(style|noscript|template|svg|iframe|link|base|path|input|button|option)$/;

/** Characters of all that is written, from which the best is chosen. */
const maxWritten = 1024 * 1024;
/** Characters of lines that are chosen together. */
const partLength = 600;

interface Line {
  text: string;
  depth: number;
}

interface Writer {
  lines: Line[];
  left: number;
}

/**
 * A compact view of a page for a model that writes selectors: one element a line, indented, with the attributes that
 * selectors use and the start of its own text. Shows two of repeated siblings, then their count, and keeps JSON-LD. At
 * most `maxChars` characters: of a long page those parts that have the most of the words, with what they are in.
 */
export function condensePage(
  html: string,
  url: string,
  maxChars: number,
  words: readonly string[] = [],
): string {
  const { root, linkedData } = parsePage(html, url);
  const writer: Writer = { lines: [], left: maxWritten };
  write(writer, `page ${url.slice(0, 500)}`);
  for (const text of linkedData) write(writer, `json-ld "${squash(text, maxLinkedData)}"`);
  writeElement(writer, root, 0);
  return chosen(writer.lines, words, maxChars).join("\n");
}

function chosen(lines: readonly Line[], words: readonly string[], maxChars: number): string[] {
  const parts = partsOf(lines);
  return relevantParts(parts, words, maxChars).map(at => parts[at]?.text ?? "");
}

/** An element that is large is a part by its line alone, and each part needs those around it; small neighbours are one part. */
function partsOf(lines: readonly Line[]): Part[] {
  const ends = endsOf(lines);
  const parts: { text: string; needs: number[] }[] = [];
  const open: { end: number; part: number }[] = [];
  for (let at = 0; at < lines.length; ) {
    while (at >= (open.at(-1)?.end ?? lines.length)) open.pop();
    const needs = open.map(({ part }) => part);
    const { end, length } = ends[at] ?? { end: at + 1, length: 0 };
    const isSmall = length <= partLength;
    const text = lines
      .slice(at, isSmall ? end : at + 1)
      .map(line => line.text)
      .join("\n");
    const last = parts.at(-1);
    if (isSmall && last && last.needs.length === needs.length && last.text.length + text.length <= partLength)
      last.text += `\n${text}`;
    else parts.push({ text, needs });
    if (!isSmall) open.push({ end, part: parts.length - 1 });
    at = isSmall ? end : at + 1;
  }
  return parts;
}

/** Where what is inside of each line ends, and the characters up to there. */
function endsOf(lines: readonly Line[]): { end: number; length: number }[] {
  const ends = lines.map((_, at) => ({ end: at + 1, length: 0 }));
  const open: number[] = [];
  for (const [at, { text, depth }] of lines.entries()) {
    while (open.length > 0 && depth <= (lines[open.at(-1) ?? 0]?.depth ?? 0)) open.pop();
    open.push(at);
    for (const outer of open) {
      const around = ends[outer];
      if (around) Object.assign(around, { end: at + 1, length: around.length + text.length + 1 });
    }
  }
  return ends;
}

function write(writer: Writer, text: string, depth = 0): void {
  writer.left -= text.length + 1;
  if (writer.left >= -1) writer.lines.push({ text, depth });
}

function writeElement(writer: Writer, element: PageElement, depth: number): void {
  const tag = element.localName;
  if (writer.left <= 0 || depth > maxDepth || skipped.test(tag)) return;
  const text = ownText(element);
  if (!isEmpty(element, text))
    write(writer, `${" ".repeat(depth)}${tag}${attributesOf(element)}${text && ` "${text}"`}`, depth);
  writeChildren(writer, element.children, depth + 1);
}

/** Two siblings of the same tag and class say as much as all of them. */
function writeChildren(writer: Writer, children: PageElement[], depth: number): void {
  const counts = new Map<string, number>();
  for (const child of children) {
    const make = `${child.localName}.${child.getAttribute("class") ?? ""}`;
    const count = (counts.get(make) ?? 0) + 1;
    counts.set(make, count);
    if (count <= 2 || child.localName === "meta") writeElement(writer, child, depth);
  }
  for (const [make, count] of counts)
    if (count > 2 && !make.startsWith("meta."))
      write(writer, `${" ".repeat(depth)}(${count} of ${make.slice(0, 60)} in all)`, depth);
}

function isEmpty(element: PageElement, text: string): boolean {
  return text === "" && element.children.length === 0 && element.attributes.size === 0;
}

function attributesOf(element: PageElement): string {
  return kept
    .flatMap(name => {
      const value = element.getAttribute(name);
      return value ? ` ${name}="${squash(value, maxText)}"` : [];
    })
    .join("");
}

function ownText(element: PageElement): string {
  const own = element.childNodes.filter(isText).map(node => node.text);
  return squash(own.join(" "), maxText);
}

function squash(text: string, max: number): string {
  const plain = text.replace(/\s+/g, " ").trim();
  return plain.length > max ? `${plain.slice(0, max)}…` : plain;
}
