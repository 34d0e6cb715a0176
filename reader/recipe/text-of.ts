import { isAscii } from "../content/tokens.ts";
import { type ElementNode, isElement, isText, type PageNode } from "../html/tree.ts";
import type { PageElement } from "./page-element.ts";

const block = new Set(
  (
    "address article aside blockquote br caption dd div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr " +
    "li main nav ol p pre section table tbody td tfoot th thead tr ul"
  ).split(" "),
);
const silent = new Set("script style noscript template svg".split(" "));
const maxLength = 20_000;
const maxNodes = 20_000;

/** The text that a reader sees in an element: one line a block or `br`, white space collapsed, at most 20,000 characters. */
export function linesOf(element: PageElement, except: readonly PageElement[] = []): readonly string[] {
  if (except.length > 0) return readLines(element, except);
  element.lines ??= readLines(element, except);
  return element.lines;
}

function readLines(element: PageElement, except: readonly PageElement[]): string[] {
  const reading = { text: "", left: maxNodes, except: new Set<PageNode>(except.map(({ node }) => node)) };
  read(reading, element.node);
  element.spend(maxNodes - reading.left);
  return reading.text
    .slice(0, maxLength)
    .split("\n")
    .flatMap(line => line.replace(/\s+/g, " ").trim() || []);
}

interface Reading {
  text: string;
  left: number;
  /** Elements whose text is left out. */
  except: ReadonlySet<PageNode>;
}

const struckNames =
  /(?:^|[-_ ])(?:old|was|original|before|previous|striked?|strike-?through|line-through|crossed|regular|list|compare|rrp|msrp|uvp|streichpreis|statt)(?:[-_ ]|$)/i;
/** Names of old prices that are no words of their own: `oldPrice`, `priceWas`, `compareAtPrice`. */
const struckPrices =
  /(?:old|was|original|before|previous|compareAt|strike|regular|list)Price|price(?:Old|Was|Original|Before|Strike)/;
const struckLabel = /^\s*(?:the )?(?:original|old|previous|regular|list|was|before|former)(?: price)?\b/i;
const lineThrough = /text-decoration[^;]*line-through/i;

/** Whether a price in it is crossed out. */
export function isStruck({ name, attributes }: ElementNode): boolean {
  if (name === "del" || name === "s" || name === "strike") return true;
  if (name === "body" || name === "html") return false;
  const classes = attributes.get("class") ?? "";
  return (
    struckNames.test(classes) ||
    struckPrices.test(classes) ||
    struckLabel.test(attributes.get("aria-label") ?? "") ||
    lineThrough.test(attributes.get("style") ?? "")
  );
}

const cents = /(?:^|[-_ ])(?:cents?|fraction|decimals?|centimes|minor)(?:[-_ ]|$)/i;

/** The text of a price, without what is crossed out; cents that only their size sets apart get a point. */
export function priceTextOf(element: PageElement): string {
  const reading = { text: "", left: 200 };
  readPrice(reading, element.node, element.node);
  element.spend(200 - reading.left);
  return reading.text.replace(/\s+/g, " ").trim();
}

/** The lines of an element in which prices are, without what is crossed out; a short text is one line. */
export function priceLinesOf(node: ElementNode): string[] {
  const reading = { text: "", left: maxNodes };
  readPrice(reading, node, node);
  const { text } = reading;
  const lines = text.length <= 300 ? [text] : text.slice(0, maxLength).split("\n");
  return lines.flatMap(line => line.replace(/\s+/g, " ").trim() || []);
}

function readPrice(reading: { text: string; left: number }, node: PageNode, root: PageNode): void {
  reading.left -= 1;
  if (isText(node)) reading.text += node.text;
  if (!isElement(node) || silent.has(node.name) || (node !== root && isStruck(node))) return;
  const isCents = node.name === "sup" || cents.test(node.attributes.get("class") ?? "");
  if (isCents && /\d\s*$/.test(reading.text.slice(-5)) && /^\s*\d\d\s*$/.test(node.textContent))
    reading.text = `${reading.text.trimEnd()}.`;
  if (block.has(node.name)) reading.text += "\n";
  for (const child of node.childNodes) {
    if (reading.left <= 0) break;
    readPrice(reading, child, root);
  }
  if (block.has(node.name)) reading.text += "\n";
}

function read(reading: Reading, node: PageNode): void {
  reading.left -= 1;
  if (isText(node)) {
    reading.text += node.text.replace(/\s+/g, " ");
    return;
  }
  const isBlock = block.has(node.name);
  if (reading.except.has(node)) {
    if (isBlock) reading.text += "\n";
    return;
  }
  if (isBlock) reading.text += "\n";
  for (const child of silent.has(node.name) ? [] : node.childNodes) {
    if (reading.left <= 0 || reading.text.length >= maxLength) break;
    read(reading, child);
  }
  if (isBlock) reading.text += "\n";
}

/** The text on one line, or undefined when it is empty or longer. */
export function shortTextOf(element: PageElement, max: number): string | undefined {
  const reading = { text: "", left: 200, except: new Set<PageNode>() };
  read(reading, element.node);
  element.spend(200 - reading.left);
  if (reading.left <= 0 || reading.text.length > max * 4) return undefined;
  const text = reading.text.replace(/\s+/g, " ").trim();
  return text === "" || text.length > max ? undefined : text;
}

/** The text on one line. */
export function textOf(element: PageElement, except: readonly PageElement[] = []): string {
  return linesOf(element, except).join(" ");
}

/** Letters and digits alone, in lower case: `Artikel-Nr.:` and `artikelNr` are the same word. */
export function squeeze(text: string): string {
  const lower = text.toLowerCase();
  // Without properties of Unicode an expression takes a fraction of the time.
  return lower.replace(isAscii(lower) ? /[^a-z\d]+/g : /[^\p{L}\p{N}]+/gu, "");
}

/** The words of a name in camelCase, snake_case, kebab-case or plain text, in lower case. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== "");
}

export function singular(word: string): string {
  if (/(series|species|news)$/.test(word)) return word;
  if (/ies$/.test(word)) return word.replace(/ies$/, "y");
  if (/(ss|us|is)$/.test(word)) return word;
  return word.replace(/(ch|sh|x|ss)es$/, "$1").replace(/s$/, "");
}
