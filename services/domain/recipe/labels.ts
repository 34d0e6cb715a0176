import type { Page } from "./parse-page.ts";
import { headersOf } from "./table-columns.ts";
import { linesOf, textOf } from "./text-of.ts";
import { squeeze } from "./words.ts";

/** A value as the page labels it: its element, or the rest of a line. */
export interface Stated {
  label: string;
  value: string | Element;
}

const maxLabel = 60;
const inlineParts = "p, li, div, span, td, dd, h2, h3, h4, h5, small, time";

/**
 * What the page states under labels, by squeezed label: the cell beside a row header, the `dd` of a `dt`, the element
 * after `<span class="label">` or `Label:`, or the rest of the line `Label: value`. The first statement counts.
 */
export function labelsOf(page: Page, root: Element): Map<string, Stated> {
  const known = page.labels.get(root);
  if (known) return known;
  const labels = new Map<string, Stated>();
  const state = (label: string, value: string | Element | null) => {
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

type State = (label: string, value: string | Element | null) => void;

/** Rows of pairs: `th td`, `td td`, `th td th td`. A row of header cells alone heads columns and states nothing. */
function statedInRows(root: Element, state: State): void {
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

function isHeaded(row: Element, headed: Map<Element, boolean>): boolean {
  const table = row.closest("table");
  return table !== null && headed.get(table) === true;
}

function statedInLists(root: Element, state: State): void {
  for (const term of root.querySelectorAll("dt")) {
    const value = term.nextElementSibling;
    if (value?.localName === "dd") state(textOf(term), value);
  }
}

function statedByClass(root: Element, state: State): void {
  for (const element of root.querySelectorAll('[class*="label"], [class*="key"], [class*="term"], label')) {
    const text = element.nextElementSibling ? linesOf(element) : [];
    if (text.length === 1 && text[0]) state(text[0], element.nextElementSibling);
  }
}

function statedInLines(root: Element, state: State): void {
  for (const element of root.querySelectorAll(`${inlineParts}, b, strong`)) {
    if (element.childNodes.length > 40 || element.querySelector("p, div, li, td, ul, table")) continue;
    for (const line of linesOf(element)) {
      const [, label = "", value = ""] = /^([^:：]{1,60}?)\s*[:：](?!\/\/)\s*(.*)$/.exec(line) ?? [];
      if (value !== "" && !/^\d+$/.test(label)) state(label, value);
      else if (value === "" && label !== "") state(label, element.nextElementSibling);
    }
  }
}
