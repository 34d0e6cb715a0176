import type { Page } from "./parse-page.ts";
import { textOf } from "./text-of.ts";

/** An entity of JSON-LD or microdata: property names to texts, entities, or lists of them. */
export interface LinkedNode {
  [property: string]: unknown;
}

const maxNodes = 2000;

/** Every top-level entity of the page's JSON-LD scripts, `@graph` unfolded. A script that does not parse is not there. */
export function jsonldOf(page: Page): LinkedNode[] {
  page.jsonld ??= [...page.document.querySelectorAll('script[type="application/ld+json"]')]
    .flatMap(script => unfold(parse(script.textContent ?? "")))
    .slice(0, maxNodes);
  return page.jsonld;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\s*(<!--|\/\/<!\[CDATA\[)|(-->|\/\/\]\]>)\s*$/g, ""));
  } catch {
    return null;
  }
}

function unfold(value: unknown): LinkedNode[] {
  const found: LinkedNode[] = [];
  const waiting = [value];
  while (waiting.length > 0 && found.length < maxNodes) {
    const next = waiting.pop();
    if (Array.isArray(next)) waiting.push(...next.slice(0, maxNodes).reverse());
    else if (isNode(next) && Array.isArray(next["@graph"])) waiting.push(next["@graph"]);
    else if (isNode(next)) found.push(next);
  }
  return found;
}

/** Microdata (WHATWG HTML, "Microdata") and RDFa Lite below an element, in the shape of JSON-LD. */
export function microdataOf(page: Page, root: Element): LinkedNode[] {
  const known = page.microdata.get(root);
  if (known) return known;
  const loose: LinkedNode = {};
  const nodes = new Map<Element, LinkedNode>();
  const top: LinkedNode[] = [];
  for (const element of [root, ...root.querySelectorAll("[itemscope], [itemprop], [typeof], [property]")]) {
    const node = scopeOf(element);
    if (node) nodes.set(element, node);
    const property = element === root ? null : propertyOf(element);
    if (property) add(nodes.get(ownerOf(element, root)) ?? loose, property, node ?? contentOf(element, page));
    else if (node) top.push(node);
  }
  const all = Object.keys(loose).length > 0 ? [...top, loose] : top;
  page.microdata.set(root, all);
  return all;
}

function scopeOf(element: Element): LinkedNode | undefined {
  const type = element.getAttribute("itemtype") ?? element.getAttribute("typeof");
  if (type === null && !element.hasAttribute("itemscope")) return undefined;
  return type ? { "@type": type.split(/[/#:]/).at(-1) } : {};
}

/** OpenGraph uses `property` on meta elements of the head; those are no RDFa of an entity. */
function propertyOf(element: Element): string | undefined {
  const property = element.getAttribute("itemprop") ?? element.getAttribute("property");
  return property && !/^(og|twitter|fb|article|product):/.test(property)
    ? property.split(/[\s:]/).at(-1)
    : undefined;
}

function ownerOf(element: Element, root: Element): Element {
  if (element === root) return root;
  return element.parentElement?.closest("[itemscope], [typeof]") ?? root;
}

function contentOf(element: Element, page: Page): unknown {
  const stated = ["content", "datetime", "value"].map(name => element.getAttribute(name)).find(Boolean);
  if (stated) return stated;
  const link = element.getAttribute("src") ?? element.getAttribute("href");
  return link ? (URL.parse(link, page.base)?.href ?? link) : textOf(element);
}

function add(node: LinkedNode, property: string, value: unknown): void {
  const before = Object.hasOwn(node, property) ? node[property] : undefined;
  if (before === undefined) node[property] = value;
  else if (Array.isArray(before)) before.push(value);
  else node[property] = [before, value];
}

/**
 * The values at a path such as `Product.offers.price`. A first step in upper case is a type that the entity must have;
 * alone, it gives the entities themselves. Lists are walked through.
 */
export function readPath(nodes: LinkedNode[], path: string): unknown[] {
  const steps = path.split(".");
  const type = /^\p{Lu}/u.test(path) ? steps.shift() : undefined;
  const starts = type === undefined ? nodes : nodes.filter(node => typesOf(node).includes(type));
  if (steps.length === 0) return starts;
  for (const start of starts) {
    const found = steps.reduce<unknown[]>(step, [start]);
    if (found.length > 0) return found;
  }
  return [];
}

function step(values: unknown[], property: string): unknown[] {
  return values.flatMap(value => {
    const inner = isNode(value) && Object.hasOwn(value, property) ? value[property] : undefined;
    return Array.isArray(inner)
      ? inner
      : inner === undefined || inner === null || inner === ""
        ? []
        : [inner];
  });
}

export function typesOf(node: LinkedNode): string[] {
  return [node["@type"]]
    .flat()
    .flatMap(type => (typeof type === "string" ? (type.split(/[/#:]/).at(-1) ?? []) : []));
}

/** What stands for an entity where a plain value is wanted. */
export function plainValue(value: unknown): unknown {
  if (!isNode(value)) return value;
  if (typesOf(value).includes("HowToStep") && value.text !== undefined) return value.text;
  const names = ["@value", "name", "headline", "text", "ratingValue", "value", "url", "contentUrl", "@id"];
  return names
    .map(name => (Object.hasOwn(value, name) ? value[name] : undefined))
    .find(part => part !== undefined);
}

export function isNode(value: unknown): value is LinkedNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
