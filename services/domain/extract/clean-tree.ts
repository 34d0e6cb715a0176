import { flattenLayoutTable } from "./layout-table.ts";
import { mendImage } from "./lazy-image.ts";
import { liftLink } from "./lift-link.ts";
import type { ResolveUrl } from "./page-url.ts";
import { weighTree } from "./text-weight.ts";
import {
  adopt,
  type ElementNode,
  findElement,
  hasText,
  isElement,
  newElement,
  type PageNode,
  TextNode,
} from "./tree.ts";

const dropped = new Set(
  (
    "head title meta link base noscript object embed param button select option optgroup datalist textarea " +
    "progress meter dialog template slot-fallback map area source track rp"
  ).split(" "),
);
const kept = new Set(["html", "body", "main", "article"]);
const maxQuoteDepth = 12;

/**
 * Takes out of a tree what no reader sees (forms' controls, hidden elements, tracking pixels) and mends the rest in
 * place: addresses absolute, lazy images real, layout tables plain, players and frames links. Returns the body.
 */
export function cleanTree(root: ElementNode, resolve: ResolveUrl): ElementNode {
  const body = findElement(root, ({ name }) => name === "body") ?? root;
  revealPage(body);
  cleanChildren(body, resolve, 0);
  return body;
}

/** A page that is hidden until its script has run (streamed or faded in) is read as if it had. */
function revealPage(body: ElementNode): void {
  const weigh = weighTree(body);
  const { chars } = weigh(body);
  let at: ElementNode | undefined = body;
  while (at !== undefined) {
    if (isHidden(at)) for (const name of ["hidden", "aria-hidden", "style"]) at.attributes.delete(name);
    at = at.childNodes.find(
      (child): child is ElementNode => isElement(child) && weigh(child).chars > chars / 2,
    );
    if (at?.name === "noscript") at = unwrapNoscript(at);
  }
}

/** Some sites keep the whole page for readers without scripts. */
function unwrapNoscript(noscript: ElementNode): ElementNode {
  const content = newElement("div", {}, noscript.childNodes);
  const parent = noscript.parentNode;
  if (parent !== null)
    adopt(
      parent,
      parent.childNodes.map(child => (child === noscript ? content : child)),
    );
  return content;
}

function cleanChildren(parent: ElementNode, resolve: ResolveUrl, quoteDepth: number): void {
  const children: PageNode[] = [];
  for (const child of parent.childNodes) {
    if (!isElement(child)) children.push(child);
    else for (const node of cleanElement(child, children, resolve, quoteDepth)) children.push(node);
  }
  adopt(parent, children);
}

function cleanElement(
  element: ElementNode,
  before: PageNode[],
  resolve: ResolveUrl,
  quoteDepth: number,
): PageNode[] {
  if (element.name === "noscript") return fallbackImage(element, before, resolve);
  if (dropped.has(element.name) || isHidden(element)) return [];
  if (element.name === "input" && element.getAttribute("type").toLowerCase() !== "checkbox") return [];
  if (element.name === "img") return mendImage(element, resolve) ? [element] : [];
  if (element.name === "iframe" || element.name === "video" || element.name === "audio")
    return player(element, resolve);
  const isQuote = quoting.has(element.name);
  cleanChildren(element, resolve, isQuote ? quoteDepth + 1 : quoteDepth);
  // Each level of quotes and lists prefixes every line below it; a page of nothing but levels must not grow so.
  if (isQuote && quoteDepth >= maxQuoteDepth) return element.childNodes;
  if (quoteDepth > maxQuoteDepth && items.has(element.name))
    return [newElement("div", {}, element.childNodes)];
  if (element.name === "a") return cleanLink(element, resolve);
  if (element.name === "li" && element.parentNode?.name !== "ol" && isEmpty(element)) return [];
  if (element.name === "table") return flattenLayoutTable(element);
  return [element];
}

const quoting = new Set(["blockquote", "ul", "ol", "menu", "dl"]);

const items = new Set(["li", "dd", "dt"]);

function isHidden(element: ElementNode): boolean {
  const { attributes, name } = element;
  if (attributes.size === 0 || kept.has(name)) return false;
  // React streams parts of a page as hidden blocks named `S:<n>`, which its script moves into place.
  const isStreamed = attributes.get("id")?.startsWith("S:") === true;
  if (attributes.has("hidden") && attributes.get("hidden") !== "until-found") return !isStreamed;
  if (attributes.get("aria-hidden") === "true" && name !== "img") return true;
  const style = attributes.get("style");
  return style !== undefined && /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style);
}

/** A `noscript` is of use only where it holds the image that a script would have put before it. */
function fallbackImage(noscript: ElementNode, before: PageNode[], resolve: ResolveUrl): PageNode[] {
  const image = findElement(noscript, ({ name }) => name === "img");
  if (image === undefined || !mendImage(image, resolve)) return [];
  const previous = before.findLast(isElement);
  const shown =
    previous?.name === "img" ? previous : previous && findElement(previous, ({ name }) => name === "img");
  return shown?.getAttribute("src") === image.getAttribute("src") ? [] : [image];
}

/** Links to the heading they stand in, and links that skip to the content, are for the browser only. */
function cleanLink(link: ElementNode, resolve: ResolveUrl): PageNode[] {
  if (link.getAttribute("href").startsWith("#")) {
    const text = link.textContent.trim();
    if (/^skip\b/i.test(text)) return [];
    if (/^h[1-6]$/.test(link.parentNode?.name ?? ""))
      return /[\p{L}\p{N}]/u.test(text) ? link.childNodes : [];
  }
  const href = link.attributes.has("href") ? resolve(link.getAttribute("href")) : null;
  if (href === null) return link.childNodes;
  link.attributes.set("href", href);
  return liftLink(link);
}

function isEmpty(element: ElementNode): boolean {
  return (
    !hasText(element) && findElement(element, ({ name }) => name === "img" || name === "input") === undefined
  );
}

const playerNames: Record<string, string> = { iframe: "Frame", video: "Video", audio: "Audio" };

/** What plays or shows another document becomes a link to it; advertisements and frames of one pixel go. */
function player(element: ElementNode, resolve: ResolveUrl): PageNode[] {
  const source = findElement(element, ({ name, attributes }) => name === "source" && attributes.has("src"));
  const address =
    element.getAttribute("src") || element.getAttribute("data-src") || source?.getAttribute("src") || "";
  const url = address === "" ? null : resolve(address);
  if (
    !url?.startsWith("http") ||
    isTiny(element) ||
    /googletagmanager|doubleclick|adsystem|recaptcha/.test(url)
  )
    return [];
  const label =
    element.getAttribute("title") || element.getAttribute("aria-label") || playerNames[element.name] || "";
  const link = newElement("a", { href: url }, []);
  link.childNodes.push(new TextNode(label, link));
  return [newElement("p", {}, [link])];
}

function isTiny(element: ElementNode): boolean {
  return (
    /^[01](?:px)?$/.test(element.getAttribute("width")) ||
    /^[01](?:px)?$/.test(element.getAttribute("height"))
  );
}
