import type { Flow } from "./pdf-columns.ts";
import { type Line, textOf } from "./pdf-lines.ts";

/** How a document sets its text. */
export interface TextStyle {
  /** Size of the body, in points. */
  size: number;
  /** The usual distance of two lines of the body, in parts of the size. */
  pitch: number;
  /** Heading levels by step of size. */
  levels: Map<number, number>;
  /** Where headings are bold, a line that is not has to be this large, in parts of the size. */
  plainRatio: number;
  /** Sizes of one step are the same. */
  step(size: number): number;
  /** The level of bold lines in the body's size. */
  boldLevel: number;
  /** Whether bold text is the exception. */
  boldIsRare: boolean;
  /** Whether fonts of equal widths are the exception. */
  monoIsRare: boolean;
  /** Whether tags name the headings. */
  isTagged: boolean;
}

const headingRatio = 1.12;
const maxLevels = 6;
/** Where more of the text is bold, it says nothing. */
const maxHeadingShare = 0.4;
const maxCodeShare = 0.7;

/** Measures the text of all flows. */
export function styleOf(flows: Flow[]): TextStyle {
  const lines = flows.flatMap(flow => flow.lines);
  const characters = new Map<number, number>();
  let [all, bold, mono] = [0, 0, 0];
  for (const { texts } of lines) {
    for (const text of texts) {
      const { length } = text.text.trim();
      all += length;
      if (text.bold) bold += length;
      if (text.mono) mono += length;
      characters.set(step(text.size), (characters.get(step(text.size)) ?? 0) + length);
    }
  }
  const [size = 1] = [...characters].reduce<[number, number]>((a, b) => (b[1] > a[1] ? b : a), [10, 0]);
  const plainRatio = plainRatioOf(lines, size);
  const levels = levelsOf(
    lines.filter(line => isAllBold(line) || line.size >= plainRatio * size),
    size,
  );
  return {
    ...{ size, levels, plainRatio, step, pitch: pitchOf(flows, size) },
    boldLevel: Math.min(maxLevels, Math.max(1, ...levels.values()) + 1),
    boldIsRare: bold < all * maxHeadingShare,
    isTagged: lines.some(line => line.texts.some(({ tag }) => tag?.heading !== undefined)),
    monoIsRare: mono < all * maxCodeShare,
  };
}

function step(size: number): number {
  return Math.round(size * 2) / 2;
}

export function isAllBold({ texts }: Pick<Line, "texts">): boolean {
  return texts.every(({ bold, text }) => bold || text.trim() === "");
}

const minBold = 3;
const largePlainRatio = 1.5;

/** In LaTeX's articles headings are bold, and authors and dates are large. */
function plainRatioOf(lines: Line[], size: number): number {
  const larger = lines.filter(
    line => step(line.size) >= size * headingRatio && line.size < largePlainRatio * size,
  );
  const bold = larger.filter(isAllBold).length;
  return bold >= minBold && bold > larger.length / 2 ? largePlainRatio : headingRatio;
}

/** The larger a size, the higher its level; sizes that differ by little have the same one. */
function levelsOf(lines: Line[], size: number): Map<number, number> {
  const isHeading = (line: Line) => step(line.size) >= size * headingRatio && /\p{L}/u.test(textOf(line));
  const sizes = [...new Set(lines.filter(isHeading).map(line => step(line.size)))].sort((a, b) => b - a);
  const levels = new Map<number, number>();
  let level = 0;
  let above = Number.POSITIVE_INFINITY;
  for (const each of sizes) {
    if (each < above * 0.96) {
      level = Math.min(maxLevels, level + 1);
      above = each;
    }
    levels.set(each, level);
  }
  return levels;
}

/** A low quantile, since distances between paragraphs are larger. */
function pitchOf(flows: Flow[], size: number): number {
  const ratios: number[] = [];
  for (const { lines } of flows)
    for (const [index, line] of lines.entries()) {
      const before = lines[index - 1];
      if (!before || step(line.size) !== size || step(before.size) !== size) continue;
      const ratio = (line.y - before.y) / size;
      if (ratio > 0.5 && ratio < 3) ratios.push(ratio);
    }
  ratios.sort((a, b) => a - b);
  const quantile = ratios[Math.floor(ratios.length * 0.3)] ?? 1.2;
  return Math.min(2.2, Math.max(0.9, quantile));
}
