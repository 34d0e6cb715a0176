import { joinLines } from "../html/plain-text.ts";
import { type ElementNode, isElement, type PageNode } from "../html/tree.ts";
import { codeText, fencedCode, inlineCode } from "./code.ts";
import { followingCharacter } from "./escape-text.ts";
import { emphasise, renderImage, renderLink } from "./inline.ts";
import { blockGap, isList, listItem, listStyle } from "./lists.ts";
import { renderTable } from "./table.ts";

/** What a conversion knows where an element is written. */
export interface MarkdownWriter {
  /** How many links and table cells are open. */
  linkDepth: number;
  cellDepth: number;
  /** What the cells of tables hold. */
  readonly cells: Map<ElementNode, string>;
  /** The character before `content`, which was written last. */
  before(content: string): string;
  /** A line break inside a paragraph; a second one in a row ends the paragraph. */
  hardBreak(): string;
  /** Ends the line, with as many newlines as are missing. */
  endLine(count: number): void;
  /** The number of an item in its ordered list. */
  numberOf(item: ElementNode): number;
}

/** What becomes of an element's content; null leaves it out, with its gap. */
type Finish = (element: ElementNode, content: string, writer: MarkdownWriter) => string | null;

/** How an element is written. */
export interface Written {
  /** Newlines before and after it. */
  gap?: number;
  /** Stands in place of its children. */
  content?: string;
  finish?: Finish;
  isLeftOut?: boolean;
}

type Write = (element: ElementNode, writer: MarkdownWriter, parent: ElementNode | null) => Written;

/** A block that is nothing but its content. */
const paragraph: Written = { gap: 2 };
const inline: Written = {};
const ignored: Written = { isLeftOut: true };
const linked: Written = { finish: link };
const celled: Written = { finish: cell };
const item: Written = {
  gap: 1,
  finish: (node, content, writer) =>
    isFootnote(node) ? content.trim() : listItem(node, content, writer.numberOf(node)),
};

/** How this element is written. */
export function writtenAs(element: ElementNode, writer: MarkdownWriter): Written {
  const found = byName.get(element.name);
  if (found === undefined) return inline;
  return typeof found === "function" ? found(element, writer, element.parentNode) : found;
}

/** The elements of each kind, and how they are written. */
const kinds: Record<string, Written | Write> = {
  "p,div,section,article,main,header,footer,aside,nav,address,figure,figcaption,center,fieldset,form,details,dl,html,body,hgroup,search,dialog,legend,caption,dir,noscript,optgroup,audio,video-fallback,tr,tbody,thead,tfoot":
    paragraph,
  "script,style,head,title,input,select,textarea,source,track,param,embed,area,base,meta,link,wbr,col,colgroup":
    ignored,
  "h1,h2,h3,h4,h5,h6": (_, __, parent) => ({ gap: blockGap(parent), finish: heading }),
  "strong,b": { finish: emphasis("strong") },
  "em,i": { finish: emphasis("em") },
  "del,s,strike": { finish: emphasis("del") },
  "sup,sub": {
    finish: (node, content) =>
      holdsReferences(node) ? content : around(content, `<${node.name}>`, `</${node.name}>`),
  },
  math: node => ({ content: node.textContent }),
  footnote: { gap: 1, finish: footnote },
  q: { finish: (_, content) => around(content, "“", "”") },
  a: (node, writer) => {
    const label = node.getAttribute("data-footnote");
    if (label !== "") return { content: `[^${label}]` };
    if (node.getAttribute("href") === "") return inline;
    writer.linkDepth++;
    return linked;
  },
  img: image,
  br: (_, writer) => ({ content: writer.hardBreak() }),
  hr: { gap: 2, content: "***" },
  "code,tt,samp": node => ({ content: inlineCode(codeText(node)) }),
  pre: (node, writer, parent) =>
    writer.cellDepth > 0
      ? { gap: 2, content: cellCode(codeText(node)) }
      : { gap: blockGap(parent), content: fencedCode(node) },
  "ul,ol,menu": (_, writer, parent) => ({
    gap: writer.cellDepth > 0 || (parent !== null && isList(parent)) ? 1 : blockGap(parent),
  }),
  li: (node, writer) => {
    if (followsInLooseList(node)) writer.endLine(2);
    return item;
  },
  blockquote: (_, __, parent) => ({ gap: blockGap(parent), finish: quote }),
  "dt,summary": { gap: 2, finish: term },
  dd: { gap: 1, finish: (node, content) => (content.trim() === "" ? "" : listItem(node, content, 1)) },
  "td,th": (_, writer) => {
    writer.cellDepth++;
    return celled;
  },
  table: { gap: 2, finish: (node, _, writer) => renderTable(node, each => writer.cells.get(each) ?? "") },
};

