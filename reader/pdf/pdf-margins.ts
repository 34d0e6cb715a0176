import { type Line, textOf } from "./pdf-lines.ts";

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
