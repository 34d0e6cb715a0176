import { type Frame, likeness, type Outline, type OutlinedBlock } from "./outline.ts";

const levels = 5;
const steps = [-4, -3, -2, -1, 1, 2, 3, 4];

/** The names of the features that the second pass has besides those of the first. */
export const neighbourhoodNames: readonly string[] = [
  ...["own", "over_threshold", "rank"].map(name => `score.${name}`),
  ...steps.map(step => `score.near${step > 0 ? "+" : ""}${step}`),
  ...Array.from({ length: levels }, (_, level) => [`score.level${level}`, `score.rest${level}`]).flat(),
  ...["alike", "alike_count", "page_mean", "page_max", "threshold", "kept_share", "kept_before"].map(
    name => `score.${name}`,
  ),
  ...["before_mean", "after_mean"].map(name => `score.${name}`),
];

/**
 * What the first pass says of the blocks around each block: beside it, in each element that holds it, and in blocks
 * that are made alike. `shares` are its scores, from 0 to 1. A block's features begin `offset` after its row does.
 */
export function writeNeighbourhood(
  rows: Float32Array,
  width: number,
  offset: number,
  outline: Outline,
  shares: Float64Array,
): void {
  const { blocks } = outline;
  const frames = frameSums(outline, shares);
  const alike = alikeSums(blocks, shares);
  const order = bestFirst(shares);
  const threshold = bestThreshold(blocks, shares, order);
  const ranks = new Uint32Array(blocks.length);
  order.forEach((at, rank) => {
    ranks[at] = rank;
  });
  const pageMean = frames.weights[0] ? frames.sums[0]! / frames.weights[0] : 0;
  const max = shares[order[0] ?? 0] ?? 0;
  let keptWords = 0;
  for (const [at, { shape }] of blocks.entries()) if (shares[at]! >= threshold) keptWords += shape.words;
  const smooth = smoothed(blocks, shares);
  let before = 0;
  for (let at = 0; at < blocks.length; at++) {
    const block = blocks[at] as OutlinedBlock;
    const own = shares[at]!;
    const words = block.shape.words + 1;
    let cell = at * width + offset;
    rows[cell++] = own;
    rows[cell++] = own - threshold;
    rows[cell++] = ranks[at]! / blocks.length;
    for (let step = -4; step <= 4; step++) if (step !== 0) rows[cell++] = shares[at + step] ?? -1;
    let frame: Frame | null = block.frame;
    for (let level = 0; level < levels; level++) {
      const sum = frame === null ? 0 : frames.sums[frame.index]!;
      const weight = frame === null ? 0 : frames.weights[frame.index]!;
      rows[cell++] = frame === null ? -1 : sum / weight;
      rows[cell++] = weight <= words ? -1 : (sum - own * words) / (weight - words);
      frame = frame === null ? null : frame.outer;
    }
    const group = alike[at] as Group;
    rows[cell++] = group.weight <= words ? -1 : (group.sum - own * words) / (group.weight - words);
    rows[cell++] = Math.min(50, group.count);
    rows[cell++] = pageMean;
    rows[cell++] = max;
    rows[cell++] = threshold;
    rows[cell++] = keptWords / Math.max(1, outline.words);
    rows[cell++] = before / Math.max(1, keptWords);
    if (own >= threshold) before += block.shape.words;
    rows[cell++] = smooth.before[at]!;
    rows[cell++] = smooth.after[at]!;
  }
}

/** Shares times words, and words, in each element. */
function frameSums({ blocks, frames }: Outline, shares: Float64Array) {
  const sums = new Float64Array(frames.length);
  const weights = new Float64Array(frames.length);
  blocks.forEach(({ frame, shape }, at) => {
    const weight = shape.words + 1;
    sums[frame.index]! += shares[at]! * weight;
    weights[frame.index]! += weight;
  });
  for (let at = frames.length - 1; at > 0; at--) {
    const above = frames[at]?.parent?.index ?? 0;
    sums[above]! += sums[at]!;
    weights[above]! += weights[at]!;
  }
  return { sums, weights };
}

interface Group {
  sum: number;
  weight: number;
  count: number;
}

/** For each block the sums over the blocks like it, itself included. */
export function alikeSums(blocks: readonly OutlinedBlock[], values: Float64Array): Group[] {
  const groups = new Map<number, Group>();
  return blocks.map((block, at) => {
    const weight = block.shape.words + 1;
    const key = likeness(block);
    const group = groups.get(key) ?? { sum: 0, weight: 0, count: 0 };
    if (group.count === 0) groups.set(key, group);
    group.sum += values[at]! * weight;
    group.weight += weight;
    group.count++;
    return group;
  });
}

/** The blocks' places, those with the greatest share first. */
export function bestFirst(shares: Float64Array): number[] {
  return Array.from(shares, (_, at) => at).sort((a, b) => shares[b]! - shares[a]!);
}

/** Means of what comes before and after, which fade with the words between. */
function smoothed(blocks: readonly OutlinedBlock[], shares: Float64Array) {
  const kept = Float64Array.from(blocks, ({ shape }) => 0.5 ** (shape.words / 40 + 0.1));
  const before = new Float64Array(blocks.length);
  const after = new Float64Array(blocks.length);
  let mean = 0;
  for (let at = 0; at < blocks.length; at++) {
    before[at] = mean;
    mean = mean * kept[at]! + shares[at]! * (1 - kept[at]!);
  }
  mean = 0;
  for (let at = blocks.length - 1; at >= 0; at--) {
    after[at] = mean;
    mean = mean * kept[at]! + shares[at]! * (1 - kept[at]!);
  }
  return { before, after };
}

/**
 * The share from which on blocks are kept, so that the expected F1 over words is greatest: the more of the best blocks
 * are kept, the more of the content is expected among them, and the more of the rest (Lewis, "Evaluating and optimizing
 * autonomous text classification systems", 1995).
 */
export function bestThreshold(
  blocks: readonly { shape: { words: number } }[],
  shares: Float64Array,
  order = bestFirst(shares),
): number {
  const content = order.reduce((sum, at) => sum + shares[at]! * (blocks[at]?.shape.words ?? 0), 0);
  let [found, kept, best, threshold] = [0, 0, -1, 1];
  for (const at of order) {
    const words = blocks[at]?.shape.words ?? 0;
    found += words * shares[at]!;
    kept += words;
    const expected = (2 * found) / (kept + content);
    if (expected > best) [best, threshold] = [expected, shares[at]!];
  }
  return threshold;
}
