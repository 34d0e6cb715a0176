import { parseHtml } from "../html/parse-html.ts";
import { weighTree } from "../html/plain-text.ts";
import {
  adopt,
  type ElementNode,
  findElement,
  findElements,
  isElement,
  newElement,
  type PageNode,
  TextNode,
} from "../html/tree.ts";

/** If a page has less text than this, reads the data that it has for its scripts. */
const maxShellText = 200;

/**
 * Makes a page readable whose scripts have not filled it. If most of the text is in `noscript`, shows that, as a browser
 * without scripts does. If there is almost no text, shows the posts that Discourse sends as data. `sources` are the elements
 * of the body for which `isServerContent` holds, in order. Returns whether it changed the page.
 */
export function showServerContent(body: ElementNode, sources: readonly ElementNode[]): boolean {
  const noscripts = sources.filter(isNoscript);
  const inside = noscripts.reduce((sum, noscript) => sum + charsIn(noscript), 0);
  // Most pages have almost nothing there and need no measuring.
  if (inside < maxShellText && !sources.some(isPreloaded)) return false;
  const all = charsIn(body);
  if (inside > all / 2) {
    for (const parent of new Set(noscripts.map(it => it.parentNode))) unwrapIn(parent ?? body);
    return true;
  }
  const posts = all - inside < maxShellText ? preloadedPosts(body) : undefined;
  if (posts !== undefined) adopt(body, [...body.childNodes, posts]);
  return posts !== undefined;
}

/** Whether the element may hold what a page shows without its scripts only. */
export function isServerContent(element: ElementNode): boolean {
  return isNoscript(element) || isPreloaded(element);
}

/** Characters of text that a page shows without its scripts only. */
export function serverTextLength(root: ElementNode): number {
  const noscripts = findElements(root, isNoscript);
  const posts = preloadedPosts(root);
  const inside = noscripts.reduce((sum, noscript) => sum + charsIn(noscript), 0);
  return inside + (posts === undefined ? 0 : charsIn(posts));
}

function charsIn(element: ElementNode): number {
  return weighTree(element)(element).chars;
}

function isPreloaded({ attributes }: ElementNode): boolean {
  return attributes.size > 0 && attributes.has("data-preloaded");
}

function isNoscript({ name }: ElementNode): boolean {
  return name === "noscript";
}

function unwrapIn(parent: ElementNode): void {
  const shown = (child: PageNode) =>
    isElement(child) && isNoscript(child) ? newElement("div", {}, child.childNodes) : child;
  adopt(parent, parent.childNodes.map(shown));
}

/** `data-preloaded` of Discourse: a JSON object of JSON texts, of which `topic_<id>` holds the posts' HTML. */
function preloadedPosts(root: ElementNode): ElementNode | undefined {
  const holder = findElement(root, isPreloaded);
  const stored = record(parsed(holder?.getAttribute("data-preloaded")));
  const key = Object.keys(stored).find(name => /^topic_\d+$/.test(name));
  if (key === undefined) return undefined;
  const topic = record(parsed(stored[key]));
  const { posts } = record(topic.post_stream);
  if (!Array.isArray(posts) || posts.length === 0) return undefined;
  const heading = newElement("h1", {}, []);
  heading.childNodes.push(new TextNode(textOf(topic.title), heading));
  return newElement("article", {}, [heading, ...posts.map(post => postOf(record(post)))]);
}

function postOf({ username, cooked }: Record<string, unknown>): ElementNode {
  const author = newElement("p", {}, []);
  author.childNodes.push(new TextNode(textOf(username), author));
  return newElement("section", {}, [author, ...parseHtml(textOf(cooked)).childNodes]);
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === "string" ? JSON.parse(text) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The template that a parser turns into the shadow tree of the element that holds it. */
export function shadowTemplate(host: ElementNode): ElementNode | undefined {
  return host.childNodes.find((child): child is ElementNode => isElement(child) && child.name === "template");
}

/**
 * Puts a shadow tree in place of its host's children, as a browser shows it: each slot has the children that name it, the
 * nameless one all others; a slot that nothing names keeps its own content.
 */
export function flattenShadow(host: ElementNode, template: ElementNode): void {
  const assigned = new Map<string, PageNode[]>();
  for (const child of host.childNodes) {
    if (child === template) continue;
    const name = isElement(child) ? child.getAttribute("slot") : "";
    const nodes = assigned.get(name);
    if (nodes === undefined) assigned.set(name, [child]);
    else nodes.push(child);
  }
  fillSlots(template, assigned);
  adopt(host, template.childNodes);
}

/** The first slot of a name gets what is assigned to it. */
function fillSlots(parent: ElementNode, assigned: Map<string, PageNode[]>): void {
  for (const child of parent.childNodes) {
    if (!isElement(child) || child.name === "template") continue;
    const content = child.name === "slot" ? assigned.get(child.getAttribute("name")) : undefined;
    if (content === undefined) fillSlots(child, assigned);
    else {
      assigned.delete(child.getAttribute("name"));
      if (content.some(node => isElement(node) || !node.isWhitespace)) adopt(child, content);
    }
  }
}
