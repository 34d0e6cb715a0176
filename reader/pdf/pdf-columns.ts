import { type Extent, type Line, linesOfTexts, type PdfText, runsOf } from "./pdf-lines.ts";

/** Lines that are read one after the other, within the width of their column. */
export interface Flow {
  x: number;
  right: number;
  lines: Line[];
}

const maxDepth = 3;
const minRows = 5;
/** Between columns that were found already. */
const minInnerRows = 3;

/**
 * The flows of a page in reading order: columns of prose one after the other, between the lines that span them. The lines
 * of two columns need not be level with one another. Cells of a table are no columns: their lines are short.
 */
export function flowsOf(lines: Line[], rows = minRows, depth = 0): Flow[] {
  if (lines.length === 0) return [];
  const bands = depth < maxDepth ? bandsOf(lines.map(rowOf), rows) : [];
  if (bands.length === 0) return [flowOf(lines)];
  return bands.flatMap(({ rows: inside, gutter }) => {
    if (gutter === undefined)
      return flowsOf(
        inside.map(row => row.line),
        rows,
        depth + 1,
      );
    return sidesOf(inside, gutter).flatMap(side => flowsOf(side, minInnerRows, depth + 1));
  });
}

function flowOf(lines: Line[]): Flow {
  let [x, right] = [Number.POSITIVE_INFINITY, 0];
  for (const line of lines) [x, right] = [Math.min(x, line.x), Math.max(right, line.right)];
  return { x, right, lines };
}

/** A line of the page, and what of it no gap divides. */
interface Row {
  line: Line;
  runs: Extent[];
}

function rowOf(line: Line): Row {
  return { line, runs: runsOf(line) };
}

/** Rows that follow one another; with a `gutter` when they are of two columns. */
interface Band {
  rows: Row[];
  gutter?: number | undefined;
}

/** The bands of a page with columns; none when it has no columns. */
function bandsOf(rows: Row[], least: number): Band[] {
  for (const gutter of guttersOf(rows, least)) {
    const bands = bandsAt(rows, gutter).map(band =>
      band.gutter === undefined || isBetweenProse(band.rows, gutter, least) ? band : { rows: band.rows },
    );
    if (bands.some(band => band.gutter !== undefined)) return joined(bands.flatMap(withoutEnd));
  }
  return [];
}

function bandsAt(rows: Row[], gutter: number): Band[] {
  const bands: Band[] = [];
  for (const row of rows) {
    const beside = spans(row, gutter) ? undefined : gutter;
    const last = bands.at(-1);
    if (last && last.gutter === beside) last.rows.push(row);
    else bands.push({ rows: [row], gutter: beside });
  }
  return bands;
}

/** The part of its column that a line of prose fills, unless it ends a paragraph. */
const minWidth = 0.7;

/** Divides off short lines on the left, apart and below both columns: they belong to the text that follows. */
function withoutEnd(band: Band): Band[] {
  const { rows, gutter } = band;
  if (gutter === undefined) return [band];
  const last = rows.findLastIndex(({ runs }) => runs.some(run => !isLeft(run, gutter)));
  const x = rows.reduce((least, { line }) => Math.min(least, line.x), gutter);
  let end = rows.length;
  for (let at = rows.length - 1; at > last; at -= 1) {
    const [line, before] = [rows[at]?.line, rows[at - 1]?.line];
    if (!line || !before || line.right - line.x > minWidth * (gutter - x)) break;
    if (line.y - before.y > 1.6 * before.size) end = at;
  }
  return end === rows.length ? [band] : [{ rows: rows.slice(0, end), gutter }, { rows: rows.slice(end) }];
}

/** Joins bands without columns that follow one another. */
function joined(bands: Band[]): Band[] {
  const found: Band[] = [];
  for (const band of bands) {
    const last = found.at(-1);
    if (last && last.gutter === undefined && band.gutter === undefined)
      found[found.length - 1] = { rows: [...last.rows, ...band.rows] };
    else found.push(band);
  }
  return found;
}

/** Width of a step, in points, in which runs are counted. */
const step = 2;
const maxSteps = 5000;
const maxGutters = 6;

/**
 * The horizontal positions of strips that fewer lines cross than have text on either side of them, by at least so many;
 * the clearest first.
 */
