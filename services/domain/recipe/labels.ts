import type { PageElement } from "./page-element.ts";
import type { Page, Stated } from "./parse-page.ts";
import { linesOf, squeeze, textOf } from "./text-of.ts";

const maxLabel = 60;
const inlineParts = "p, li, div, span, td, dd, h2, h3, h4, h5, small, time";

/**
 * What the page states under labels, by squeezed label: the cell beside a row header, the `dd` of a `dt`, the element
 * after `<span class="label">` or `Label:`, or the rest of the line `Label: value`. The first statement counts.
 */
export function labelsOf(page: Page, root: PageElement): Map<string, Stated> {
  const known = page.labels.get(root);
  if (known) return known;
  const labels = new Map<string, Stated>();
  const state = (label: string, value: string | PageElement | null) => {
    const key = squeeze(label);
    if (key !== "" && label.length <= maxLabel && value && !labels.has(key))
      labels.set(key, { label, value });
  };
  statedInRows(root, state);
  statedInLists(root, state);
  statedByClass(root, state);
  statedInLines(root, state);
  page.labels.set(root, labels);
  return labels;
}

type State = (label: string, value: string | PageElement | null) => void;

/** Rows of pairs: `th td`, `td td`, `th td th td`. A row of header cells alone heads columns and states nothing. */
function statedInRows(root: PageElement, state: State): void {
  const headed = new Map(
    [...root.querySelectorAll("table")].map(table => [table, headersOf(table).length > 0]),
  );
  for (const row of root.querySelectorAll("tr")) {
    const cells = [...row.children];
    const heads = cells.filter(cell => cell.localName === "th").length;
    if (heads === cells.length || cells.length % 2 === 1) continue;
    if (heads === 0 && (cells.length !== 2 || isHeaded(row, headed))) continue;
    if (heads > 0 && heads !== cells.length / 2) continue;
    for (let index = 0; index + 1 < cells.length; index += 2) {
      const [label, value] = [cells[index], cells[index + 1]];
      if (label && value) state(textOf(label), value);
    }
  }
}

function isHeaded(row: PageElement, headed: Map<PageElement, boolean>): boolean {
  const table = row.closest("table");
  return table !== null && headed.get(table) === true;
}

function statedInLists(root: PageElement, state: State): void {
  for (const term of root.querySelectorAll("dt")) {
    const value = term.nextElementSibling;
    if (value?.localName === "dd") state(textOf(term), value);
  }
}

function statedByClass(root: PageElement, state: State): void {
  for (const element of root.querySelectorAll('[class*="label"], [class*="key"], [class*="term"], label')) {
    const text = element.nextElementSibling ? linesOf(element) : [];
    if (text.length === 1 && text[0]) state(text[0], element.nextElementSibling);
  }
}

function statedInLines(root: PageElement, state: State): void {
  for (const element of root.querySelectorAll(`${inlineParts}, b, strong`)) {
    if (element.childNodes.length > 40 || element.querySelector("p, div, li, td, ul, table")) continue;
    for (const line of linesOf(element)) {
      const [, label = "", value = ""] = /^([^:：]{1,60}?)\s*[:：](?!\/\/)\s*(.*)$/.exec(line) ?? [];
      if (value !== "" && !/^\d+$/.test(label)) state(label, value);
      else if (value === "" && label !== "") state(label, element.nextElementSibling);
    }
  }
}

/** The header texts of a table, by position; empty when its first row is not one of headers. */
export function headersOf(table: PageElement): string[] {
  const first = table.querySelector("tr");
  const cells = [...(first?.children ?? [])];
  const heads = cells.length > 1 && cells.every(cell => cell.localName === "th" || cell.closest("thead"));
  return heads ? cells.flatMap(cell => Array<string>(spanOf(cell)).fill(textOf(cell))) : [];
}

/** The cell of a row below a header. */
export function cellOf(row: PageElement, header: string): PageElement | undefined {
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

function isHeaderRow(row: PageElement): boolean {
  return [...row.children].every(cell => cell.localName === "th");
}

function spanOf(cell: PageElement): number {
  const span = Number(cell.getAttribute("colspan") ?? 1);
  return Number.isInteger(span) && span > 0 && span < 100 ? span : 1;
}
