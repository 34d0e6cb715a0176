import { parseHtml } from "../html/parse-html.ts";
import { parseLooseJson } from "../text/loose-json.ts";
import { type Concept, concepts } from "./concepts.ts";
import type { Site } from "./name-index.ts";
import type { PageElement } from "./page-element.ts";
import type { LinkedNode, Page } from "./parse-page.ts";
import { Elements } from "./parse-page.ts";
import type { Field } from "./recipe.ts";
import { squeeze, textOf, wordsOf } from "./text-of.ts";
import type { Want } from "./want.ts";

const maxNodes = 2000;
const maxMarkup = 50_000;

/** Every top-level entity of the page's JSON-LD scripts, `@graph` unfolded. Ignores scripts that do not parse. */
export function jsonldOf(page: Page): LinkedNode[] {
  page.jsonld ??= page.linkedData.flatMap(text => unfold(parseLooseJson(text))).slice(0, maxNodes);
  return page.jsonld;
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
export function microdataOf(page: Page, root: PageElement): LinkedNode[] {
  const known = page.microdata.get(root);
  if (known) return known;
  const loose: LinkedNode = {};
  const nodes = new Map<PageElement, LinkedNode>();
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

function scopeOf(element: PageElement): LinkedNode | undefined {
  const type = element.getAttribute("itemtype") ?? element.getAttribute("typeof");
  if (type === null && !element.hasAttribute("itemscope")) return undefined;
  return type ? { "@type": type.split(/[/#:]/).at(-1) } : {};
}

/** OpenGraph uses `property` on meta elements of the head; those are no RDFa of an entity. */
function propertyOf(element: PageElement): string | undefined {
  const property = element.getAttribute("itemprop") ?? element.getAttribute("property");
  return property && !/^(og|twitter|fb|article|product):/.test(property)
    ? property.split(/[\s:]/).at(-1)
    : undefined;
}

function ownerOf(element: PageElement, root: PageElement): PageElement {
  if (element === root) return root;
  return element.parentElement?.closest("[itemscope], [typeof]") ?? root;
}

function contentOf(element: PageElement, page: Page): unknown {
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

/** The plain value that represents an entity. */
export function plainValue(value: unknown): unknown {
  if (typeof value === "string") return withoutMarkup(value);
  if (!isNode(value)) return value;
  if (typesOf(value).includes("HowToStep") && value.text !== undefined) return plainValue(value.text);
  const names = ["@value", "name", "headline", "text", "ratingValue", "value", "url", "contentUrl", "@id"];
  const found = names
    .map(name => (Object.hasOwn(value, name) ? value[name] : undefined))
    .find(part => part !== undefined);
  return typeof found === "string" ? withoutMarkup(found) : found;
}

/** Answers and descriptions of linked data are often HTML. */
function withoutMarkup(text: string): string {
  if (!/<\/?[a-z][^<>]{0,300}>|&(?:[a-z]{2,8}|#\d{1,6}|#x[\da-f]{1,6});/i.test(text)) return text;
  return textOf(new Elements(parseHtml(text.slice(0, maxMarkup))).root);
}

export function isNode(value: unknown): value is LinkedNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Entities that describe the site or the page's frame, not what the page is about. */
const frameTypes = new Set(
  "BreadcrumbList WebSite WebPage Organization SearchAction SiteNavigationElement WPHeader WPFooter ImageObject ListItem Corporation".split(
    " ",
  ),
);
/** Properties of every entity, which count only if the entity is the subject of the page. */
const common = new Set(["title", "url", "image", "description"]);

/** Fields that read a want from JSON-LD or microdata, best first. */
export function* linkedFields(want: Want, site: Site): Generator<Field> {
  const inside = (path: string) => (path === "" ? {} : { jsonld: path });
  if (site.node) {
    for (const path of pathsIn(want, site.node)) yield inside(path);
    return;
  }
  if (site.isPage) for (const path of typedPaths(want, jsonldOf(site.page))) yield { jsonld: path };
  for (const path of typedPaths(want, microdataOf(site.page, site.element))) yield { microdata: path };
}

function typedPaths(want: Want, nodes: LinkedNode[]): string[] {
  const subject = subjectOf(nodes);
  const others = common.has(want.concept ?? "") ? [] : nodes.filter(node => node !== subject).slice(0, 50);
  return (subject ? [subject, ...others] : others).flatMap(node => {
    const type = typesOf(node).find(name => /^\p{Lu}\w*$/u.test(name));
    return pathsIn(want, node).map(path => (type ? `${type}.${path}` : path));
  });
}

/** The subject of the page: the entity with most properties that is not part of its frame. */
export function subjectOf(nodes: LinkedNode[]): LinkedNode | undefined {
  const subjects = nodes.filter(node => !typesOf(node).some(type => frameTypes.has(type)));
  const score = (node: LinkedNode) => Object.keys(node).length;
  return subjects.slice(0, 200).sort((a, b) => score(b) - score(a))[0];
}

/** Paths in an entity: what the concept knows, a property of the want's own name, and one level deeper. */
function pathsIn(want: Want, node: LinkedNode): string[] {
  const known: Concept | undefined = want.concept && concepts[want.concept];
  const own = ownPaths(want, node);
  return [...new Set([...(known?.linked ?? []), ...own])].filter(path => readPath([node], path).length > 0);
}

function ownPaths(want: Want, node: LinkedNode): string[] {
  const wanted = squeeze(want.name);
  const words = wordsOf(want.name).join("");
  const keys = Object.keys(node).filter(isProperty);
  const direct = keys.filter(key => want.words.includes(squeeze(key)) || squeeze(key) === words);
  const nested = keys.flatMap(key => {
    const inner = [node[key]].flat()[0];
    if (!isNode(inner)) return [];
    return Object.keys(inner)
      .filter(isProperty)
      .flatMap(part => (squeeze(key + part) === wanted || squeeze(part) === wanted ? `${key}.${part}` : []));
  });
  return [...direct, ...nested.filter(path => !common.has(want.concept ?? "") || squeeze(path) === wanted)];
}

export function isProperty(key: string): boolean {
  return /^\p{Ll}[\w-]*$/u.test(key);
}