const byName = new Map(
  Object.entries(kinds).flatMap(([names, how]) =>
    names.split(",").map((name): [string, Written | Write] => [name, how]),
  ),
);

function heading(node: ElementNode, content: string): string | null {
  const text = joinLines(content.trim());
  if (text === "") return "";
  const safe = text.replace(/(^|\s)(#+)$/, (_, gap: string, marks: string) => `${gap}\\${marks}`);
  return `${"#".repeat(Number(node.name[1]))} ${safe}`.trimEnd();
}

function emphasis(kind: "em" | "strong" | "del"): Finish {
  return (node, content, writer) =>
    content === "" ? null : emphasise(kind, content, writer.before(content), followingCharacter(node));
}

/** Puts marks around content, inside of the white space at its ends. */
function around(content: string, open: string, close: string): string {
  const inner = content.trim();
  if (inner === "") return content;
  const start = content.length - content.trimStart().length;
  return content.slice(0, start) + open + inner + close + content.slice(start + inner.length);
}

/** A definition of a footnote: further blocks are indented below its label. */
function footnote(node: ElementNode, content: string): string {
  const body = content.trim();
  if (isInFootnote(node)) return body;
  return body === "" ? "" : `[^${node.getAttribute("label")}]: ${body.replace(/\n(?=[^\n])/g, "\n    ")}`;
}

/** A note in a note is a part of it: each level indents every line below it. */
function isInFootnote({ parentNode }: ElementNode): boolean {
  return parentNode !== null && (parentNode.name === "footnote" || isInFootnote(parentNode));
}

function isFootnote(item: ElementNode): boolean {
  const [first] = item.childNodes;
  return isElement(first) && first.name === "footnote";
}

function holdsReferences(node: ElementNode): boolean {
  const isReference = (it: PageNode): boolean =>
    isElement(it) && (it.getAttribute("data-footnote") !== "" || holdsReferences(it));
  return node.childNodes.some(isReference);
}

function link(node: ElementNode, content: string, writer: MarkdownWriter): string | null {
  writer.linkDepth--;
  if (writer.linkDepth > 0) return content;
  const written = renderLink(
    content,
    node.textContent,
    node.getAttribute("href"),
    node.getAttribute("title"),
  );
  return written === "" ? null : written;
}

function image(node: ElementNode): Written {
  const src = node.getAttribute("src");
  if (src === "") return ignored;
  return { content: renderImage(node.getAttribute("alt"), src, node.getAttribute("title")) };
}

function cellCode(text: string): string {
  const lines = text
    .trimEnd()
    .split("\n")
    .map(line => (line.trim() === "" ? "" : inlineCode(line)));
  return lines.join("<br>");
}

function quote(_: ElementNode, content: string): string | null {
  const body = content.replace(/^\n+/, "").trimEnd();
  return body === "" ? ">" : body.replace(/^(?=.)/gm, "> ").replace(/^$/gm, ">");
}

function term(node: ElementNode, content: string, writer: MarkdownWriter): string | null {
  const text = content.trim();
  if (text === "") return "";
  return /\n|^\*\*.*\*\*$|^#/.test(text)
    ? text
    : emphasise("strong", text, writer.before(content), node.name && "");
}

function cell(node: ElementNode, content: string, writer: MarkdownWriter): null {
  writer.cellDepth--;
  const line = oneLine(content.trim());
  writer.cells.set(node, line.includes("|") ? line.replace(/(?<!\\)((?:\\\\)*)\|/g, "$1\\|") : line);
  return null;
}

/** What a cell holds, with tags for its line ends. */
function oneLine(content: string): string {
  if (!content.includes("\n")) return content;
  const lines = content
    .replace(/(?<! ) {2,}\n(?!\n)/g, "<br>")
    .replace(/(?<!\n)\n+[ ]*(?=[-+] |\d+[.)] )/g, "<br>");
  return joinLines(lines, lineEnds => (lineEnds > 1 ? "<br>" : " "));
}

function followsInLooseList(item: ElementNode): boolean {
  const list = item.parentNode;
  return list !== null && isList(list) && listStyle(list).isLoose && list.childNodes.find(isElement) !== item;
}
