import { textOf } from "./text-of.ts";
import { squeeze } from "./words.ts";

/** The header texts of a table, by position; empty when its first row is not one of headers. */
export function headersOf(table: Element): string[] {
  const first = table.querySelector("tr");
  const cells = [...(first?.children ?? [])];
  const heads = cells.length > 1 && cells.every(cell => cell.localName === "th" || cell.closest("thead"));
  return heads ? cells.flatMap(cell => Array<string>(spanOf(cell)).fill(textOf(cell))) : [];
}

/** The cell of a row that stands below a header. */
export function cellOf(row: Element, header: string): Element | undefined {
  const table = row.closest("table");
  const wanted = table ? headersOf(table).findIndex(text => squeeze(text) === squeeze(header)) : -1;
  if (wanted < 0 || row.parentElement?.localName === "thead") return undefined;
  let position = 0;
  for (const cell of row.children) {
    if (position === wanted) return cell.localName === "th" && isHeaderRow(row) ? undefined : cell;
    position += spanOf(cell);
  }
  return undefined;
}

function isHeaderRow(row: Element): boolean {
  return [...row.children].every(cell => cell.localName === "th");
}

function spanOf(cell: Element): number {
  const span = Number(cell.getAttribute("colspan") ?? 1);
  return Number.isInteger(span) && span > 0 && span < 100 ? span : 1;
}
