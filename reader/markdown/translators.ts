import { PostProcessResult, type TranslatorConfig, type TranslatorConfigFactory } from "node-html-markdown";
import { joinLines } from "../html/plain-text.ts";
import { type ElementNode, isElement, type PageNode } from "../html/tree.ts";
import { codeText, fencedCode, inlineCode } from "./code.ts";
import { followingCharacter } from "./escape-text.ts";
import { emphasise, renderImage, renderLink } from "./inline.ts";
import { blockGap, isList, listItem, listStyle } from "./lists.ts";
import { renderTable } from "./table.ts";
import type { MarkdownVisitor } from "./visitor.ts";

type TranslatorContext = Parameters<TranslatorConfigFactory>[0];
type Post = (node: ElementNode, content: string, visitor: MarkdownVisitor) => string | PostProcessResult;

const remove = PostProcessResult.RemoveNode;
export const paragraphGap = 2;
/** A block that is nothing but its content. */
export const paragraph: TranslatorConfig = { surroundingNewlines: paragraphGap };
const ignored: TranslatorConfig = { ignore: true };

/** How each element is written, for the visitor of node-html-markdown. */
export const translators: Record<string, TranslatorConfig | TranslatorConfigFactory> = {
  "p,div,section,article,main,header,footer,aside,nav,address,figure,figcaption,center,fieldset,form,details,dl,html,body,hgroup,search,dialog,legend,caption,dir,noscript,optgroup,video-fallback":
    paragraph,
  "script,style,head,title,input,select,textarea,source,track,param,embed,area,base,meta,link,wbr,col,colgroup":
    ignored,
  "h1,h2,h3,h4,h5,h6": factory((_, __, parent) => ({
    surroundingNewlines: blockGap(parent),
    postprocess: post(heading),
  })),
  "strong,b": { postprocess: post(emphasis("strong")) },
  "em,i": { postprocess: post(emphasis("em")) },
  "del,s,strike": { postprocess: post(emphasis("del")) },
  "sup,sub": {
    postprocess: post((node, content) =>
      holdsReferences(node) ? content : around(content, `<${node.name}>`, `</${node.name}>`),
    ),
  },
  math: factory(node => ({ content: node.textContent })),
  footnote: { surroundingNewlines: 1, postprocess: post(footnote) },
  q: { postprocess: post((_, content) => around(content, "“", "”")) },
  "output,canvas,isindex,frameset,noframes": {},
  a: factory((node, visitor) => {
    const label = node.getAttribute("data-footnote");
    if (label !== "") return { content: `[^${label}]` };
    const href = node.getAttribute("href");
    if (href === "") return {};
    visitor.linkDepth++;
    return { postprocess: post(link) };
  }),
  img: factory(image),
  br: factory((_, visitor) => ({ content: visitor.hardBreak() })),
  hr: { surroundingNewlines: 2, content: "***" },
  code: factory(code),
  "tt,samp": factory(code),
  pre: factory((node, visitor, parent) =>
    visitor.cellDepth > 0
      ? { surroundingNewlines: 2, content: cellCode(codeText(node)) }
      : { surroundingNewlines: blockGap(parent), content: fencedCode(node) },
  ),
  "ul,ol,menu": factory((_, visitor, parent) => ({
    surroundingNewlines: parent !== null && isList(parent) ? 1 : visitor.cellDepth > 0 ? 1 : blockGap(parent),
  })),
  li: factory((node, visitor) => {
    if (followsInLooseList(node)) visitor.appendNewlines(2);
    return {
      surroundingNewlines: 1,
      postprocess: post((item, content) =>
        isFootnote(item) ? content.trim() : listItem(item, content, visitor.numberOf(item)),
      ),
    };
  }),
  blockquote: factory((_, __, parent) => ({
    surroundingNewlines: blockGap(parent),
    postprocess: post(quote),
  })),
  dt: { surroundingNewlines: 2, postprocess: post(term) },
  summary: { surroundingNewlines: 2, postprocess: post(term) },
  dd: {
    surroundingNewlines: 1,
    postprocess: post((item, content) => (content.trim() === "" ? "" : listItem(item, content, 1))),
  },
  "td,th": factory((_, visitor) => {
    visitor.cellDepth++;
    return { postprocess: post(cell) };
  }),
  table: { surroundingNewlines: 2, postprocess: post(table) },
};

