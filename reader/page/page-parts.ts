import {
  adopt,
  type DocumentNode,
  type ElementNode,
  isBlock,
  isElement,
  type PageNode,
  TextNode,
} from "../html/tree.ts";
import { rowCells, tableRows } from "../markdown/table.ts";
import type { PageElement } from "../recipe/page-element.ts";
import { Elements } from "../recipe/parse-page.ts";
import { evaluateXPath, isXPath } from "./xpath.ts";

/** Which elements of a page are wanted: CSS selectors, or XPath expressions (`isXPath`). */
export interface PageParts {
  /** Only what matches one of these, with all that is in it; empty for the whole page. */
  include: readonly string[];
  /** Not what matches one of these. */
  exclude: readonly string[];
}

/**
 * Cuts a page down to the parts that are wanted, in place. What is around a wanted part stays as its frame, without its
 * text: an item remains in its list, a cell in its table. Returns false when nothing matches what should be included.
 * Throws `TooMuchWork` for selectors that take too long on this page.
 */
export function keepParts(tree: DocumentNode, { include, exclude }: PageParts): boolean {
  const elements = new Elements(tree);
  const excluded = matching(tree, elements, exclude);
  const included = matching(tree, elements, include);
  keepPlaces(excluded);
  if (excluded.size > 0) dropAll(tree, excluded);
  if (include.length === 0) return true;
  const isWhole = included.has(elements.root.node) || [...included].some(({ name }) => name === "html");
  if (!isWhole) keepOnly(tree, included);
  return isWhole || included.size > 0;
}

function matching(tree: DocumentNode, { root }: Elements, selectors: readonly string[]): Set<ElementNode> {
  const nodeOf = ({ node }: PageElement) => node;
  return new Set(
    selectors.flatMap(selector => {
      if (isXPath(selector)) return evaluateXPath(tree, selector).elements;
      return [...(root.matches(selector) ? [root] : []), ...root.querySelectorAll(selector)].map(nodeOf);
    }),
  );
}

/**
 * Empties the excluded cells of tables, and takes them out of what is dropped: without one of its cells, a row has the
 * others under wrong heads. A column, and a row, that is excluded as a whole goes.
 */
function keepPlaces(excluded: Set<ElementNode>): void {
  const tables = new Set<ElementNode>();
  for (const element of excluded) {
    const table = isCell(element) ? tableOf(element) : undefined;
    if (table !== undefined) tables.add(table);
  }
  for (const table of tables) emptyCells(tableRows(table).map(rowCells), excluded);
}

function emptyCells(rows: readonly ElementNode[][], excluded: Set<ElementNode>): void {
  const kept = new Set<number>();
  for (const cells of rows)
    cells.forEach((cell, column) => {
      if (!excluded.has(cell)) kept.add(column);
    });
  for (const cells of rows) {
    if (cells.every(cell => excluded.has(cell))) continue;
    cells.forEach((cell, column) => {
      if (!kept.has(column) || !excluded.delete(cell)) return;
      cell.childNodes = [];
    });
  }
}

function isCell({ name }: ElementNode): boolean {
  return name === "td" || name === "th";
}

/** The table whose row a cell is in. */
function tableOf(cell: ElementNode): ElementNode | undefined {
  let at = cell.parentNode;
  for (let up = 0; up < 3 && at !== null; up++, at = at.parentNode) if (at.name === "table") return at;
  return undefined;
}

/** A block separated the words around it, and still does when it is gone. */
function dropAll(parent: ElementNode, dropped: ReadonlySet<ElementNode>): void {
  const children: PageNode[] = [];
  for (const child of parent.childNodes) {
    if (!isElement(child) || !dropped.has(child)) children.push(child);
    else if (isBlock(child.name)) children.push(new TextNode(" ", parent));
    if (isElement(child) && !dropped.has(child)) dropAll(child, dropped);
  }
  adopt(parent, children);
}

/** Returns whether the element holds anything that is kept. */
function keepOnly(parent: ElementNode, kept: ReadonlySet<ElementNode>): boolean {
  const children: PageNode[] = [];
  for (const child of parent.childNodes)
    if (isElement(child) && (kept.has(child) || keepOnly(child, kept)))
      children.push(child, new TextNode(" ", parent));
  adopt(parent, children);
  return children.length > 0;
}
