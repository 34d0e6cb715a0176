import { type Line, lineOf, type Segment, textOf } from "./pdf-lines.ts";

/** The part of a page's height, at both ends, where headers and footers are. */
const margin = 0.12;
const maxLines = 4;

interface PageLines {
  height: number;
  lines: Line[];
}

/**
 * Leaves out headers and footers: lines at either end of a page that come again at the same height of other pages, but
 * for their numbers, and lines that begin or end with the page's number.
 */
export function withoutMargins(pages: PageLines[]): Line[][] {
  if (pages.length < 2) return pages.map(page => page.lines);
  const keys = pages.map(page => page.lines.map((_, at) => keyOf(page, at)));
  const enough = Math.max(2, Math.ceil(pages.length * 0.3));
  const repeated = frequent(keys, enough);
  const numbers = keys.map((page, index) =>
    page.flatMap((key, at) =>
      key === undefined ? [] : numbersOf(pages[index]?.lines[at]).map(n => n - index),
    ),
  );
  const offsets = frequent(numbers, enough);
  return pages.map(({ lines }, index) =>
    lines.filter((line, at) => {
      const key = keys[index]?.[at];
      if (key === undefined) return true;
      return !repeated.has(key) && !numbersOf(line).some(number => offsets.has(number - index));
    }),
  );
}

/** What at least so many pages have. */
function frequent<T>(pages: (T | undefined)[][], enough: number): Set<T> {
  const counts = new Map<T, number>();
  for (const page of pages)
    for (const value of new Set(page))
      if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  return new Set([...counts].flatMap(([value, count]) => (count >= enough ? [value] : [])));
}

