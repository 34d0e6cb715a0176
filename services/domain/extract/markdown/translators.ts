import { PostProcessResult, type TranslatorConfig, type TranslatorConfigFactory } from "node-html-markdown";
import { type ElementNode, isElement } from "../tree.ts";
import { codeText, fencedCode, inlineCode } from "./code.ts";
import { emphasise } from "./emphasis.ts";
import { followingCharacter } from "./following-character.ts";
import { renderImage, renderLink } from "./link.ts";
import { blockGap, isList, listItem, listStyle } from "./lists.ts";
import type { MarkdownVisitor } from "./markdown-visitor.ts";
import { renderTable } from "./table.ts";

type TranslatorContext = Parameters<TranslatorConfigFactory>[0];
type Post = (node: ElementNode, content: string, visitor: MarkdownVisitor) => string | PostProcessResult;

const remove = PostProcessResult.RemoveNode;
const paragraph: TranslatorConfig = { surroundingNewlines: 2 };
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
  "sup,sub": { postprocess: post((node, content) => wrapTag(node.name, content)) },
  q: { postprocess: post((_, content) => (content.trim() === "" ? content : `“${content.trim()}”`)) },
  a: factory((node, visitor) => {
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
      ? { content: cellCode(codeText(node)) }
      : { surroundingNewlines: blockGap(parent), content: fencedCode(node) },
  ),
  "ul,ol,menu": factory((_, visitor, parent) => ({
    surroundingNewlines: parent !== null && isList(parent) ? 1 : visitor.cellDepth > 0 ? 1 : blockGap(parent),
  })),
  li: factory((node, visitor) => {
    if (followsInLooseList(node)) visitor.appendNewlines(2);
    return {
      surroundingNewlines: 1,
      postprocess: post((item, content) => listItem(item, content, visitor.numberOf(item))),
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
    postprocess: post((item, content) => (content.trim() === "" ? remove : listItem(item, content, 1))),
  },
  "td,th": factory((_, visitor) => {
    visitor.cellDepth++;
    return { prefix: " ", postprocess: post(cell) };
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
  const text = content.trim().replace(/\s*\n+\s*/g, " ");
  if (text === "" && node.childNodes.length > 0) return remove;
  const safe = text.replace(/(^|\s)(#+)$/, (_, gap: string, marks: string) => `${gap}\\${marks}`);
  return `${"#".repeat(Number(node.name[1]))} ${safe}`.trimEnd();
}

function emphasis(kind: "em" | "strong" | "del"): Post {
  return (node, content, visitor) =>
    content === "" ? remove : emphasise(kind, content, visitor.before(content), followingCharacter(node));
}

function wrapTag(name: string, content: string): string | PostProcessResult {
  return content.trim() === "" ? remove : `<${name}>${content.trim()}</${name}>`;
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
  if (text === "") return remove;
  return /\n|^\*\*.*\*\*$|^#/.test(text)
    ? text
    : emphasise("strong", text, visitor.before(content), node.name && "");
}

function cell(node: ElementNode, content: string, visitor: MarkdownVisitor): PostProcessResult {
  visitor.cellDepth--;
  const flat = content
    .trim()
    .replace(/ {2,}\n(?!\n)/g, "<br>")
    .replace(/\n+[ ]*(?=[-+] |\d+[.)] )/g, "<br>")
    .replace(/\s*\n\s*\n\s*/g, "<br>")
    .replace(/\s*\n\s*/g, " ")
    .replace(/(?<!\\)((?:\\\\)*)\|/g, "$1\\|");
  visitor.cells.set(node, flat);
  return remove;
}

function table(node: ElementNode, _: string, visitor: MarkdownVisitor): string | PostProcessResult {
  const text = renderTable(node, element => visitor.cells.get(element) ?? "");
  return text === "" ? remove : text;
}

function followsInLooseList(item: ElementNode): boolean {
  const list = item.parentNode;
  return list !== null && isList(list) && listStyle(list).isLoose && list.childNodes.find(isElement) !== item;
}
