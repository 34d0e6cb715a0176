import { weighTree } from "../../../../reader/html/plain-text.ts";
import {
  type DocumentNode,
  type ElementNode,
  findElement,
  isText,
  type PageNode,
} from "../../../../reader/html/tree.ts";
import { dropAdvertising } from "../../../../reader/lines/advertising.ts";
import { escapeHtml } from "../../../../reader/text/escape-html.ts";

/** What a document is that is no HTML page: all of it is content. */
export type DocumentKind = "text" | "document";

/** The attribute of `html` that says so. */
export const kindAttribute = "data-magpie";

/** Characters of linked data, of an attribute, and of a link. */
const [maxData, maxValue, maxAddress] = [256 * 1024, 2000, 4000];

const kept = new Set(
  (
    "id class role lang dir href src srcset alt title value type checked selected disabled name datetime itemprop itemscope " +
    "itemtype itemid content for open multiple min max start reversed colspan rowspan headers scope align hidden label property " +
    "typeof vocab resource rel cite slot shadowrootmode shadowroot readonly http-equiv media controls kind abbr width height"
  ).split(" "),
);
const unkeptElements = new Set(["object", "applet", "embed", "canvas", "param"]);
/** Names of values that a server makes anew at each answer. */
const volatile =
  /token|nonce|csrf|xsrf|session|timestamp|uuid|hash|signature|captcha|request-?id|render-?id|reactid|hydrat|track|analytics|gtm|impression/i;
const lazySources = /^data-(?:src|srcset|lazy|lazy-src|lazy-srcset|original|url|image|hi-res-src)$/;
const keptRels = /(?:^|\s)(?:canonical|icon|next|prev|author|alternate|license)(?:\s|$)/i;
const keptMetas =
  /^(?:title|description|keywords|author|date|robots|language|content-language|abstract|subject|(?:og|article|book|profile|product|twitter|dc|dcterms|citation|parsely|sailthru|news|music|video|fb|itemprop)[.:_-].*|last-modified|pubdate|publish.*|date.*|modified.*)$/i;
const keptStyle =
  /(?:display\s*:\s*none|visibility\s*:\s*hidden|text-decoration(?:-line)?\s*:[^;]*line-through|text-align\s*:\s*\w+)/gi;
const voids = new Set(
  "area base br col embed frame hr img input link meta param source track wbr".split(" "),
);

/**
 * A page's HTML without what nobody sees or selects by: scripts, styles, comments, advertisements, tracking pixels, tokens.
 * A page gives the same text each time. Takes the advertisements out of the tree, which `parseHtml` made with its drawings.
 */
export function reducePage(root: DocumentNode): string {
  const body = findElement(root, ({ name }) => name === "body") ?? root;
  weighTree(body);
  dropAdvertising(body);
  const pieces = ["<!doctype html>"];
  writeChildren(root, pieces);
  let left = maxData;
  for (const data of root.linkedData) {
    left -= data.length;
    if (left >= 0) pieces.push(`<script type="application/ld+json">${data}</script>`);
  }
  return pieces.join("");
}

/** A text as a page, of which each line is a line. */
export function reduceText(markdown: string, title: string): string {
  return `<!doctype html><html ${kindAttribute}="text"><head><title>${escapeHtml(title)}</title></head><body><pre>${escapeHtml(markdown)}</pre></body></html>`;
}

/** A document that was made into HTML: a page of nothing but content. */
export function reduceDocument(root: DocumentNode): string {
  const html = findElement(root, ({ name }) => name === "html");
  const reduced = reducePage(root);
  if (html === undefined)
    return reduced.replace("<!doctype html>", `<!doctype html><html ${kindAttribute}="document">`);
  return reduced.replace("<html", `<html ${kindAttribute}="document"`);
}

/** Characters that are kept of a page. */
const maxPage = 512 * 1024;

