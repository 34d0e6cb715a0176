import type { OutlinedBlock } from "./outline.ts";

/** Words that blocks one after the other must have together before they count as a repetition. */
const minWords = 12;

/** Rows, items and lines of code are alike by their nature. */
const alike = new Set("pre tr td th li dt dd".split(" "));

/**
 * What is kept of a page, without what it has again in another place: the copies of a carousel, of a layout for other
 * widths, of a post that an answer quotes. What the same element has twice is its author's wish.
 */
export function withoutRepeats(blocks: readonly OutlinedBlock[], kept: readonly boolean[]): boolean[] {
  const known = new Map<string, OutlinedBlock[]>();
  const left = [...kept];
  let run: number[] = [];
  let words = 0;
  const end = () => {
    if (words >= minWords) for (const at of run) left[at] = false;
    run = [];
    words = 0;
  };
  blocks.forEach((block, at) => {
    if (kept[at] !== true) return;
    if (repeats(block, known)) {
      run.push(at);
      words += block.shape.words;
    } else end();
  });
  end();
  return left;
}

/** So many places of one text are remembered. */
const mostPlaces = 8;

/** Whether a block has the text of an earlier one that another element holds; remembers it. */
function repeats(block: OutlinedBlock, known: Map<string, OutlinedBlock[]>): boolean {
  const earlier = known.get(block.text);
  if (earlier === undefined) {
    known.set(block.text, [block]);
    return false;
  }
  const isElsewhere = earlier.every(({ frame }) => frame.outer !== block.frame.outer);
  if (earlier.length < mostPlaces) earlier.push(block);
  return isElsewhere && !alike.has(block.parent.name);
}
