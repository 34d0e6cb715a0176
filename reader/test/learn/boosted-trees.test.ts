import {
  type BoostedTrees,
  contributions,
  packTrees,
  scoresAt,
  type TreeNode,
} from "../../learn/boosted-trees.ts";
import { readTrees, writeTrees } from "../../learn/model-bytes.ts";

/** Is a > 1.5, and if so, is b > -2? */
const tree: TreeNode = {
  value: 0.25,
  split: {
    feature: 0,
    threshold: 1.5,
    children: [
      { value: -1 },
      { value: 0.5, split: { feature: 1, threshold: -2, children: [{ value: 0 }, { value: 2 }] } },
    ],
  },
};
const stump: TreeNode = { value: 0.125 };
const model = packTrees(3, -0.5, [tree, stump]);

const score = (trees: BoostedTrees, row: Float32Array) => scoresAt(trees, row, [0])[0];

test.each([
  ["to the first child", [1, 9, 0], -1],
  ["at the threshold to the first", [1.5, 9, 0], -1],
  ["to the second, then the first", [2, -2, 0], 0],
  ["to the second, then the second", [2, 3, 0], 2],
  ["to the first with what is no number", [Number.NaN, 3, 0], -1],
  [
    "to the second with infinity, and stays there",
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0],
    2,
  ],
])("a row goes %s", (_, row, leaf) => {
  expect(score(model, Float32Array.from(row))).toBe(-0.5 + leaf + 0.125);
});

test.each([0, 1, 3, 5, 6, 7, 13])("all of %i trees count", count => {
  const many = packTrees(3, 0, [...new Array<TreeNode>(count).fill(tree), stump]);
  expect(score(many, Float32Array.of(2, 3, 0))).toBe(2 * count + 0.125);
});

test.each([1, 6, 8, 14, 40])("a row is followed down %i levels", levels => {
  let deep: TreeNode = { value: 3 };
  for (let level = levels; level > 0; level--)
    deep = { value: 0, split: { feature: 0, threshold: level, children: [{ value: -level }, deep] } };
  const many = packTrees(1, 0, new Array<TreeNode>(7).fill(deep));
  expect(score(many, Float32Array.of(levels + 1))).toBe(7 * 3);
  expect(score(many, Float32Array.of(levels))).toBe(7 * -levels);
  expect(score(many, Float32Array.of(1))).toBe(-7);
});

test.each([0, 1, 5, 6, 7, 13, 96, 97, 300])("each of %i rows is scored where it begins", count => {
  const rows = Float32Array.from({ length: 3 * count }, (_, cell) => (cell * 7) % 11);
  const starts = Array.from({ length: count }, (_, at) => 3 * (count - 1 - at));
  const alone = starts.map(start => score(model, rows.subarray(start, start + 3)));
  expect(Array.from(scoresAt(model, rows, starts))).toEqual(alone);
});

test("contributions: what each feature changed, last what none explains", () => {
  expect(Array.from(contributions(model, Float32Array.of(2, 3, 0)))).toEqual([0.25, 1.5, 0, -0.125]);
  expect(Array.from(contributions(model, Float32Array.of(7, 1, 9, 0), 1))).toEqual([-1.25, 0, 0, -0.125]);
});

test("a model is read as it was written", () => {
  const read = readTrees(writeTrees(model));
  expect({ ...read, value: null }).toEqual({ ...model, value: null });
  read.value.forEach((value, node) => {
    expect(value).toBeCloseTo(model.value[node]!, 4);
  });
  expect(writeTrees(read)).toEqual(writeTrees(model));
});

test("a model without trees, or whose trees add nothing", () => {
  expect(score(readTrees(writeTrees(packTrees(0, -0.5, []))), new Float32Array(0))).toBe(-0.5);
  expect(score(readTrees(writeTrees(packTrees(1, -0.5, [{ value: 0 }]))), new Float32Array(1))).toBe(-0.5);
});

test("bytes that are no model are refused", () => {
  const bytes = writeTrees(model);
  expect(() => readTrees(bytes.subarray(0, bytes.length - 4))).toThrow("out of range");
  // The last split's threshold.
  bytes[bytes.length - 13] = 7;
  expect(() => readTrees(bytes)).toThrow("threshold that it lacks");
});

test("a model that has too many nodes is refused", () => {
  expect(() => packTrees(3, 0, new Array<TreeNode>(14_000).fill(tree))).toThrow("at most 65536 nodes");
});
