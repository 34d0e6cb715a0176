import { parseDocument } from "../../domain/recipe/parse-page.ts";

const maxText = 80;
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
 * selectors use and the start of its own text. Of repeated siblings two are shown, then their count. JSON-LD is kept.
 * At most `maxChars` characters.
 */
export function condensePage(html: string, url: string, maxChars: number): string {
  const { documentElement } = parseDocument(html);
  const writer: Writer = { lines: [], left: maxChars };
  write(writer, `page ${url.slice(0, 500)}`);
  if (documentElement) writeElement(writer, documentElement, 0);
  return writer.lines.join("\n");
}

function write(writer: Writer, line: string): void {
  writer.left -= line.length + 1;
  if (writer.left >= -1) writer.lines.push(line);
}

function writeElement(writer: Writer, element: Element, depth: number): void {
  const tag = element.localName;
  if (writer.left <= 0 || depth > maxDepth || skipped.test(tag)) return;
  const text = tag === "script" ? linkedData(element) : ownText(element);
  if (tag === "script" && text === "") return;
  if (!isEmpty(element, text))
    write(writer, `${" ".repeat(depth)}${tag}${attributesOf(element)}${text && ` "${text}"`}`);
  writeChildren(writer, [...element.children], depth + 1);
}

/** JSON-LD is the one script that says something of the page. */
function linkedData(script: Element): string {
  return script.getAttribute("type") === "application/ld+json" ? squash(script.textContent ?? "", 3000) : "";
}

/** Two of a run of siblings of one make tell as much as all of them. */
function writeChildren(writer: Writer, children: Element[], depth: number): void {
  const counts = new Map<string, number>();
  for (const child of children) {
    const make = `${child.localName}.${child.getAttribute("class") ?? ""}`;
    const count = (counts.get(make) ?? 0) + 1;
    counts.set(make, count);
    if (count <= 2 || /^(meta|script)$/.test(child.localName)) writeElement(writer, child, depth);
  }
  for (const [make, count] of counts)
    if (count > 2 && !/^(meta|script)/.test(make))
      write(writer, `${" ".repeat(depth)}(${count} of ${make.slice(0, 60)} in all)`);
}

function isEmpty(element: Element, text: string): boolean {
  return text === "" && element.children.length === 0 && element.attributes.length === 0;
}

function attributesOf(element: Element): string {
  return kept
    .flatMap(name => {
      const value = element.getAttribute(name);
      return value ? ` ${name}="${squash(value, maxText)}"` : [];
    })
    .join("");
}

function ownText(element: Element): string {
  const own = [...element.childNodes].filter(node => node.nodeType === 3).map(node => node.nodeValue ?? "");
  return squash(own.join(" "), maxText);
}

function squash(text: string, max: number): string {
  const plain = text.replace(/\s+/g, " ").trim();
  return plain.length > max ? `${plain.slice(0, max)}…` : plain;
}