/** What distinguishes a line of a margin from others; undefined for lines between the margins. */
function keyOf({ height, lines }: PageLines, at: number): string | undefined {
  const line = lines[at] as Line;
  const isAtTop = line.y < height * margin && at < maxLines;
  const isAtBottom = line.y > height * (1 - margin) && at >= lines.length - maxLines;
  if (!isAtTop && !isAtBottom) return undefined;
  const words = textOf(line).slice(0, 200).replace(/\d+/g, "#").replace(/\s+/g, " ").trim();
  const text = /^[-–—\s]*([ivxlc]+|#)[-–—\s]*$/i.test(words) ? "#" : words;
  return `${Math.round(line.y / 6)} ${text}`;
}

/** The numbers with which a line begins and ends. */
function numbersOf(line: Line | undefined): number[] {
  const text = line ? textOf(line).slice(0, 400).trim() : "";
  return [/^\d{1,4}(?!\S)/.exec(text), /(?<!\S)\d{1,4}$/.exec(text)].flatMap(found =>
    found ? [Number(found[0])] : [],
  );
}

/** Lines that are read one after the other, within the width of their column. */
export interface Flow {
  x: number;
  right: number;
  lines: Line[];
}

const maxDepth = 3;
/** Width of a step, in points, in which gaps are counted. */
const step = 2;
const maxSteps = 5000;
const minRows = 5;
/** Between columns that were found already. */
const minInnerRows = 3;

/**
 * The flows of a page in reading order: columns of prose one after the other, between the lines that span them. Cells
 * of a table are no columns: their lines are short.
 */
export function flowsOf(lines: Line[], rows = minRows, depth = 0): Flow[] {
  if (lines.length === 0) return [];
  const bands = depth < maxDepth ? bandsOf(lines, rows) : [];
  if (bands.length === 0) return [flowOf(lines)];
  return bands.flatMap(({ lines: inside, gutter }) => {
    if (gutter === undefined) return flowsOf(inside, rows, depth + 1);
    const sides = inside.map(line => divide(line, gutter));
    return [0, 1].flatMap(side => {
      const column = sides.flatMap(line => (line[side]?.length ? [lineOf(line[side] as Segment[])] : []));
      return flowsOf(column, minInnerRows, depth + 1);
    });
  });
}

/** Lines that follow one another; with a `gutter` when they are of two columns. */
interface Band {
  lines: Line[];
  gutter?: number | undefined;
}

/** The bands of a page with columns; none when it has no columns. */
function bandsOf(lines: Line[], rows: number): Band[] {
  for (const gutter of guttersOf(lines, rows)) {
    const bands = bandsAt(lines, gutter).map(band =>
      band.gutter === undefined || isBetweenProse(band.lines, gutter, rows) ? band : { lines: band.lines },
    );
    if (bands.some(band => band.gutter !== undefined)) return joined(bands.flatMap(withoutEnd));
  }
  return [];
}

function bandsAt(lines: Line[], gutter: number): Band[] {
  const bands: Band[] = [];
  for (const line of lines) {
    const beside = spans(line, gutter) ? undefined : gutter;
    const last = bands.at(-1);
    if (last && last.gutter === beside) last.lines.push(line);
    else bands.push({ lines: [line], gutter: beside });
  }
  return bands;
}

/** The part of its column that a line of prose fills, unless it ends a paragraph. */
const minWidth = 0.7;

/** Divides off short lines on the left, apart and below both columns: they belong to the text that follows. */
function withoutEnd(band: Band): Band[] {
  const { lines, gutter } = band;
  if (gutter === undefined) return [band];
  const sides = lines.map(line => divide(line, gutter));
  const last = sides.findLastIndex(([, right]) => right.length > 0);
  const x = lines.reduce((least, line) => Math.min(least, line.x), gutter);
  let end = lines.length;
  for (let at = lines.length - 1; at > last; at -= 1) {
    const [line, before] = [lines[at] as Line, lines[at - 1]];
    if (!before || line.right - line.x > minWidth * (gutter - x)) break;
    if (line.y - before.y > 1.6 * before.size) end = at;
  }
  return end === lines.length
    ? [band]
    : [{ lines: lines.slice(0, end), gutter }, { lines: lines.slice(end) }];
}

/** Joins bands without columns that follow one another. */
function joined(bands: Band[]): Band[] {
  const found: Band[] = [];
  for (const band of bands) {
    const last = found.at(-1);
    if (last && last.gutter === undefined && band.gutter === undefined)
      found[found.length - 1] = { lines: [...last.lines, ...band.lines] };
    else found.push(band);
  }
  return found;
}

function flowOf(lines: Line[]): Flow {
  let [x, right] = [Number.POSITIVE_INFINITY, 0];
  for (const line of lines) [x, right] = [Math.min(x, line.x), Math.max(right, line.right)];
  return { x, right, lines };
}

const maxGutters = 6;

/** The horizontal positions of blank strips that several lines leave; those of most lines first. */
function guttersOf(lines: Line[], rows: number): number[] {
  const gaps = countGaps(lines);
  const gutters: { at: number; count: number }[] = [];
  for (let from = 0; from < gaps.length; from += 1) {
    let [to, count] = [from, 0];
    while ((gaps[to] ?? 0) >= rows) count = Math.max(count, gaps[to++] ?? 0);
    if (to === from) continue;
    const strip = gaps.slice(from, to);
    const first = strip.findIndex(each => each >= count * 0.8);
    const last = strip.findLastIndex(each => each >= count * 0.8);
    gutters.push({ at: (from + (first + last + 1) / 2) * step, count });
    from = to;
  }
  return gutters
    .sort((a, b) => b.count - a.count)
    .slice(0, maxGutters)
    .map(({ at }) => at);
}

/** Counts for each step from the left edge in how many lines it lies between two segments. */
function countGaps(lines: Line[]): number[] {
  const changes = new Array<number>(maxSteps + 1).fill(0);
  const add = (at: number, count: number) => {
    changes[at] = (changes[at] ?? 0) + count;
  };
  for (const { segments } of lines) {
    for (let at = 1; at < segments.length; at += 1) {
      const from = Math.max(0, Math.ceil((segments[at - 1]?.right ?? 0) / step));
      const to = Math.min(maxSteps, Math.floor((segments[at]?.x ?? 0) / step));
      if (from >= to) continue;
      add(from, 1);
      add(to, -1);
    }
  }
  let count = 0;
  return changes.map(change => {
    count += change;
    return count;
  });
}

/** Whether a line goes over the gutter, or is of a table. */
function spans(line: Line, gutter: number): boolean {
  if (line.texts[0]?.tag?.cell !== undefined) return true;
  return line.segments.some(({ x, right }) => x < gutter - step && right > gutter + step);
}

function divide(line: Line, gutter: number): [left: Segment[], right: Segment[]] {
  const isLeft = ({ x, right }: Segment) => (x + right) / 2 < gutter;
  return [line.segments.filter(isLeft), line.segments.filter(segment => !isLeft(segment))];
}

const minFill = 0.6;
const minCharacters = 18;

function isBetweenProse(lines: Line[], gutter: number, rows: number): boolean {
  const both = lines
    .map(line => divide(line, gutter))
    .filter(([left, right]) => left.length > 0 && right.length > 0);
  return (
    both.length >= rows && isProse(both.map(([left]) => left)) && isProse(both.map(([, right]) => right))
  );
}

/** Whether lines fill their column. */
function isProse(rows: Segment[][]): boolean {
  let [x, right, filled, characters] = [Number.POSITIVE_INFINITY, 0, 0, 0];
  for (const segment of rows.flat()) {
    [x, right] = [Math.min(x, segment.x), Math.max(right, segment.right)];
    filled += segment.right - segment.x;
    for (const { text } of segment.texts) characters += text.length;
  }
  const width = right - x;
  return filled >= minFill * width * rows.length && characters >= minCharacters * rows.length;
}
