import { SaxesParser } from "saxes";
import { DocumentNode, ElementNode, isElement, isText, TextNode } from "../html/tree.ts";
import { evaluateXmlXPath } from "../page/xpath.ts";
import { TooMuchWork } from "../recipe/parse-page.ts";
import type { PlacedValue } from "./json-values.ts";

const [maxNodes, maxDepth] = [300_000, 200];

/** All single values of what XPath expressions find in XML, each once, in the order in which they are found. */
export function xmlValues(document: DocumentNode, expressions: readonly string[]): PlacedValue[] {
  const values = new Map<string, string>();
  const paths = new Paths();
  for (const expression of expressions)
    for (const found of evaluateXmlXPath(document, expression)) {
      if ("value" in found) values.set(expression, shown(found.value));
      else if (found.attribute !== undefined)
        values.set(`${paths.of(found.element)}/@${found.attribute}`, shown(found.text));
      else if (found.text !== undefined) values.set(paths.of(found.element), shown(found.text));
      else collect(found.element, paths, values);
    }
  return [...values].map(([path, value]) => ({ path, value }));
}

/** Reads XML into a tree whose names are as they are in the document; reads past errors. Expands no entities of its own. */
export function parseXmlTree(text: string): DocumentNode {
  const root = new DocumentNode();
  let [at, nodes]: [ElementNode, number] = [root, 0];
  let skipped = 0;
  const count = () => {
    nodes += 1;
    if (nodes > maxNodes) throw new TooMuchWork("This document has too many elements.");
  };
  const parser = new SaxesParser();
  parser.on("error", () => undefined);
  parser.on("opentag", ({ name, attributes }) => {
    count();
    if (skipped > 0 || depthOf(at) >= maxDepth) {
      skipped += 1;
      return;
    }
    const element = new ElementNode(name, new Map(Object.entries(attributes)), at);
    at.childNodes.push(element);
    at = element;
  });
  const addText = (piece: string) => {
    count();
    if (skipped === 0 && at !== root) at.childNodes.push(new TextNode(piece, at));
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    if (skipped > 0) skipped -= 1;
    else at = at.parentNode ?? root;
  });
  parser.write(text.replace(/^\s+/, "")).close();
  return root;
}

const depths = new WeakMap<ElementNode, number>();

function depthOf(element: ElementNode): number {
  const known = depths.get(element);
  if (known !== undefined) return known;
  const depth = element.parentNode ? depthOf(element.parentNode) + 1 : 0;
  depths.set(element, depth);
  return depth;
}

function collect(element: ElementNode, paths: Paths, values: Map<string, string>): void {
  const inner = element.childNodes.filter(isElement);
  const path = paths.of(element);
  for (const [name, value] of element.attributes)
    if (!/^xmlns(?::|$)/.test(name)) values.set(`${path}/@${name}`, shown(value));
  const own = shown(element.childNodes.map(node => (isText(node) ? node.text : "")).join(""));
  if (own !== "" || (inner.length === 0 && !values.has(path))) values.set(path, own);
  for (const child of inner) collect(child, paths, values);
}

function shown(text = ""): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Names of attributes and elements by which entries are told apart, in lower case. */
const idNames = ["id", "guid", "uuid", "key", "loc", "include"];

/** Where elements are: `/rss/channel/item[guid=7]/title`, so that one that comes or goes moves none of the others. */
class Paths {
  readonly #known = new Map<ElementNode, string>();

  of(element: ElementNode): string {
    const { parentNode } = element;
    if (parentNode === null) return "";
    if (!this.#known.has(element)) this.#name(parentNode);
    return this.#known.get(element) ?? "";
  }

  #name(parent: ElementNode): void {
    const above = this.of(parent);
    const counts = new Map<string, number>();
    for (const child of parent.childNodes.filter(isElement)) {
      const id = idOf(child);
      const path = `${above}/${child.name}${id === undefined ? "" : `[${id}]`}`;
      const count = (counts.get(path) ?? 0) + 1;
      counts.set(path, count);
      this.#known.set(child, count === 1 ? path : `${path}[${count}]`);
    }
  }
}

const maxIdLength = 200;

function idOf({ attributes, childNodes }: ElementNode): string | undefined {
  const named = [...attributes].find(([name]) => idNames.includes(name.toLowerCase()));
  const inner = childNodes.filter(isElement).find(({ name }) => idNames.includes(name.toLowerCase()));
  const [name, value] = named ?? (inner ? [inner.name, inner.textContent] : []);
  const id = shown(value);
  return id === "" || id.length > maxIdLength ? undefined : `${name}=${id}`;
}
