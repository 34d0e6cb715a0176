import { isText } from "../html/tree.ts";
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

interface Writer {
  lines: string[];
  left: number;
}

/**
 * A compact view of a page for a model that writes selectors: one element a line, indented, with the attributes that
 * selectors use and the start of its own text. Shows two of repeated siblings, then their count, and keeps JSON-LD. At
 * most `maxChars` characters.
 */
export function condensePage(html: string, url: string, maxChars: number): string {
  const { root, linkedData } = parsePage(html, url);
  const writer: Writer = { lines: [], left: maxChars };
  write(writer, `page ${url.slice(0, 500)}`);
  for (const text of linkedData) write(writer, `json-ld "${squash(text, maxLinkedData)}"`);
  writeElement(writer, root, 0);
  return writer.lines.join("\n");
}

function write(writer: Writer, line: string): void {
  writer.left -= line.length + 1;
  if (writer.left >= -1) writer.lines.push(line);
}

function writeElement(writer: Writer, element: PageElement, depth: number): void {
  const tag = element.localName;
  if (writer.left <= 0 || depth > maxDepth || skipped.test(tag)) return;
  const text = ownText(element);
  if (!isEmpty(element, text))
    write(writer, `${" ".repeat(depth)}${tag}${attributesOf(element)}${text && ` "${text}"`}`);
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
      write(writer, `${" ".repeat(depth)}(${count} of ${make.slice(0, 60)} in all)`);
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