function post(write: Post): (context: TranslatorContext & { content: string }) => string | PostProcessResult {
  return ({ node, content, visitor }) =>
    write(node as unknown as ElementNode, content, visitor as unknown as MarkdownVisitor);
}

function factory(
  make: (node: ElementNode, visitor: MarkdownVisitor, parent: ElementNode | null) => TranslatorConfig,
): TranslatorConfigFactory {
  return ({ node, visitor }) => {
    const element = node as unknown as ElementNode;
    return make(element, visitor as unknown as MarkdownVisitor, element.parentNode);
  };
}

function heading(node: ElementNode, content: string): string | PostProcessResult {
  const text = joinLines(content.trim());
  if (text === "") return "";
  const safe = text.replace(/(^|\s)(#+)$/, (_, gap: string, marks: string) => `${gap}\\${marks}`);
  return `${"#".repeat(Number(node.name[1]))} ${safe}`.trimEnd();
}

function emphasis(kind: "em" | "strong" | "del"): Post {
  return (node, content, visitor) =>
    content === "" ? remove : emphasise(kind, content, visitor.before(content), followingCharacter(node));
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

function link(node: ElementNode, content: string, visitor: MarkdownVisitor): string | PostProcessResult {
  visitor.linkDepth--;
  if (visitor.linkDepth > 0) return content;
  const written = renderLink(
    content,
    node.textContent,
    node.getAttribute("href"),
    node.getAttribute("title"),
  );
  return written === "" ? remove : written;
}

function image(node: ElementNode): TranslatorConfig {
  const src = node.getAttribute("src");
  if (src === "") return ignored;
  return { content: renderImage(node.getAttribute("alt"), src, node.getAttribute("title")) };
}

function code(node: ElementNode): TranslatorConfig {
  return { content: inlineCode(codeText(node)) };
}

function cellCode(text: string): string {
  const lines = text
    .trimEnd()
    .split("\n")
    .map(line => (line.trim() === "" ? "" : inlineCode(line)));
  return lines.join("<br>");
}

function quote(_: ElementNode, content: string): string | PostProcessResult {
  const body = content.replace(/^\n+/, "").trimEnd();
  return body === "" ? ">" : body.replace(/^(?=.)/gm, "> ").replace(/^$/gm, ">");
}

function term(node: ElementNode, content: string, visitor: MarkdownVisitor): string | PostProcessResult {
  const text = content.trim();
  if (text === "") return "";
  return /\n|^\*\*.*\*\*$|^#/.test(text)
    ? text
    : emphasise("strong", text, visitor.before(content), node.name && "");
}

function cell(node: ElementNode, content: string, visitor: MarkdownVisitor): PostProcessResult {
  visitor.cellDepth--;
  const line = oneLine(content.trim());
  visitor.cells.set(node, line.includes("|") ? line.replace(/(?<!\\)((?:\\\\)*)\|/g, "$1\\|") : line);
  return remove;
}

/** What a cell holds, with tags for its line ends. */
function oneLine(content: string): string {
  if (!content.includes("\n")) return content;
  const lines = content
    .replace(/(?<! ) {2,}\n(?!\n)/g, "<br>")
    .replace(/(?<!\n)\n+[ ]*(?=[-+] |\d+[.)] )/g, "<br>");
  return joinLines(lines, lineEnds => (lineEnds > 1 ? "<br>" : " "));
}

function table(node: ElementNode, _: string, visitor: MarkdownVisitor): string | PostProcessResult {
  const text = renderTable(node, element => visitor.cells.get(element) ?? "");
  return text;
}

function followsInLooseList(item: ElementNode): boolean {
  const list = item.parentNode;
  return list !== null && isList(list) && listStyle(list).isLoose && list.childNodes.find(isElement) !== item;
}
