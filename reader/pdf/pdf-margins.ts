import { type Line, textOf, usualSize } from "./pdf-lines.ts";

/** The part of a page's height, at both ends, where headers and footers are. */
const margin = 0.12;
/** A page number alone may be nearer to the text. */
const numberMargin = 0.2;
const maxLines = 4;

interface PageLines {
  height: number;
  lines: Line[];
}

/** A line where headers and footers are. */
interface MarginLine {
  /** Its place and text, and those without its numbers. */
  exact: string;
  masked: string;
  /** Its numbers, and those with which it begins and ends. */
  numbers: number[];
  outerNumbers: number[];
  isHeading: boolean;
}

/**
 * Leaves out headers and footers: lines at either end of a page that come again at the same height of other pages, but
 * for their numbers, and lines that begin or end with the page's number. A line as large as a heading, and one whose
 * number counts chapters, is a header only where it is the same on several pages.
 */
export function withoutMargins(pages: PageLines[]): Line[][] {
  if (pages.length < 2) return pages.map(page => page.lines);
  const size = usualSize(pages.flatMap(({ lines }) => lines.flatMap(({ texts }) => texts)));
  const margins = pages.map(page => marginLines(page, size));
  const enough = Math.max(2, Math.ceil(pages.length * 0.3));
  const isOften = (count: number | undefined) => (count ?? 0) >= enough;
  const exact = countPages(margins, line => [line.exact]);
  const masked = countPages(margins, line => [line.masked]);
  const offsets = countPages(margins, (line, index) => line.numbers.map(number => number - index));
  const isMargin = (line: MarginLine, index: number): boolean => {
    if (line.isHeading || isOften(exact.get(line.exact))) return isOften(exact.get(line.exact));
    const ofPage = (number: number) => isOften(offsets.get(number - index));
    if (line.outerNumbers.some(ofPage)) return true;
    if (!isOften(masked.get(line.masked))) return false;
    return line.numbers.length === 0 || line.numbers.some(ofPage) || (exact.get(line.exact) ?? 0) > 1;
  };
  return pages.map(({ lines }, index) =>
    lines.filter((_, at) => {
      const line = margins[index]?.[at];
      return line === undefined || !isMargin(line, index);
    }),
  );
}

/** On how many pages each value is that a line of a margin has. */
function countPages<T>(
  margins: (MarginLine | undefined)[][],
  valuesOf: (line: MarginLine, index: number) => T[],
): Map<T, number> {
  const counts = new Map<T, number>();
  for (const [index, page] of margins.entries()) {
    const values = new Set(page.flatMap(line => (line ? valuesOf(line, index) : [])));
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

const headingRatio = 1.12;

/** What distinguishes the lines of a page's margins; undefined for lines between them. */
function marginLines({ height, lines }: PageLines, size: number): (MarginLine | undefined)[] {
  // Texts that are turned come below the page.
  const last = lines.findLastIndex(({ y }) => y <= height);
  return lines.map((line, at) => {
    const isEdge = at < maxLines || (at > last - maxLines && at <= last);
    const isNear = line.y < height * numberMargin || line.y > height * (1 - numberMargin);
    if (!isEdge || !isNear) return undefined;
    const words = textOf(line).slice(0, 200).replace(/\s+/g, " ").trim();
    const isNumber = /^[-–—\s]*([ivxlc]+|\d+)[-–—\s]*$/i.test(words);
    const part = isNumber && (at === 0 || at === last) ? numberMargin : margin;
    const isAtTop = line.y < height * part && at < maxLines;
    const isAtBottom = line.y > height * (1 - part) && at > last - maxLines;
    if (!isAtTop && !isAtBottom) return undefined;
    return marginLine(line, words, { isNumber, isLarge: line.size >= size * headingRatio });
  });
}

function marginLine(
  line: Line,
  words: string,
  { isNumber, isLarge }: { isNumber: boolean; isLarge: boolean },
): MarginLine {
  const place = Math.round(line.y / 6);
  const outer = [/^\d{1,4}(?!\S)/.exec(words), /(?<!\S)\d{1,4}$/.exec(words)];
  return {
    exact: `${place} ${words}`,
    masked: `${place} ${isNumber ? "#" : words.replace(/\d+/g, "#")}`,
    numbers: (words.match(/\d{1,6}/g) ?? []).map(Number),
    outerNumbers: outer.flatMap(found => (found ? [Number(found[0])] : [])),
    isHeading: isLarge && !isNumber,
  };
}