/** The beginning of a reduced page, in whole tags. */
export function boundedPage(html: string): string {
  if (html.length <= maxPage) return html;
  const beginning = html.slice(0, maxPage).replace(/[\ud800-\udbff]$/, "");
  const tag = beginning.lastIndexOf("<");
  return tag > beginning.lastIndexOf(">") ? beginning.slice(0, tag) : beginning;
}

/** What kind of document a reduced page is; undefined for HTML. */
export function kindOf(root: DocumentNode): DocumentKind | undefined {
  const kind = findElement(root, ({ name }) => name === "html")?.getAttribute(kindAttribute);
  return kind === "text" || kind === "document" ? kind : undefined;
}

function write(node: PageNode, pieces: string[]): void {
  if (isText(node)) {
    // Between what was left out, white space meets white space.
    if (node.text !== " " || pieces.at(-1) !== " ") pieces.push(escapedText(node.text));
    return;
  }
  const { name } = node;
  if (unkeptElements.has(name) || isUnseen(node)) return;
  if (!/^[a-z][\w:.-]*$/.test(name)) {
    writeChildren(node, pieces);
    return;
  }
  pieces.push(`<${name}${attributesOf(node)}>`);
  if (voids.has(name)) return;
  if (name === "svg") writeDrawing(node, pieces);
  else writeChildren(node, pieces);
  pieces.push(`</${name}>`);
}

function writeDrawing(drawing: ElementNode, pieces: string[]): void {
  const text = drawing.textContent.replace(/\s+/g, " ").trim();
  if (text !== "") pieces.push(`<text>${escapedText(text)}</text>`);
}

function writeChildren({ childNodes }: ElementNode, pieces: string[]): void {
  for (const child of childNodes) write(child, pieces);
}

/** Heads' elements and pictures that say nothing. */
function isUnseen(element: ElementNode): boolean {
  const { name, attributes } = element;
  if (name === "link") return !keptRels.test(attributes.get("rel") ?? "") && !attributes.has("itemprop");
  if (name === "meta") return !isKeptMeta(attributes);
  if (name === "input")
    return attributes.get("type")?.toLowerCase() === "hidden" && !attributes.has("itemprop");
  return (name === "img" || name === "iframe") && isPixel(attributes);
}

function isPixel(attributes: ReadonlyMap<string, string>): boolean {
  return (
    /^[01](?:px)?$/.test(attributes.get("width") ?? "") ||
    /^[01](?:px)?$/.test(attributes.get("height") ?? "")
  );
}

function isKeptMeta(attributes: ReadonlyMap<string, string>): boolean {
  if (attributes.has("itemprop")) return true;
  const name = attributes.get("name") ?? attributes.get("property") ?? attributes.get("http-equiv") ?? "";
  return keptMetas.test(name.trim());
}

function attributesOf({ name, attributes }: ElementNode): string {
  let written = "";
  for (const [key, value] of attributes) {
    const shown = keptValue(name, key, value);
    if (shown !== undefined) written += shown === "" ? ` ${key}=""` : ` ${key}="${escapeHtml(shown)}"`;
  }
  return written;
}

/** The value of an attribute as it is kept; undefined where it is not. */
function keptValue(name: string, key: string, value: string): string | undefined {
  if (key === "style") return value.match(keptStyle)?.join(";");
  if (key === "data-preloaded") return value.length <= maxData ? value : undefined;
  if (key === kindAttribute || value.startsWith("data:")) return undefined;
  if (key === "value" && name === "button") return undefined;
  if (key === "href" || key === "src" || key === "srcset")
    return value.length <= maxAddress ? value : undefined;
  if (value.length > maxValue) return undefined;
  if (kept.has(key)) return value;
  if (key.length > 40 || value.length > 200 || !/^(?:data|aria)-[\w.-]+$/.test(key)) return undefined;
  return lazySources.test(key) || !volatile.test(key) ? value : undefined;
}

function escapedText(text: string): string {
  return /[&<>\u00a0]/.test(text)
    ? text
        .replace(/&/g, "&amp;")
        .replace(/</g, "&lt;")
        .replace(/>/g, "&gt;")
        .replace(/\u00a0/g, "&nbsp;")
    : text;
}
