import { captionMark } from "../clean/clean-table.ts";
import { type ElementNode, findElement, isElement, neighbour } from "../html/tree.ts";
import { rowCells, spanDown, tableRows } from "../markdown/table.ts";

/** Parts that stay with all that is in them, and parts that are dropped. */
export type Verdicts = Map<ElementNode, boolean>;

/** How many words an element has, and how many of them are kept. */
export type Weigh = (element: ElementNode) => { words: number; kept: number };

/** Rows that one cell spans, or a single one. */
interface Rows {
  rows: ElementNode[];
  words: number;
  isHead: boolean;
  stays: boolean;
}

/**
 * Keeps or drops the rows of a table as one: without one of its cells, a row has the others under wrong heads. A row stays
 * where at least half of its words are kept, a head where a row below it stays, a caption where its table stays. A table
 * that only arranges the page is none here (`flattenLayoutTable`).
 */
export function judgeTable(table: ElementNode, weigh: Weigh, stays: Verdicts): void {
  const groups = joinRows(tableRows(table), weigh);
  keepHeads(groups);
  for (const { rows, stays: isKept } of groups) for (const row of rows) stays.set(row, isKept);
  const isKept = groups.some(group => group.stays);
  for (const caption of captionsOf(table)) stays.set(caption, isKept || stays.get(caption) === true);
  if (!isKept) stays.set(table, false);
}

function joinRows(rows: readonly ElementNode[], weigh: Weigh): Rows[] {
  const groups: Rows[] = [];
  let [end, kept] = [0, 0];
  rows.forEach((row, at) => {
    if (at >= end) {
      groups.push({ rows: [], words: 0, isHead: isHead(row), stays: false });
      kept = 0;
    }
    const group = groups.at(-1) as Rows;
    const own = weigh(row);
    group.rows.push(row);
    group.words += own.words;
    kept += own.kept;
    group.stays = group.words > 0 && 2 * kept >= group.words;
    for (const cell of rowCells(row)) end = Math.max(end, at + spanDown(cell));
  });
  return groups;
}

function isHead(row: ElementNode): boolean {
  if (row.parentNode?.name === "thead") return true;
  const cells = rowCells(row);
  return cells.length > 0 && cells.every(({ name }) => name === "th");
}

/**
 * The first row with words is a head whatever its cells are, as in Markdown. Heads at the top are those of the whole table;
 * one further down is that of the rows up to the next. Rows without words stay with the others.
 */
function keepHeads(groups: Rows[]): void {
  const first = groups.findIndex(({ words }) => words > 0);
  const top = groups.findIndex(({ isHead }, at) => at > first && !isHead);
  const isBody = ({ isHead, words }: Rows, at: number) => top >= 0 && at >= top && !isHead && words > 0;
  const hasBody = groups.some(isBody);
  const isAny = groups.some((group, at) => group.stays && (!hasBody || isBody(group, at)));
  let below = false;
  for (let at = groups.length - 1; at >= 0; at--) {
    const group = groups[at] as Rows;
    if (isBody(group, at)) {
      below = group.stays || (below && groups[at + 1]?.isHead !== true);
    } else if (hasBody && at >= top && group.isHead) group.stays = below;
    else if (hasBody || group.words === 0) group.stays = isAny;
  }
}

/** What names a table: its own captions, which come before it, and those of the figure that it is in. */
function captionsOf(table: ElementNode): ElementNode[] {
  const captions: ElementNode[] = [];
  let before = neighbour(table, -1);
  while (before !== undefined && isElement(before) && before.attributes.has(captionMark)) {
    captions.push(before);
    before = neighbour(before, -1);
  }
  const figure = figureAround(table);
  const own = figure && findElement(figure, ({ name }) => name === "figcaption");
  return own === undefined ? captions : [...captions, own];
}

function figureAround({ parentNode }: ElementNode): ElementNode | undefined {
  if (parentNode === null || parentNode.name === "figure") return parentNode ?? undefined;
  return figureAround(parentNode);
}
