import {
  addElementClues,
  addHeadingClues,
  addTextClues,
  ClueList,
  clueAt,
  clueLevels,
  tagClue,
} from "./clues.ts";
import type { Frame, Outline, OutlinedBlock } from "./outline.ts";

/** What the model has learned of clues: log odds that each adds. */
export class ClueWeights {
  /** What all blocks begin with. */
  readonly base: number;
  /** The clues, in the order in which they were given. */
  readonly clues: Int32Array;
  readonly weights: Float32Array;
  /** Clues where their bits say, or in the next free slot; 0 is no clue. */
  private readonly keys: Int32Array;
  /** Their weights, and 0 for what is no clue. */
  private readonly values: Float32Array;
  /** For the clue of each slot, where the last element that has it ends, as a block's place. */
  readonly ends: Int32Array;
  private readonly mask: number;

  constructor(base: number, clues: Int32Array, weights: Float32Array) {
    this.base = base;
    this.clues = clues;
    this.weights = weights;
    let size = 16;
    while (size < 2 * clues.length) size *= 2;
    this.keys = new Int32Array(size);
    this.values = new Float32Array(size);
    this.ends = new Int32Array(size);
    this.mask = size - 1;
    clues.forEach((clue, at) => {
      const slot = this.slotOf(clue);
      this.keys[slot] = clue;
      this.values[slot] = weights[at]!;
    });
  }

  of(clue: number): number {
    for (let slot = clue & this.mask; ; slot = (slot + 1) & this.mask) {
      const key = this.keys[slot]!;
      if (key === clue) return this.values[slot]!;
      if (key === 0) return 0;
    }
  }

  /** The place of a clue's weight. */
  slotOf(clue: number): number {
    let slot = clue & this.mask;
    for (let key = this.keys[slot]!; key !== clue && key !== 0; key = this.keys[slot]!)
      slot = (slot + 1) & this.mask;
    return slot;
  }

  sumOf({ numbers, size }: ClueList): number {
    let sum = 0;
    for (let at = 0; at < size; at++) sum += this.of(numbers[at]!);
    return sum;
  }
}

/** What is known of elements that have the same names. */
interface ElementClues {
  /** The slots of those that have weights, and these. */
  slots: number[];
  weights: number[];
  /** What they add at each level. */
  levels: [number, number];
}

/** What the clues of each block come to, log odds: those of its text, of the heading above and of all around it. */
export function clueScores({ blocks, frames }: Outline, weights: ClueWeights): Float64Array {
  const list = new ClueList();
  const around = new Float64Array(frames.length);
  const near = new Float64Array(frames.length);
  /** The levels of each element. */
  const levels: [number, number][] = [];
  const ends = weights.ends.fill(0);
  const known: ElementClues[] = [];
  for (let at = 0; at < frames.length; at++) {
    const frame = frames[at] as Frame;
    const above = frame.parent?.index ?? -1;
    const own = elementClues(frame, weights, known, list);
    around[at] = above < 0 ? weights.base : around[above]!;
    for (let each = 0; each < own.slots.length; each++) {
      const slot = own.slots[each]!;
      // An element around this one has the clue, or it is the same one.
      if (frame.firstBlock < ends[slot]!) continue;
      around[at]! += own.weights[each]!;
      ends[slot] = frame.firstBlock + frame.blocks;
    }
    levels.push(own.levels);
    near[at] = own.levels[0] + (above < 0 ? 0 : levels[above]![1]);
  }
  let heading = 0;
  const scores = new Float64Array(blocks.length);
  for (let at = 0; at < blocks.length; at++) {
    const { frame, text, headingLevel } = blocks[at] as OutlinedBlock;
    addTextClues(list.clear(), text);
    scores[at] = around[frame.index]! + near[frame.index]! + heading + weights.sumOf(list);
    if (headingLevel === 0) continue;
    addHeadingClues(list.clear(), text);
    heading = weights.sumOf(list);
  }
  return scores;
}

/** Attributes besides classes that are clues. */
const telling = ["id", "role", "itemprop", "itemtype", "aria-label"];

/** Elements with the same tag and classes are mostly read once. */
function elementClues(
  { element, signature }: Frame,
  weights: ClueWeights,
  known: ElementClues[],
  list: ClueList,
): ElementClues {
  const { attributes } = element;
  const { size } = attributes;
  const isOnlyNamed =
    size === 0 || (size === 1 && attributes.has("class")) || !telling.some(name => attributes.has(name));
  const found = known[signature];
  if (isOnlyNamed && found !== undefined) return found;
  addElementClues(list.clear(), element);
  const own: ElementClues = { slots: [], weights: [], levels: [0, 0] };
  for (let at = 0; at < list.size; at++) {
    const clue = list.numbers[at]!;
    const weight = weights.of(clue);
    if (weight === 0) continue;
    own.slots.push(weights.slotOf(clue));
    own.weights.push(weight);
  }
  list.add(tagClue(element));
  own.levels = [sumAt(list, 0, weights), sumAt(list, 1, weights)];
  if (isOnlyNamed) known[signature] = own;
  return own;
}

function sumAt({ numbers, size }: ClueList, level: number, weights: ClueWeights): number {
  let sum = 0;
  for (let at = 0; at < size; at++) sum += weights.of(clueAt(level, numbers[at]!));
  return sum;
}

/** The clues that `clueScores` sums up, block after block: `ends` has where those of each block end. */
export function cluesOf({ blocks, frames }: Outline): { clues: Int32Array; ends: Int32Array } {
  const list = new ClueList();
  const around: number[][] = [];
  const own: number[][] = [];
  frames.forEach(({ element, parent }, at) => {
    addElementClues(list.clear(), element);
    const mine = Array.from(list.numbers.subarray(0, list.size));
    around[at] = [...new Set([...(parent === null ? [] : around[parent.index]!), ...mine])];
    own[at] = [...mine, tagClue(element)];
  });
  const clues: number[] = [];
  let heading: number[] = [];
  const ends = Int32Array.from(blocks, ({ frame, text, headingLevel }) => {
    clues.push(...around[frame.index]!, ...heading);
    let level: Frame | null = frame;
    for (let at = 0; at < clueLevels; at++, level = level?.parent ?? null)
      for (const clue of level === null ? [] : own[level.index]!) clues.push(clueAt(at, clue));
    addTextClues(list.clear(), text);
    clues.push(...list.numbers.subarray(0, list.size));
    if (headingLevel > 0) {
      addHeadingClues(list.clear(), text);
      heading = Array.from(list.numbers.subarray(0, list.size));
    }
    return clues.length;
  });
  return { clues: Int32Array.from(clues), ends };
}
