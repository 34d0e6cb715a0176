import { rowCells, tableRows } from "./markdown/table.ts";
import { adopt, type ElementNode, findElement, isElement, newElement, type PageNode } from "./tree.ts";

const heavy = new Set(["table", "h1", "h2", "h3", "form", "article", "section", "main"]);

/**
 * A table that only arranges the page (one cell, one column of blocks, tables inside, the role of none) becomes plain
 * blocks. A table of data stays; its caption and what stands outside its rows come before it.
 */
export function flattenLayoutTable(table: ElementNode): PageNode[] {
  const rows = tableRows(table);
  if (isLayout(table, rows)) return rows.map(row => blockOf(rowCells(row))).concat(strays(table));
  const outside = strays(table);
  if (outside.length > 0)
    table.childNodes = table.childNodes.filter(child => !outside.includes(child as ElementNode));
  return [...outside, table];
}

function isLayout(table: ElementNode, rows: ElementNode[]): boolean {
  const role = table.getAttribute("role");
  if (role === "presentation" || role === "none") return true;
  if (findElement(table, ({ name }) => name === "th") !== undefined) return false;
  const widths = rows.map(row => rowCells(row).length);
  if (widths.every(width => width <= 1)) return true;
  return rows.some(row =>
    rowCells(row).some(cell => findElement(cell, ({ name }) => heavy.has(name)) !== undefined),
  );
}

function blockOf(cells: ElementNode[]): ElementNode {
  return newElement(
    "div",
    {},
    cells.map(cell => newElement("div", {}, cell.childNodes)),
  );
}

const parts = new Set(["tr", "thead", "tbody", "tfoot", "colgroup", "col"]);

function strays(table: ElementNode): ElementNode[] {
  return table.childNodes
    .filter(isElement)
    .filter(({ name }) => !parts.has(name))
    .map(asParagraph);
}

function asParagraph(element: ElementNode): ElementNode {
  if (element.name !== "caption") return element;
  const { childNodes } = element;
  adopt(element, childNodes);
  return element;
}