function guttersOf(rows: Row[], least: number): number[] {
  const covered = countRuns(rows);
  const before = runningMost(covered);
  const after = runningMost(covered.toReversed()).toReversed();
  const depths = covered.map((count, at) => Math.min(before[at] ?? 0, after[at] ?? 0) - count);
  const gutters: { at: number; depth: number }[] = [];
  for (let from = 0; from < depths.length; from += 1) {
    let [to, depth] = [from, 0];
    while ((depths[to] ?? 0) >= least) depth = Math.max(depth, depths[to++] ?? 0);
    if (to === from) continue;
    const strip = depths.slice(from, to);
    const first = strip.findIndex(each => each >= depth * 0.8);
    const last = strip.findLastIndex(each => each >= depth * 0.8);
    gutters.push({ at: (from + (first + last + 1) / 2) * step, depth });
    from = to;
  }
  return gutters
    .sort((a, b) => b.depth - a.depth)
    .slice(0, maxGutters)
    .map(({ at }) => at);
}

/** Counts for each step from the left edge how many runs cover it. */
function countRuns(rows: Row[]): number[] {
  const changes = new Array<number>(maxSteps + 1).fill(0);
  const add = (at: number, count: number) => {
    const within = Math.min(maxSteps, Math.max(0, at));
    changes[within] = (changes[within] ?? 0) + count;
  };
  for (const { runs } of rows)
    for (const { x, right } of runs) {
      add(Math.floor(x / step), 1);
      add(Math.ceil(right / step), -1);
    }
  let count = 0;
  return changes.map(change => {
    count += change;
    return count;
  });
}

function runningMost(counts: number[]): number[] {
  let most = 0;
  return counts.map(count => {
    most = Math.max(most, count);
    return most;
  });
}

/** How far a text may reach over a gutter whose column it does not leave, in points and in parts of its width. */
const maxReach = 20;
const maxReachShare = 0.2;

/** Whether a row goes over the gutter, or is of a table. */
function spans({ line, runs }: Row, gutter: number): boolean {
  if (line.texts[0]?.tag?.cell !== undefined) return true;
  return runs.some(({ x, right }) => {
    const reach = Math.min(maxReach, (right - x) * maxReachShare);
    return x < gutter - reach - step && right > gutter + reach + step;
  });
}

function isLeft({ x, right }: Extent, gutter: number): boolean {
  return (x + right) / 2 < gutter;
}

/** The lines of both columns, each by its own baselines. */
function sidesOf(rows: Row[], gutter: number): [left: Line[], right: Line[]] {
  const [left, right]: [PdfText[], PdfText[]] = [[], []];
  for (const { line } of rows)
    for (const text of line.texts)
      (isLeft({ x: text.x, right: text.x + text.width }, gutter) ? left : right).push(text);
  return [linesOfTexts(left), linesOfTexts(right)];
}

function isBetweenProse(rows: Row[], gutter: number, least: number): boolean {
  const [left, right] = sidesOf(rows, gutter);
  const [top, bottom] = [Math.max(topOf(left), topOf(right)), Math.min(bottomOf(left), bottomOf(right))];
  // Lines that have others beside them, which need not be level.
  const isBeside = ({ y, size }: Line) => y >= top - size && y <= bottom + size;
  return [left, right].every(side => {
    const beside = side.filter(isBeside);
    return beside.length >= least && isProse(beside);
  });
}

function topOf(lines: Line[]): number {
  return lines[0]?.y ?? Number.POSITIVE_INFINITY;
}

function bottomOf(lines: Line[]): number {
  return lines.at(-1)?.y ?? Number.NEGATIVE_INFINITY;
}

const minFill = 0.6;
const minCharacters = 18;
/** Lines of a justified column: so many of them are enough, since formulas and tables may be between them. */
const minFullWidth = 0.9;
const minFullLines = 6;
const minFullShare = 0.25;
const minFullCharacters = 25;

/** Whether lines fill their column. */
function isProse(lines: Line[]): boolean {
  const { x, right } = flowOf(lines);
  const width = right - x;
  let [filled, characters, full] = [0, 0, 0];
  for (const { segments, texts } of lines) {
    const own = segments.reduce((sum, segment) => sum + segment.right - segment.x, 0);
    const length = texts.reduce((sum, { text }) => sum + text.length, 0);
    filled += own;
    characters += length;
    if (own >= minFullWidth * width && length >= minFullCharacters) full += 1;
  }
  const isFilled = filled >= minFill * width * lines.length && characters >= minCharacters * lines.length;
  return isFilled || full >= Math.max(minFullLines, minFullShare * lines.length);
}
