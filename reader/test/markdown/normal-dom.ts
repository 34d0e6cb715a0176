import { parseHTML } from "linkedom";

/**
 * A canonical text of an HTML fragment, so that two fragments which say the same compare equal. What is normalised:
 * - white space outside `pre`: runs are one space, none at the edges of blocks or beside `<br>`, that at the edges of
 *   inline elements stands outside them;
 * - comments, scripts and styles are dropped, `b`, `i`, `s` are `strong`, `em`, `del`;
 * - elements that markdown cannot say (div, span, ins, kbd, custom ones) are unwrapped; text that stands bare beside
 *   blocks is a paragraph;
 * - of attributes only href, src, alt, title, start, align, checked and the language class of code count; addresses
 *   are resolved against one base;
 * - elements without any content (empty paragraphs and headings, blank code, links without text) are dropped, links
 *   without an address are their text.
 */
export function normalDom(html: string): string {
  const { document } = parseHTML(`<!doctype html><html><body>${html}</body></html>`);
  return blockContent(Array.from(document.body.childNodes) as unknown as DomNode[], true).join("\n");
}

export interface DomNode {
  nodeType: number;
  localName: string;
  textContent: string;
  childNodes: DomNode[];
  getAttribute(name: string): string | null;
  hasAttribute(name: string): boolean;
}

const names: Record<string, string> = { b: "strong", i: "em", s: "del", strike: "del" };
const dropped = new Set(["script", "style", "template", "title", "head"]);
const containers = new Set(
  "blockquote ul ol li table thead tbody tr td th h1 h2 h3 h4 h5 h6 p div section details summary dl dt dd form center html body".split(
    " ",
  ),
);
const said = new Set(
  "blockquote ul ol li table thead tbody tr td th h1 h2 h3 h4 h5 h6 p pre hr br img a em strong del code sup sub input".split(
    " ",
  ),
);

const keptEmpty = new Set(["li", "td", "th", "blockquote"]);

function blockContent(nodes: DomNode[], wrapsText: boolean): string[] {
  const out: string[] = [];
  let inline: DomNode[] = [];
  const flush = (): void => {
    const text = trim(inline.map(inlineText).join(""));
    inline = [];
    if (text !== "") out.push(wrapsText ? `<p>${text}</p>` : text);
  };
  for (const node of flatten(nodes)) {
    if (isBlock(node)) {
      flush();
      out.push(...block(node));
    } else inline.push(node);
  }
  flush();
  return out;
}

/** Unwraps containers that say nothing, and inline elements around blocks. */
function flatten(nodes: DomNode[]): DomNode[] {
  return nodes.flatMap(node => {
    if (node.nodeType === 8 || dropped.has(node.localName)) return [];
    const isMute = node.nodeType === 1 && !said.has(nameOf(node));
    if (isMute && holdsBlock(node)) return flatten(Array.from(node.childNodes));
    if (isMute && containers.has(node.localName)) return [node];
    return isMute ? flatten(Array.from(node.childNodes)) : [node];
  });
}

function holdsBlock(node: DomNode): boolean {
  return Array.from(node.childNodes).some(
    child => isBlock(child) || (child.nodeType === 1 && holdsBlock(child)),
  );
}

function isBlock(node: DomNode): boolean {
  return (
    node.nodeType === 1 &&
    (containers.has(node.localName) || node.localName === "pre" || node.localName === "hr")
  );
}

function block(node: DomNode): string[] {
  const name = node.localName;
  if (name === "hr") return ["<hr>"];
  if (name === "pre") return [`<pre${language(node)}>${code(node.textContent)}</pre>`];
  const children = Array.from(node.childNodes);
  const isText = name === "p" || !said.has(name);
  if (isText) return blockContent(children, true);
  const content = blockContent(children, name === "blockquote");
  if (content.length === 0 && !keptEmpty.has(name)) return [];
  return [`<${name}${attributes(node)}>${content.join("\n")}</${name}>`];
}

function inlineText(node: DomNode): string {
  if (node.nodeType === 3) return node.textContent.replace(/[ \t\n\f\r]+/g, " ");
  if (node.nodeType !== 1 || dropped.has(node.localName)) return "";
  const name = nameOf(node);
  const content = Array.from(node.childNodes).map(inlineText).join("");
  if (name === "br") return "<br>";
  if (name === "img" || name === "input") return `<${name}${attributes(node)}>`;
  if (!said.has(name) || content.trim() === "" || (name === "a" && !node.getAttribute("href")))
    return content;
  const edges = /^( *)(.*?)( *)$/s.exec(content);
  return `${edges?.[1]}<${name}${attributes(node)}>${edges?.[2]}</${name}>${edges?.[3]}`;
}

function nameOf(node: DomNode): string {
  return names[node.localName] ?? node.localName;
}

function trim(text: string): string {
  return text
    .replace(/ *<br> */g, "<br>")
    .replace(/ {2,}/g, " ")
    .replace(/^ +| +$/g, "");
}

function code(text: string): string {
  return text.replace(/^\n/, "").replace(/\n$/, "");
}

function language(pre: DomNode): string {
  const found = /language-(\S+)/.exec(Array.from(pre.childNodes)[0]?.getAttribute?.("class") ?? "");
  return found === null ? "" : ` ${found[1]}`;
}

function attributes(node: DomNode): string {
  const shown = ["href", "src", "alt", "title", "start", "align"].flatMap(name => {
    const value = node.getAttribute(name);
    return value === null || value === "" ? [] : [` ${name}=${JSON.stringify(address(name, value))}`];
  });
  return shown.join("") + (node.hasAttribute("checked") ? " checked" : "");
}

function address(name: string, value: string): string {
  if (name === "alt" || name === "title") return value.replace(/\s+/g, " ").trim();
  return name === "href" || name === "src"
    ? (URL.parse(value, "https://base.example/dir/")?.href ?? value)
    : value;
}
