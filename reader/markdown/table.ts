import { type ElementNode, isElement } from "../html/tree.ts";

const maxSpan = 50;
const maxCells = 200_000;

interface Cell {
  text: string;
  isHeader: boolean;
  align: string;
}

/**
 * A GFM table. Repeats spanning cells so that every row has all columns; writes a cell over the whole width once. The
 * first row is the header, unless its cells mix names and values, or it is below a header without words.
 */
export function renderTable(table: ElementNode, textOf: (cell: ElementNode) => string): string {
  const sources = tableRows(table);
  const all = expand(sources, textOf);
  const grid = all.filter(row => row.some(cell => cell.text !== ""));
  const width = Math.max(0, ...grid.slice(0, 5000).map(row => row.length));
  const [first] = grid;
  if (first === undefined || width === 0) return "";
  const isBelowBlank = (all[0] ?? []).length > 0 && all[0]?.every(cell => cell.isHeader);
  const isHead = sources[all.indexOf(first)]?.parentNode?.name === "thead" && !isBelowBlank;
  const hasHeader = isHead || first.every(isNamed) || !(isBelowBlank || first.some(cell => cell.isHeader));
  const header = hasHeader ? first : [];
  const rows = hasHeader ? grid.slice(1) : grid;
  const aligns = Array.from({ length: width }, (_, column) => alignOf(column, header, rows));
  return [line(header, width), `| ${aligns.join(" | ")} |`, ...rows.map(row => line(row, row.length))].join(
    "\n",
  );
}

/** The corner above the names of rows is often a plain cell without words. */
function isNamed({ isHeader, text }: Cell, at: number): boolean {
  return isHeader || (at === 0 && text === "");
}

/** The rows of a table, its own only. */
export function tableRows(table: ElementNode): ElementNode[] {
  const groups = table.childNodes.filter(isElement);
  return groups.flatMap(group =>
    group.name === "tr" ? [group] : isRowGroup(group) ? group.childNodes.filter(isRow) : [],
  );
}

/** The cells of a row. */
export function rowCells(row: ElementNode): ElementNode[] {
  return row.childNodes.filter(isElement).filter(({ name }) => name === "td" || name === "th");
}

function isRowGroup({ name }: ElementNode): boolean {
  return name === "tbody" || name === "thead" || name === "tfoot";
}

function isRow(node: unknown): node is ElementNode {
  return isElement(node as ElementNode) && (node as ElementNode).name === "tr";
}

function expand(rows: ElementNode[], textOf: (cell: ElementNode) => string): Cell[][] {
  const grid: Cell[][] = rows.map(() => []);
  let count = 0;
  rows.forEach((row, y) => {
    let x = 0;
    const elements = rowCells(row);
    for (const element of elements) {
      while (grid[y]?.[x] !== undefined) x++;
      const cell = { text: textOf(element), isHeader: element.name === "th", align: cellAlign(element) };
      const across = span(element, "colspan", maxSpan);
      const down = Math.min(spanDown(element), rows.length - y);
      const isBanner = elements.length === 1 && across > 1;
      for (let dy = 0; dy < down && count < maxCells; dy++) {
        for (let dx = 0; dx < across; dx++, count++) {
          const target = grid[y + dy];
          if (target !== undefined) target[x + dx] ??= isBanner && dx > 0 ? { ...cell, text: "" } : cell;
        }
      }
      x += across;
    }
  });
  return grid.map(row => Array.from(row, cell => cell ?? { text: "", isHeader: false, align: "" }));
}

/** How many rows a cell spans, beyond the table's end perhaps. */
export function spanDown(cell: ElementNode): number {
  return span(cell, "rowspan", Number.POSITIVE_INFINITY);
}

function span(cell: ElementNode, attribute: string, max: number): number {
  const value = Number.parseInt(cell.getAttribute(attribute), 10);
  return Number.isNaN(value) || value < 1 ? 1 : Math.min(value, max);
}

function cellAlign(cell: ElementNode): string {
  const style = /text-align:\s*(left|right|center)/.exec(cell.getAttribute("style"))?.[1];
  return style ?? cell.getAttribute("align").toLowerCase();
}

const rules: Record<string, string> = { left: ":--", right: "--:", center: ":-:" };

function alignOf(column: number, header: Cell[], rows: Cell[][]): string {
  return rules[header[column]?.align || rows[0]?.[column]?.align || ""] ?? "---";
}

// GFM allows rows that are shorter than the header: the missing cells are empty.
function line(row: Cell[], width: number): string {
  const texts = Array.from({ length: width }, (_, column) => row[column]?.text ?? "");
  return `| ${texts.join(" | ")} |`;
}
