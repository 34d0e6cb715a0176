import { type BoostedTrees, packTrees, type TreeNode } from "../learn/boosted-trees.ts";
import { type BinnedRows, binRows } from "./bin-rows.ts";
import { type GrownNode, TreeGrower, type TreeOptions } from "./grow-tree.ts";

export interface TrainingRows {
  /** Row-major: as many numbers a row as there are features. */
  features: Float32Array;
  /** From 0 to 1. */
  labels: Float32Array;
  weights: Float32Array;
}

export interface TrainOptions extends TreeOptions {
  trees: number;
  learningRate: number;
  bins: number;
  /** The share of the features, and of the rows, that each tree sees. */
  featureShare: number;
  rowShare: number;
  seed: number;
}

export const defaults: TrainOptions = {
  trees: 300,
  leaves: 31,
  learningRate: 0.08,
  bins: 255,
  l2: 1,
  minChildWeight: 5,
  featureShare: 0.5,
  rowShare: 0.7,
  seed: 1,
};

/** Boosts trees on the logistic loss (Friedman 2001, with Newton steps). The same input gives the same model. */
export function train(rows: TrainingRows, given: Partial<TrainOptions> = {}): BoostedTrees {
  const width = rows.labels.length > 0 ? rows.features.length / rows.labels.length : 0;
  return trainOn(binRows(rows.features, width, { bins: given.bins ?? defaults.bins }), rows, given);
}

/** Like `train`, for rows that are binned already; `among` are the rows that it may see, rising. */
export function trainOn(
  data: BinnedRows,
  { labels, weights }: Omit<TrainingRows, "features">,
  given: Partial<TrainOptions> = {},
  among: Int32Array = Int32Array.from(labels.keys()),
): BoostedTrees {
  const options = { ...defaults, ...given };
  const grower = new TreeGrower(data, options);
  const random = generator(options.seed);
  const base = Math.fround(logOdds(labels, weights, among));
  const scores = new Float64Array(data.rows).fill(base);
  const gradients = new Float32Array(data.rows);
  const curvatures = new Float32Array(data.rows);
  const trees: GrownNode[] = [];
  for (let tree = 0; tree < options.trees; tree++) {
    for (const row of among) {
      const p = 1 / (1 + Math.exp(-scores[row]!));
      gradients[row] = weights[row]! * (p - labels[row]!);
      curvatures[row] = weights[row]! * Math.max(p * (1 - p), 1e-6);
    }
    const seen = sample(among.length, options.rowShare, random).map(at => among[at]!);
    const asked = Array.from(sample(data.features, options.featureShare, random));
    const root = grower.grow(gradients, curvatures, seen, asked);
    shrink(root, options.learningRate);
    addScores(scores, root, data, among);
    trees.push(root);
  }
  return packTrees(
    data.features,
    base,
    trees.map(tree => withThresholds(tree, data)),
  );
}

function logOdds(labels: Float32Array, weights: Float32Array, among: Int32Array): number {
  let yes = 1e-3;
  let no = 1e-3;
  for (const row of among) {
    yes += weights[row]! * labels[row]!;
    no += weights[row]! * (1 - labels[row]!);
  }
  return Math.log(yes / no);
}

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Some of the numbers below `count`, rising: exactly that share, and at least one. */
function sample(count: number, share: number, random: () => number): Int32Array {
  const wanted = Math.min(count, Math.max(1, Math.round(count * share)));
  const chosen = new Int32Array(wanted);
  let taken = 0;
  for (let each = 0; taken < wanted; each++)
    if (random() * (count - each) < wanted - taken) chosen[taken++] = each;
  return chosen;
}

function shrink(node: GrownNode, rate: number): void {
  node.value = Math.fround(node.value * rate);
  if (!node.split) return;
  shrink(node.split.left, rate);
  shrink(node.split.right, rate);
}

function addScores(scores: Float64Array, root: GrownNode, { columns }: BinnedRows, among: Int32Array): void {
  for (const row of among) {
    let node = root;
    for (let { split } = node; split; split = node.split)
      node = columns[split.feature]![row]! <= split.bin ? split.left : split.right;
    scores[row]! += node.value;
  }
}

function withThresholds({ value, split }: GrownNode, data: BinnedRows): TreeNode {
  if (!split) return { value };
  const { feature, bin, left, right } = split;
  const threshold = data.cuts[feature]![bin]!;
  return {
    value,
    split: { feature, threshold, children: [withThresholds(left, data), withThresholds(right, data)] },
  };
}
