import { isStep, statedByNumber, statedByTitle, statedInPairs, statedUnderHeadings } from "./label-pairs.ts";
import { areTyped, isKnown, namesList } from "./label-words.ts";
import type { PageElement } from "./page-element.ts";
import { isInFrame, type Page, type Stated } from "./parse-page.ts";
import { linesOf, shortTextOf, squeeze, textOf } from "./text-of.ts";

const maxLabel = 60;
const inlineParts = "p, li, div, span, td, dd, h2, h3, h4, h5, small, time";

/**
 * What the page states under labels, by squeezed label: the cell beside a row header, the `dd` of a `dt`, the element
 * after `<span class="label">`, `Label:` or a word that is known for a label, the rest of the line `Label: value`, or the
 * lines below `Ingredients:`. The first statement counts.
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
  statedBelow(root, state);
  statedInLines(root, state);
  statedBeside(root, state);
  statedInPairs(root, state);
  statedUnderHeadings(root, state);
  statedByTitle(root, state);
  statedInNumbers(root, state);
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
  const own = root.parentElement === null ? [] : [root];
  for (const element of [...own, ...root.querySelectorAll(`${inlineParts}, b, strong`)]) {
    if (element.childNodes.length > maxInLine || element.querySelector("p, div, li, td, ul, table")) continue;
    for (const line of linesOf(element)) statedOn(line, element.nextElementSibling, state);
  }
}

/** A line, and its parts where it has several facts: `Serves 4 | Prep 10 min`. */
function statedOn(line: string, next: PageElement | null, state: State): void {
  const parts = line.split(/\s[|•·]\s/);
  for (const part of parts.length > 1 ? [line, ...parts] : parts) statedInLine(part, next, state);
  for (const part of parts) statedAtStart(part, state);
}

/** Last, since nothing but their number shows that these are labels. */
function statedInNumbers(root: PageElement, state: State): void {
  for (const element of [root, ...root.querySelectorAll(`${inlineParts}, b, strong, a`)]) {
    if (element.childNodes.length > maxInLine || element.querySelector("p, div, li, td, ul, table")) continue;
    for (const line of linesOf(element))
      for (const part of line.split(/\s?[|•·]\s?|,\s/)) statedByNumber(part.trim(), state);
  }
}

function statedInLine(line: string, next: PageElement | null, state: State): void {
  const [, label = "", value = ""] = /^([^:：]{1,60}?)\s*[:：](?!\/\/)\s*(.*)$/.exec(line) ?? [];
  if (value !== "" && !/^\d+$/.test(label)) state(label, value);
  else if (value === "" && label !== "") state(label, next);
}

const maxLine = 120;

/** `Serves 4`, `Apply by 3 May 2026`: a label without a sign after it, where what it labels is a number, date or name. */
function statedAtStart(line: string, state: State): void {
  if (line.length > maxLine || isStep(line)) return;
  const words = line.split(" ");
  for (let count = Math.min(4, words.length - 1); count > 0; count -= 1) {
    const [label, value] = [words.slice(0, count).join(" "), words.slice(count).join(" ")];
    if (areTyped(label, value)) state(label, value);
  }
}

/** `<span>Prep</span><span>15 min</span>`, or a heading that is a label: the first line of what comes next. */
function statedBeside(root: PageElement, state: State): void {
  const isPage = root.parentElement === null;
  for (const element of root.querySelectorAll("span, div, p, strong, b, small, h2, h3, h4, h5, h6")) {
    const { nextElementSibling: next } = element;
    if (!next || element.children.length > 1) continue;
    const label = shortTextOf(element, 40);
    if (label === undefined || !isKnown(label) || (isPage && isInFrame(element))) continue;
    const value = firstLine(next);
    if (value) state(label, value);
  }
}

function firstLine(element: PageElement): PageElement | undefined {
  if (linesOf(element).length < 2) return textOf(element) === "" ? undefined : element;
  const inner = element.children.find(child => linesOf(child).length > 0);
  return inner && firstLine(inner);
}

const maxInLine = 40;
const maxNodes = 1000;

/** Lines that a `br` ends, below a line that names a list: as one text with a line for each entry. */
function statedBelow(root: PageElement, state: State): void {
  const broken = new Set(root.querySelectorAll("br").flatMap(({ parentElement }) => parentElement ?? []));
  for (const element of broken) {
    if (element.childNodes.length > maxNodes) continue;
    const lines = linesOf(element);
    const heading = element.previousElementSibling;
    if (heading && namesList(textOf(heading)) && lines.length > 1) state(textOf(heading), lines.join("\n"));
    for (const [at, line] of lines.entries())
      if (namesList(line)) state(line, entriesIn(lines.slice(at + 1)));
    if (element.childNodes.length > maxInLine) for (const line of lines) statedOn(line, null, state);
  }
}

/** Up to the next line that names something; only the numbered lines where the first one is. */
function entriesIn(lines: readonly string[]): string | null {
  const isNumbered = /^\d+\s*[.)]/.test(lines[0] ?? "");
  const end = lines.findIndex(line =>
    isNumbered
      ? !/^\d+\s*[.)]/.test(line)
      : namesList(line) || (line.endsWith(":") && line.length < maxLabel),
  );
  const entries = end < 0 ? lines : lines.slice(0, end);
  return entries.length > 1 ? entries.join("\n") : null;
}

/** The header texts of a table, by position; empty when its first row is not one of headers. */
export function headersOf(table: PageElement): string[] {
  const first = table.querySelector("tr");
  const cells = [...(first?.children ?? [])];
  const heads = cells.length > 1 && cells.every(cell => cell.localName === "th" || cell.closest("thead"));
  return heads ? cells.flatMap(cell => Array<string>(spanOf(cell)).fill(textOf(cell))) : [];
}

/** Headers with what they say in whole, squeezed: `<abbr title="Goal difference">GD</abbr>`. */
export function spelledHeaders(table: PageElement): [header: string, names: string[]][] {
  const cells = table.querySelector("tr")?.children ?? [];
  const whole = new Map(
    cells.map(cell => [
      textOf(cell),
      [cell, ...cell.querySelectorAll("abbr, [title]")].map(part => part.getAttribute("title") ?? ""),
    ]),
  );
  return headersOf(table).map(header => [header, [header, ...(whole.get(header) ?? [])].map(squeeze)]);
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
