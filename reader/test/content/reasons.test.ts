import type { BlockModel } from "../../content/block-model.ts";
import { reasonsFor, rowNames } from "../../content/classify.ts";
import { ClueWeights } from "../../content/clue-weights.ts";
import { featureNames } from "../../content/features.ts";
import { packTrees, type TreeNode } from "../../learn/boosted-trees.ts";

/** Adds `more` where a feature is above 0.5, else takes as much away. */
const stump = (name: string, more: number): TreeNode => ({
  value: 0,
  split: {
    feature: rowNames.indexOf(name),
    threshold: 0.5,
    children: [{ value: -more }, { value: more }],
  },
});

const modelOf = (first: TreeNode[], second: TreeNode[]): BlockModel => ({
  first: packTrees(featureNames.length, 0, first),
  second: packTrees(rowNames.length, 0, second),
  odds: new Map(),
  clues: new ClueWeights(0, new Int32Array(0), new Float32Array(0)),
});

function reasons(model: BlockModel, values: Record<string, number>) {
  const rows = new Float32Array(2 * rowNames.length);
  for (const [name, value] of Object.entries({ "score.own": 0.5, ...values })) {
    expect(rowNames).toContain(name);
    rows[rowNames.length + rowNames.indexOf(name)] = value;
  }
  const found = reasonsFor(model, { shares: new Float64Array(2), rows, clues: new Float64Array(2) }, 1);
  return found.map(({ name, value, weight }) => [name, value, Math.round((weight * 1000) / 0.75) / 1000]);
}

test("the features that weighed most are named, the greatest first, whatever their sign", () => {
  const model = modelOf([], [stump("own.words", 0.25), stump("in.nav", -2), stump("own.links", 1)]);
  expect(reasons(model, { "own.words": 7, "in.nav": 1 })).toEqual([
    ["in.nav", 1, -2],
    ["own.links", 0, -1],
    ["own.words", 7, 0.25],
  ]);
});

test("what the second pass owes to the first is divided among the features of the first", () => {
  const first = [stump("own.words", 3), stump("in.nav", 1)];
  const second = [stump("score.own", 2), stump("own.links", 0.25)];
  expect(reasons(modelOf(first, second), { "own.words": 7, "in.nav": 1, "score.own": 0.8 })).toEqual([
    ["own.words", 7, 1.5],
    ["in.nav", 1, 0.5],
    ["own.links", 0, -0.25],
  ]);
});

test.each([
  ["point to the other side", [stump("own.words", -3)]],
  ["cancel each other out", [stump("own.words", 3), stump("in.nav", -3)]],
])("it is not where those %s", (_, first) => {
  const values = { "own.words": 7, "in.nav": 1, "score.own": 0.8 };
  expect(reasons(modelOf(first, [stump("score.own", 2)]), values)[0]).toEqual([
    "score.own",
    Math.fround(0.8),
    2,
  ]);
});

test.each([0.01, 0.99])("of a block to which the first pass gives %f, that pass alone is named", own => {
  const model = modelOf([stump("own.words", 3)], [stump("own.links", 5)]);
  expect(reasons(model, { "score.own": own, "own.words": 7 })).toEqual([
    ["own.words", 7, 3],
    ["own.chars_per_word", 0, 0],
    ["own.link_share", 0, 0],
  ]);
});
