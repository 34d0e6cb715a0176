import { rowCells, tableRows } from "./markdown/table.ts";
import { type ElementNode, findElement, isElement, newElement, type PageNode } from "./tree.ts";

const heavy = new Set(["table", "h1", "h2", "h3", "form", "article", "section", "main"]);

/**
 * A table that only arranges the page (one cell, one column of blocks, tables inside, the role of none) becomes plain
 * blocks. A table of data stays; its caption and what stands outside its rows come before it.
 */
export function flattenLayoutTable(table: ElementNode): PageNode[] {
  const strays = takeStrays(table);
  const rows = tableRows(table);
  const blocks = isLayout(table, rows) ? rows.map(row => blockOf(rowCells(row))) : [table];
  return strays.concat(blocks);
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

/** What stands in a table outside its cells; a browser shows it before the table (HTML, "foster parenting"). */
function takeStrays(table: ElementNode): PageNode[] {
  const strays: PageNode[] = [];
  for (const part of [table, ...table.childNodes.filter(isElement).filter(isPart), ...tableRows(table)]) {
    const misplaced = part.childNodes.filter(child => !belongs(child, part));
    if (misplaced.length === 0) continue;
    part.childNodes = part.childNodes.filter(child => belongs(child, part));
    for (const node of misplaced) strays.push(node);
  }
  return strays;
}

const groups = new Set(["thead", "tbody", "tfoot"]);
const columns = new Set(["colgroup", "col"]);

function isPart({ name }: ElementNode): boolean {
  return groups.has(name);
}

function belongs(child: PageNode, part: ElementNode): boolean {
  if (!isElement(child)) return child.isWhitespace;
  if (part.name === "tr") return child.name === "td" || child.name === "th";
  return child.name === "tr" || columns.has(child.name) || (part.name === "table" && groups.has(child.name));
}
