import { ElementNode, isElement, isText, type PageNode } from "../html/tree.ts";
import type { PageElement } from "./page-element.ts";
import { Elements } from "./parse-page.ts";
import { type Place, placesWithin } from "./selector-for.ts";
import { linesOf, textOf } from "./text-of.ts";

/** Entries that are no elements of the page: a heading with what follows it, or a column of a table. */
export const cuts = ["sections", "columns"] as const;
export type Cut = (typeof cuts)[number];

const maxEntries = 5000;
const maxCells = 100_000;

/**
 * The entries that a list names: the elements that match; with `sections`, each with its following siblings up to the
 * next match or a higher heading; with `columns`, each column of the matching tables as a table of label and value,
 * whose caption is the column's header.
 */
export function entriesOf(scope: PageElement, list: string, cut?: Cut): PageElement[] {
  const found = scope.querySelectorAll(list).slice(0, maxEntries);
  if (cut === "sections") return sectionsOf(found);
  return cut === "columns" ? found.flatMap(columnsOf) : found;
}

function sectionsOf(heads: PageElement[]): PageElement[] {
  const starts = new Map(heads.map(head => [head.node as PageNode, head]));
  const sections = new Map<PageElement, PageNode[]>();
  for (const parent of new Set(heads.map(head => head.parentElement))) {
    let open: PageElement | undefined;
    for (const node of parent?.childNodes ?? []) {
      const head = starts.get(node);
      if (head) sections.set(head, []);
      if (head ?? (open && isAbove(node, open))) open = head;
      if (open) sections.get(open)?.push(node);
    }
  }
  return heads.flatMap(head => {
    const nodes = sections.get(head);
    return nodes && nodes.length > 1 ? partOf(head, nodes) : [];
  });
}

/** Whether a node is a heading that ends the section of another one. */
function isAbove(node: PageNode, head: PageElement): boolean {
  if (!isElement(node) || !/^h[1-6]$/.test(node.name)) return false;
  return !/^h[1-6]$/.test(head.localName) || node.name < head.localName;
}

/** The columns after the first, as far as the table's rows are as long as its first one. */
function columnsOf(table: PageElement): PageElement[] {
  const rows = rowsOf(table);
  const [header, ...others] = rows;
  const width = header?.children.length ?? 0;
  if (!header || width < 2 || width * rows.length > maxCells) return [];
  const body = others.filter(row => row.children.length === width);
  return header.children.slice(1).map((head, index) => {
    const label = header.children[0] as PageElement;
    const own = body.map(row => [row.children[0], row.children[index + 1]]);
    const pairs = label.node.textContent.trim() === "" ? own : [[label, head], ...own];
    return partOf(table, [
      newNode("table", [
        newNode("caption", head.node.childNodes),
        ...pairs.map(([name, value]) =>
          newNode("tr", [
            newNode("th", name?.node.childNodes ?? []),
            newNode("td", value?.node.childNodes ?? []),
          ]),
        ),
      ]),
    ]);
  });
}

/** The rows of a table itself, not those of tables within. */
export function rowsOf(table: PageElement): PageElement[] {
  return table.children.flatMap(child =>
    child.localName === "tr" ? [child] : child.children.filter(row => row.localName === "tr"),
  );
}

function newNode(name: string, children: readonly PageNode[]): ElementNode {
  const node = new ElementNode(name, new Map(), null);
  node.childNodes = [...children];
  return node;
}

/** Nodes of a page by themselves. Work on them counts as work on the page. */
function partOf(origin: PageElement, nodes: PageNode[]): PageElement {
  const part = new Part(newNode("#part", nodes));
  part.origin = origin;
  origin.spend(part.all.length);
  return part.root;
}

class Part extends Elements {
  origin?: PageElement;

  override spend(steps: number): void {
    super.spend(steps);
    this.origin?.spend(steps);
  }
}

/** A place that entries of a list share, and what is there in each of the samples. */
export interface Slot {
  selector: string;
  /** The element has other elements with text; only its own text counts. */
  isOwnText: boolean;
  elements: (PageElement | null)[];
  /** Empty where a sample has no such place. */
  texts: string[];
}

const maxElements = 150;
const maxSlots = 80;
const maxText = 400;

const known = new WeakMap<readonly { element: PageElement }[], Slot[]>();

/** The places of texts in samples of entries. An array of samples has them found once. */
export function slotsIn(sites: readonly { element: PageElement }[]): Slot[] {
  const before = known.get(sites);
  const found = before ?? slotsOf(sites.map(({ element }) => element));
  if (!before) known.set(sites, found);
  return found;
}

/** The places of texts that entries share, in the order of the page. */
function slotsOf(roots: PageElement[]): Slot[] {
  const slots = new Map<string, Slot>();
  for (const root of roots.slice(0, 3))
    for (const element of [root, ...root.firstBelow(maxElements - 1)]) {
      if (slots.size >= maxSlots) break;
      const own = ownText(element);
      if (own === "" || /^(script|style|option|noscript|svg|html)$/.test(element.localName)) continue;
      const isOwnText = element.children.some(child => linesOf(child).length > 0);
      for (const place of placesWithin(element, root)) {
        const key = `${isOwnText} ${place.selector}`;
        if (!slots.has(key) && slots.size < maxSlots) slots.set(key, slotAt(place, isOwnText, roots));
      }
    }
  return [...slots.values()];
}

function slotAt({ selector, firstIn }: Place, isOwnText: boolean, roots: PageElement[]): Slot {
  const elements = roots.map(firstIn);
  const texts = elements.map(element =>
    element === null ? "" : (isOwnText ? ownText(element) : textOf(element)).slice(0, maxText),
  );
  return { selector, isOwnText, elements, texts };
}

/** The text of an element outside of its elements. */
function ownText(element: PageElement): string {
  element.ownText ??= readOwnText(element);
  return element.ownText;
}

function readOwnText(element: PageElement): string {
  return element.childNodes
    .slice(0, maxElements)
    .map(node => (isText(node) ? node.text : " "))
    .join("")
    .replace(/\s+/g, " ")
    .trim();
}

/** The share of the samples that have the place. */
export function coverageOf({ texts }: Slot): number {
  return texts.filter(text => text !== "").length / texts.length;
}

/** The share of the texts that pass a test. */
export function shareOf({ texts }: Slot, test: (text: string) => boolean): number {
  const given = texts.filter(text => text !== "");
  return given.length === 0 ? 0 : given.filter(test).length / given.length;
}

/** Whether the entries say different things here. Of two entries nothing can be said. */
export function isDistinct({ texts }: Slot): boolean {
  const given = texts.filter(text => text !== "");
  return given.length < 3 || new Set(given).size > given.length / 2;
}

/** Whether an element, or one of its ancestors in the entry, has a class or tag that passes. */
export function isWithin(element: PageElement, root: PageElement, test: (name: string) => boolean): boolean {
  return markOf(element, root, test) !== undefined;
}

/** The selector of the tag or class that passes, of the element or of an ancestor in the entry. */
export function markOf(
  element: PageElement,
  root: PageElement,
  test: (name: string) => boolean,
): string | undefined {
  let at: PageElement | null = element;
  for (let left = 12; at && at !== root && left > 0; left -= 1) {
    if (test(at.localName)) return at.localName;
    const found = at.classNames.find(name => name !== "" && test(name));
    if (found !== undefined && /^[A-Za-z][\w-]*$/.test(found)) return `.${found}`;
    at = at.parentElement;
  }
  return undefined;
}
