/*
 * A table that becomes a list of cards on a narrow screen; one with actions does so as soon as they might not fit.
 *
 *   const columns: Column<Key>[] = [
 *     { title: "Name", cell: key => key.name, isMain: true },
 *     { title: "Requests", cell: key => count(key.requests), isNumber: true },
 *     { title: "Actions", cell: key => html`<button>…</button>`, isActions: true },
 *   ];
 *   html`<${Table} caption="Keys" columns=${columns} rows=${keys} id=${key => key.id} />`
 *
 * `caption` is read aloud and not seen.
 */
import type { ComponentChildren, VNode } from "preact";
import { html } from "../html.ts";

export interface Column<Row> {
  title: string;
  cell: (row: Row) => ComponentChildren;
  /** Whether the column names the row. It is the head of its card. */
  isMain?: boolean;
  /** Whether cells are right-aligned, in digits of equal width. */
  isNumber?: boolean;
  /** Whether cells are buttons at the end of the row. Only screen readers read the title. */
  isActions?: boolean;
  /** Whether cells have a word or two. Where all are so, cards have three of them in a line. */
  isShort?: boolean;
  /** Whether the column takes the remaining width and breaks long words. */
  isWide?: boolean;
}

interface TableProps<Row> {
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  id: (row: Row) => string;
}

export function Table<Row>({ caption, columns, rows, id }: TableProps<Row>): VNode {
  // Browsers forget the roles of table elements whose `display` is changed for narrow screens, so they are written out.
  const hasActions = columns.some(({ isActions }) => isActions);
  const isShort = columns.every(column => column.isMain || column.isShort);
  const kind = `table${hasActions ? " has-actions" : ""}${isShort ? " is-short" : ""}`;
  return html`<div class="table-frame"><table role="table" class=${kind}>
    <caption class="unseen">${caption}</caption>
    <thead role="rowgroup"><tr role="row">
      ${columns.map(
        column => html`<th key=${column.title} role="columnheader" scope="col" class=${classOf(column)}>
          <span class=${column.isActions ? "unseen" : ""}>${column.title}</span></th>`,
      )}
    </tr></thead>
    <tbody role="rowgroup">
      ${rows.map(
        row => html`<tr role="row" key=${id(row)}>
          ${columns.map(column =>
            column.isMain
              ? html`<th key=${column.title} role="rowheader" scope="row" class=${classOf(column)}>${column.cell(row)}</th>`
              : html`<td key=${column.title} role="cell" class=${classOf(column)} data-title=${column.isActions ? "" : column.title}>${column.cell(row)}</td>`,
          )}
        </tr>`,
      )}
    </tbody>
  </table></div>`;
}

function classOf<Row>({ isMain, isNumber, isActions, isWide }: Column<Row>): string {
  return [isMain && "is-main", isNumber && "number", isActions && "is-actions", isWide && "is-wide"]
    .filter(Boolean)
    .join(" ");
}
