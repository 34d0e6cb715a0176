import { type ElementNode, isText, type PageNode } from "./tree.ts";

const allowed = new Set(
  (
    "a abbr address article aside b bdi bdo blockquote br caption center cite code col colgroup data dd del details " +
    "dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li main mark nav ol p " +
    "picture pre q rp rt ruby s samp section small span strike strong sub summary sup table tbody td tfoot th thead " +
    "time tr tt u ul var wbr"
  ).split(" "),
);
const voids = new Set(["br", "hr", "img", "col", "wbr"]);
const attributes = new Set(
  (
    "href src alt title width height colspan rowspan headers scope align start value reversed lang dir datetime cite " +
    "class id open data-lang data-language"
  ).split(" "),
);

/**
 * Writes a tree that went through `cleanTree` as HTML that is safe to insert: only known elements and attributes, no
 * scripts, styles, handlers or frames; an unknown element gives way to its content.
 */
export function toHtml(root: ElementNode): string {
  const pieces: string[] = [];
  for (const child of root.childNodes) write(child, pieces);
  return pieces.join("").trim();
}

function write(node: PageNode, pieces: string[]): void {
  if (isText(node)) {
    pieces.push(escapeText(node.text));
    return;
  }
  const { name } = node;
  const isShown = allowed.has(name) && !(name === "img" && node.getAttribute("src") === "");
  if (isShown) pieces.push(`<${name}${writeAttributes(node)}>`);
  // A parser drops the first newline after `<pre>`.
  if (name === "pre" && node.textContent.startsWith("\n")) pieces.push("\n");
  for (const child of node.childNodes) write(child, pieces);
  if (isShown && !voids.has(name)) pieces.push(`</${name}>`);
}

function writeAttributes(element: ElementNode): string {
  let written = "";
  for (const [name, value] of element.attributes) {
    if (!attributes.has(name) || (name === "cite" && !/^https?:/i.test(value))) continue;
    written += ` ${name}="${escapeAttribute(value)}"`;
  }
  return written;
}

function escapeText(text: string): string {
  return /[&<>\u00a0]/.test(text)
    ? text
        .replace(/&/g, "&amp;")
        .replace(/</g, "&lt;")
        .replace(/>/g, "&gt;")
        .replace(/\u00a0/g, "&nbsp;")
    : text;
}

function escapeAttribute(value: string): string {
  return /[&"<>]/.test(value)
    ? value.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;").replace(/>/g, "&gt;")
    : value;
}
