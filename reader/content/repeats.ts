import { likeness, type OutlinedBlock } from "./outline.ts";

/** Words that blocks one after the other must have together before they count as a repetition. */
const minWords = 12;

/** Rows, items and lines of code are alike by their nature. */
const alike = new Set("pre tr td th li dt dd".split(" "));

/**
 * What is kept of a page, without what it has again in another place: the copies of a carousel, of a layout for other
 * widths, of a post that an answer quotes. What the same element has twice is its author's wish, and so is a sentence
 * that each of several parts has beside text of its own.
 */
export function withoutRepeats(blocks: readonly OutlinedBlock[], kept: readonly boolean[]): boolean[] {
  const repeated = runsOf(blocks, kept);
  const left = [...kept];
  for (const run of repeated) for (const { at } of run) left[at] = false;
  const before = countBefore(left);
  for (const run of repeated)
    if (run.every(each => isInPartOfItsOwn(blocks, before, each))) for (const { at } of run) left[at] = true;
  return left;
}

interface Repeat {
  at: number;
  /** Where the text was before. */
  first: OutlinedBlock;
}

/** Kept blocks one after the other that have the texts of earlier ones, and words enough together. */
function runsOf(blocks: readonly OutlinedBlock[], kept: readonly boolean[]): Repeat[][] {
  const known = new Map<string, OutlinedBlock[]>();
  const runs: Repeat[][] = [];
  let run: Repeat[] = [];
  let words = 0;
  const end = () => {
    if (words >= minWords) runs.push(run);
    run = [];
    words = 0;
  };
  blocks.forEach((block, at) => {
    if (kept[at] !== true) return;
    const first = firstOf(block, known);
    if (first === undefined) end();
    else {
      run.push({ at, first });
      words += block.shape.words;
    }
  });
  end();
  return runs;
}

/** How many blocks are left before each, and before the end. */
function countBefore(left: readonly boolean[]): Int32Array {
  const before = new Int32Array(left.length + 1);
  left.forEach((isLeft, at) => {
    before[at + 1] = before[at]! + Number(isLeft);
  });
  return before;
}

/** Whether a copy is made like the first of its text, within an element that has something else, too. */
function isInPartOfItsOwn(
  blocks: readonly OutlinedBlock[],
  before: Int32Array,
  { at, first }: Repeat,
): boolean {
  const block = blocks[at] as OutlinedBlock;
  const part = block.frame.outer;
  if (part === null || likeness(block) !== likeness(first)) return false;
  return before[part.firstBlock + part.blocks]! > before[part.firstBlock]!;
}

/** So many places of one text are remembered. */
const mostPlaces = 8;

/** The earliest block that has a block's text, if other elements hold all of those; remembers the block. */
function firstOf(block: OutlinedBlock, known: Map<string, OutlinedBlock[]>): OutlinedBlock | undefined {
  const earlier = known.get(block.text);
  if (earlier === undefined) {
    known.set(block.text, [block]);
    return undefined;
  }
  const isElsewhere = earlier.every(({ frame }) => frame.outer !== block.frame.outer);
  if (earlier.length < mostPlaces) earlier.push(block);
  return isElsewhere && !alike.has(block.parent.name) ? earlier[0] : undefined;
}
