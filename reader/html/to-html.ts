import { escapeHtml } from "../text/escape-html.ts";
import { type ElementNode, isBlock, isText, type PageNode } from "./tree.ts";

const allowed = new Set(
  (
    "a abbr address article aside b bdi bdo blockquote br caption center cite code col colgroup data dd del details " +
    "dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li main mark menu nav ol p " +
    "picture pre q rp rt ruby s samp section small span strike strong sub summary sup table tbody td tfoot th thead " +
    "time tr tt u ul var wbr"
  ).split(" "),
);
/** Blocks that a parser treats like these: a list, or a block with items of another list. */
const replacements = new Map([
  ["dir", "ul"],
  ["form", "section"],
  ["fieldset", "section"],
  ["search", "section"],
]);
const voids = new Set(["br", "hr", "img", "col", "wbr", "source", "track"]);
const attributes = new Set(
  (
    "href src alt title width height colspan rowspan headers scope align start value reversed lang dir datetime cite " +
    "class id open data-lang data-language"
  ).split(" "),
);

/** Further elements and attributes to write. */
export interface AlsoAllowed {
  elements: ReadonlySet<string>;
  attributes: ReadonlySet<string>;
}

const nothing: AlsoAllowed = { elements: new Set(), attributes: new Set() };

/**
 * Writes a tree whose URLs are safe (by `cleanTree`) as HTML that is safe to insert: only known elements and attributes,
 * no scripts, styles, handlers or frames. Any other block becomes a plain one; any other element is replaced by its
 * content.
 */
export function toHtml(root: ElementNode, also = nothing): string {
  const pieces: string[] = [];
  for (const child of root.childNodes) write(child, pieces, also);
  return pieces.join("").trim();
}

function write(node: PageNode, pieces: string[], also: AlsoAllowed): void {
  if (isText(node)) {
    pieces.push(escapeText(node.text));
    return;
  }
  const isKnown = allowed.has(node.name) || also.elements.has(node.name);
  const name = isKnown || !isBlock(node.name) ? node.name : (replacements.get(node.name) ?? "div");
  const isShown = (isKnown || name !== node.name) && !(name === "img" && node.getAttribute("src") === "");
  if (isShown) pieces.push(`<${name}${writeAttributes(node, also)}>`);
  // A parser drops the first newline after `<pre>`.
  if (name === "pre" && node.textContent.startsWith("\n")) pieces.push("\n");
  for (const child of node.childNodes) write(child, pieces, also);
  if (isShown && !voids.has(name)) pieces.push(`</${name}>`);
}

function writeAttributes(element: ElementNode, also: AlsoAllowed): string {
  let written = "";
  for (const [name, value] of element.attributes) {
    if (!(attributes.has(name) || also.attributes.has(name)) || (name === "cite" && !/^https?:/i.test(value)))
      continue;
    written += ` ${name}="${escapeHtml(value)}"`;
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
