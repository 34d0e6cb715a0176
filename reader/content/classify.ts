import { type BoostedTrees, contributions, scoresAt } from "../learn/boosted-trees.ts";
import type { BlockModel } from "./block-model.ts";
import { clueScores } from "./clue-weights.ts";
import { featureNames, writeFeatures } from "./features.ts";
import { alikeSums, neighbourhoodNames, writeNeighbourhood } from "./neighbourhood.ts";
import type { Outline } from "./outline.ts";
import type { PageContext } from "./page-context.ts";

/** The features of the first pass, then those that only the second has. */
export const rowNames: readonly string[] = [...featureNames, ...neighbourhoodNames];
const width = rowNames.length;

/** How likely each block is content, from 0 to 1, and what this was read from: rows, each as wide as `rowNames`, and clues. */
export interface BlockScores {
  shares: Float64Array;
  rows: Float32Array;
  clues: Float64Array;
}

/**
 * What of a block's log odds its clues make, the rest is of the trees: these know places, lengths and what is around, the
 * clues know words and names (docs/decisions/0093).
 */
const clueShare = 0.25;

/**
 * Below this share, or as near to 1, the first pass is sure. Of a page's blocks that are three quarters; to ask the second
 * pass about them changes no result (docs/decisions/0093).
 */
const sure = 0.15;

function isSure(share: number): boolean {
  return share < sure || share > 1 - sure;
}

/** Scores the blocks of a page: all by the first pass, and those by the second of which that is not sure. */
export function scoreBlocks(model: BlockModel, outline: Outline, page: PageContext): BlockScores {
  const { blocks } = outline;
  const rows = new Float32Array(blocks.length * width);
  writeFeatures(rows, width, outline, page, model.odds);
  const starts = startsOf(blocks.length);
  const scores = scoresAt(model.first, rows, starts);
  const shares = scores.map(shareOf);
  writeNeighbourhood(rows, width, featureNames.length, outline, shares);
  const unsure = starts.filter((_, at) => !isSure(shares[at]!));
  scoresAt(model.second, rows, unsure).forEach((score, at) => {
    scores[unsure[at]! / width] = score;
  });
  const clues = clueScores(outline, model.clues);
  const both = scores.map((score, at) => (1 - clueShare) * score + clueShare * clues[at]!);
  return { shares: calibrated(outline, both), rows, clues };
}

/**
 * On sites that it has not seen, the model is surer than it is right. Of lines through its log odds (Platt 1999), this one
 * gives the best F1 (docs/decisions/0093). Half of a block's log odds are the mean over the blocks that are made alike, by
 * their words: they are content together, or not.
 */
function calibrated({ blocks }: Outline, scores: Float64Array): Float64Array {
  const groups = alikeSums(blocks, scores);
  return scores.map((own, at) => shareOf((0.85 * (own + groups[at]!.sum / groups[at]!.weight)) / 2 - 0.45));
}

/** What trees make of `count` rows, from 0 to 1. */
export function sharesOf(trees: BoostedTrees, rows: Float32Array, count: number): Float64Array {
  return scoresAt(trees, rows, startsOf(count)).map(shareOf);
}

/** Where rows begin that follow one another. */
function startsOf(count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, at) => at * width);
}

function shareOf(score: number): number {
  return 1 / (1 + Math.exp(-score));
}

/** A feature with its value and what it added to a block's log odds. */
export interface Reason {
  name: string;
  value: number;
  weight: number;
}

/** The features that weighed most in a block's score, the greatest first. */
export function reasonsFor(model: BlockModel, { rows, clues }: BlockScores, at: number, count = 3): Reason[] {
  const offset = at * width;
  const weights = weightsOf(model, rows, offset);
  const reasons = rowNames.map((name, index) => ({
    name,
    value: rows[offset + index] ?? 0,
    weight: (1 - clueShare) * (weights[index] ?? 0),
  }));
  reasons.push({ name: "clues", value: clues[at] ?? 0, weight: clueShare * (clues[at] ?? 0) });
  return reasons.sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight)).slice(0, count);
}

/** The features that say what the first pass makes of the block itself; the first of them is its share. */
const ownScores = ["score.own", "score.over_threshold", "score.rank"].map(name => rowNames.indexOf(name));

/**
 * What each feature adds to a block's log odds. What those of the second pass owe to the block's score in the first is
 * divided among the features that made that score, where both point the same way.
 */
function weightsOf({ first, second }: BlockModel, rows: Float32Array, offset: number): Float64Array {
  if (isSure(rows[offset + ownScores[0]!]!))
    return contributions(first, rows, offset).subarray(0, first.features);
  const weights = contributions(second, rows, offset);
  const made = contributions(first, rows, offset).subarray(0, first.features);
  const sum = made.reduce((total, each) => total + each, 0);
  const passed = ownScores.reduce((total, index) => total + (weights[index] ?? 0), 0);
  if (passed * sum <= 0 || Math.abs(sum) < minMade) return weights;
  for (const index of ownScores) weights[index] = 0;
  made.forEach((each, index) => {
    weights[index]! += (each * passed) / sum;
  });
  return weights;
}

/** Features that cancel each other out explain nothing. */
const minMade = 0.1;
