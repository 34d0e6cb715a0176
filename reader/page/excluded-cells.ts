import type { ElementNode } from "../html/tree.ts";
import { rowCells, tableRows } from "../markdown/table.ts";

/**
 * Empties the excluded cells of tables, and takes them out of what is dropped: without one of its cells, a row has the
 * others under wrong heads. A column, and a row, that is excluded as a whole goes.
 */
export function keepPlaces(excluded: Set<ElementNode>): void {
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
