import type { Line, Segment } from "./pdf-lines.ts";

/** Rows of cells; each cell has its lines, none when it is empty. */
export interface TableBlock {
  kind: "table";
  rows: Segment[][][];
}

interface Column {
  from: number;
  to: number;
}

const minRows = 3;
const maxColumns = 40;
/** The blank strip between two columns, in points. */
const minStrip = 4;
const minTaggedStrip = 0.5;
/** Lines of wrapped cells between two rows. */
const maxWrapped = 3;

/**
 * The table that begins with the line at `start`, undefined when none begins there, and how many lines it takes or might
 * have taken. A table has at least three rows of cells that blank strips divide, or two rows of three columns. `pitch` is
 * the usual distance of two lines, in parts of the text size.
 */
export function tableAt(
  lines: Line[],
  start: number,
  pitch: number,
): { table: TableBlock | undefined; length: number } {
  const run = runAt(lines, start, pitch);
  const rows = run.filter(line => line.segments.length > 1);
  const isTagged = cellOf(lines[start]?.segments[0]) !== undefined;
  const columns = rows.length > 1 || isTagged ? columnsOf(rows, isTagged ? minTaggedStrip : minStrip) : [];
  const isTable =
    columns.length > 2 ||
    (isTagged && columns.length === 2) ||
    (columns.length === 2 && rows.length >= minRows);
  const { length } = run;
  if (!isTable || columns.length > maxColumns || !isFilled(rows, columns))
    return { table: undefined, length };
  return { table: { kind: "table", rows: rowsOf(run, columns, pitch) }, length };
}

/** The lines from `start` that may be of one table: those of several segments, and wrapped cells between them. */
function runAt(lines: Line[], start: number, pitch: number): Line[] {
  const run: Line[] = [];
  let whole = 0;
  for (let at = start; at < lines.length; at += 1) {
    const line = lines[at];
    const before = run.at(-1);
    if (
      !line ||
      line.isFormula ||
      (before && line.y - before.y > maxRowGap * Math.max(line.size, before.size))
    )
      break;
    const hasCell = cellOf(line.segments[0]) !== undefined;
    if (before && hasCell !== (cellOf(before.segments[0]) !== undefined)) break;
    if (line.segments.length > 1) {
      run.push(line);
      whole = run.length;
    } else {
      const isWrapped = before !== undefined && (hasCell || isWrappedCell(line, before, pitch));
      if (!isWrapped || run.length - whole >= maxWrapped) break;
      run.push(line);
      const [first] = run;
      // Below the last row only what is not at the left edge belongs to the table.
      if (hasCell || (first && line.x > first.x + line.size)) whole = run.length;
    }
  }
  return run.slice(0, whole);
}

/** The cell of a tagged PDF. */
function cellOf(segment: Segment | undefined): number | undefined {
  return segment?.texts[0]?.tag?.cell;
}

const maxRowGap = 4;

function isWrappedCell(line: Line, before: Line, pitch: number): boolean {
  const fits = line.x >= before.x - line.size && line.right <= before.right + line.size;
  return fits && line.y - before.y <= pitch * 1.25 * line.size;
}

/** The columns that all rows leave apart; else those that nearly all do: a heading may span several. */
function columnsOf(rows: Line[], strip: number): Column[] {
  const usual = rows.map(row => row.segments.length).sort((a, b) => a - b)[Math.floor(rows.length / 2)] ?? 0;
  const columns = stripsOf(rows, 0, strip);
  if (columns.length >= usual || rows.length < 4) return columns;
  const loose = stripsOf(rows, Math.max(1, Math.floor(rows.length * 0.1)), strip);
  return loose.length > columns.length ? loose : columns;
}

/** The strips of text between the blank strips that at most `spanning` rows do not leave. */
function stripsOf(rows: Line[], spanning: number, strip: number): Column[] {
  const edges = rows.flatMap(row =>
    row.segments.flatMap(({ x, right }) => [
      { at: x, change: 1 },
      { at: right, change: -1 },
    ]),
  );
  edges.sort((a, b) => a.at - b.at || b.change - a.change);
  const columns: Column[] = [];
  let depth = 0;
  let from: number | undefined;
  for (const { at, change } of edges) {
    depth += change;
    if (depth > spanning && from === undefined) from = at;
    if (depth > spanning || from === undefined) continue;
    const last = columns.at(-1);
    if (last && from - last.to < strip) last.to = at;
    else columns.push({ from, to: at });
    from = undefined;
  }
  return columns;
}

function columnOf({ x, right }: Segment, columns: Column[]): number {
  let [best, most] = [0, Number.NEGATIVE_INFINITY];
  for (const [index, { from, to }] of columns.entries()) {
    const shared = Math.min(right, to) - Math.max(x, from);
    if (shared > most) [best, most] = [index, shared];
  }
  return best;
}

/** Whether most cells have a text. */
function isFilled(rows: Line[], columns: Column[]): boolean {
  let filled = 0;
  for (const row of rows) filled += new Set(row.segments.map(segment => columnOf(segment, columns))).size;
  return filled >= rows.length * columns.length * 0.5;
}

function rowsOf(lines: Line[], columns: Column[], pitch: number): Segment[][][] {
  const rows: Segment[][][] = [];
  let before: Line | undefined;
  for (const line of lines) {
    const cells: Segment[][] = columns.map(() => []);
    for (const segment of line.segments) cells[columnOf(segment, columns)]?.push(segment);
    const last = rows.at(-1);
    const cell = cellOf(line.segments[0]);
    const isNear = before !== undefined && line.y - before.y <= pitch * 1.25 * line.size;
    const isIn = last?.some(segments => segments.some(segment => cellOf(segment) === cell));
    const continues = cell === undefined ? line.segments.length === 1 || cells[0]?.length === 0 : isIn;
    if (last && (isNear || cell !== undefined) && continues)
      for (const [index, cell] of cells.entries()) last[index]?.push(...cell);
    else rows.push(cells);
    before = line;
  }
  return rows;
}
