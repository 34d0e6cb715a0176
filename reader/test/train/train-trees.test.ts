import {
  type BoostedTrees,
  contributions,
  packTrees,
  scoresAt,
  type TreeNode,
} from "../../learn/boosted-trees.ts";
import { readTrees, writeTrees } from "../../learn/model-bytes.ts";
import { binRows } from "../../train/bin-rows.ts";
import { generator, type TrainingRows, train, trainOn } from "../../train/train-trees.ts";

const score = (trees: BoostedTrees, rows: Float32Array, start = 0) => scoresAt(trees, rows, [start])[0]!;

const quick = { trees: 40, leaves: 8, learningRate: 0.3, minChildWeight: 0.5 };

/** Rows of features from 0 to 1, with the label that the rule gives. */
function rowsOf(
  count: number,
  width: number,
  labelOf: (row: Float32Array) => number,
  seed = 3,
): TrainingRows {
  const features = Float32Array.from({ length: count * width }, generator(seed));
  const labels = Float32Array.from({ length: count }, (_, row) =>
    labelOf(features.subarray(row * width, (row + 1) * width)),
  );
  return { features, labels, weights: new Float32Array(count).fill(1) };
}

/** The share of rows on the right side. */
function accuracy(model: ReturnType<typeof train>, { features, labels }: TrainingRows): number {
  const width = features.length / labels.length;
  const right = labels.filter((label, row) => score(model, features, row * width) > 0 === label > 0.5);
  return right.length / labels.length;
}

const probability = (logOdds: number) => 1 / (1 + Math.exp(-logOdds));

test.each([
  ["separable by one feature", 4, (row: Float32Array) => Number(row[2]! > 0.6)],
  ["exclusive or", 5, (row: Float32Array) => Number(row[0]! > 0.5 !== row[3]! > 0.5)],
  ["a sum", 6, (row: Float32Array) => Number(row[0]! + row[5]! > 1)],
])("learns a rule that it finds in rows it has not seen: %s", (_, width, rule) => {
  const model = train(rowsOf(3000, width, rule), quick);
  expect(accuracy(model, rowsOf(1000, width, rule, 9))).toBeGreaterThan(0.95);
});

test("finds nothing where there is nothing", () => {
  const coin = generator(5);
  const model = train(
    rowsOf(3000, 4, () => Number(coin() > 0.5)),
    { ...quick, trees: 5 },
  );
  expect(
    accuracy(
      model,
      rowsOf(3000, 4, () => Number(coin() > 0.5), 9),
    ),
  ).toBeLessThan(0.55);
});

test("rows count by their weight", () => {
  const rows = rowsOf(2000, 2, row => Number(row[1]! > 0.5));
  // The same rows, each with the other label and a third of the weight.
  const doubled = {
    features: Float32Array.of(...rows.features, ...rows.features),
    labels: Float32Array.of(...rows.labels, ...rows.labels.map(label => 1 - label)),
    weights: Float32Array.of(...rows.weights, ...rows.weights.map(() => 1 / 3)),
  };
  const model = train(doubled, quick);
  expect(probability(score(model, Float32Array.of(0.3, 0.9)))).toBeCloseTo(0.75, 1);
  expect(probability(score(model, Float32Array.of(0.3, 0.1)))).toBeCloseTo(0.25, 1);
});

test("rows without weight do not count", () => {
  const rows = rowsOf(1000, 1, row => Number(row[0]! > 0.5));
  rows.labels.fill(0, 500);
  rows.weights.fill(0, 500);
  expect(probability(score(train(rows, quick), Float32Array.of(0.9)))).toBeGreaterThan(0.9);
});

test("labels between 0 and 1 are learned as shares", () => {
  const model = train(
    rowsOf(2000, 2, row => (row[0]! > 0.5 ? 0.8 : 0.3)),
    quick,
  );
  expect(probability(score(model, Float32Array.of(0.9, 0.5)))).toBeCloseTo(0.8, 1);
  expect(probability(score(model, Float32Array.of(0.1, 0.5)))).toBeCloseTo(0.3, 1);
});

test("the same rows and seed make the same model, another seed another", () => {
  const rows = rowsOf(1000, 6, row => row[0]! * row[1]!);
  const bytes = (seed: number) => writeTrees(train(rows, { ...quick, seed }));
  expect(bytes(1)).toEqual(bytes(1));
  expect(bytes(1)).not.toEqual(bytes(2));
});

test("contributions sum to the score, of the model and of its bytes", () => {
  const rows = rowsOf(1000, 6, row => Number(row[0]! + row[5]! > 1));
  const model = train(rows, quick);
  const read = readTrees(writeTrees(model));
  for (let row = 0; row < 50; row++) {
    const expected = score(model, rows.features, row * 6);
    const sum = contributions(model, rows.features, row * 6).reduce((total, each) => total + each, 0);
    expect(sum).toBeCloseTo(expected, 5);
    expect(score(read, rows.features, row * 6)).toBeCloseTo(expected, 2);
  }
});

test("the bytes of 300 trees of 31 leaves that share no threshold has at most 400 KB", () => {
  const random = generator(1);
  const features = 160;
  const cuts = Array.from({ length: features }, () =>
    Array.from({ length: 254 }, () => Math.fround(random())),
  );
  let asked = 0;
  const grow = (leaves: number): TreeNode => {
    if (leaves === 1) return { value: random() };
    const feature = asked++ % features;
    const threshold = cuts[feature]![Math.floor(asked / features) % 254]!;
    return {
      value: random(),
      split: { feature, threshold, children: [grow(leaves >> 1), grow(leaves - (leaves >> 1))] },
    };
  };
  const model = packTrees(
    features,
    0,
    Array.from({ length: 300 }, () => grow(31)),
  );
  expect(model.nodes).toHaveLength(300 * 61);
  expect(new Set(model.threshold).size).toBeGreaterThan(8900);
  expect(writeTrees(model).length).toBeLessThan(400_000);
});

test.each([
  ["no rows", { features: new Float32Array(0), labels: new Float32Array(0), weights: new Float32Array(0) }],
  ["rows that are all the same", rowsOf(100, 3, () => 1)],
])("makes a model of %s", (_, rows) => {
  expect(Number.isFinite(score(train(rows, quick), Float32Array.of(0, 0, 0)))).toBe(true);
});

test.each([
  ["few values: a bin each", [0, 1, 1, 5, 0], 255, [0.5, 3], [0, 1, 1, 2, 0]],
  ["one value: no cut", [4, 4, 4], 255, [], [0, 0, 0]],
  ["many values: as many rows a bin", [1, 2, 3, 4, 5, 6], 3, [2.5, 4.5], [0, 0, 1, 1, 2, 2]],
  [
    "a value of many rows has one bin",
    [0, 0, 0, 0, 0, 0, 1, 2, 3, 4],
    3,
    [0.5, 2.5],
    [0, 0, 0, 0, 0, 0, 1, 1, 2, 2],
  ],
  ["what is no number is in the first", [Number.NaN, 1, 2], 255, [-Infinity, 1.5], [0, 1, 2]],
])("bins: %s", (_, values, bins, cuts, binned) => {
  const { columns, cuts: found } = binRows(Float32Array.from(values), 1, { bins });
  expect(Array.from(found[0]!)).toEqual(cuts);
  expect(Array.from(columns[0]!)).toEqual(binned);
});

test.each([
  ["first", { to: 1 }, [0, 1, 2]],
  ["last", { from: 1 }, [0, 0, 1]],
])("bins: only the %s feature of each row, if so asked", (_, part, binned) => {
  const { features, columns } = binRows(Float32Array.of(1, 7, 2, 7, 3, 8), 2, part);
  expect([features, columns.map(column => Array.from(column))]).toEqual([1, [binned]]);
});

test("rows that it may not see teach it nothing", () => {
  const rows = rowsOf(1000, 1, row => Number(row[0]! > 0.5));
  rows.labels.fill(0, 500);
  const model = trainOn(
    binRows(rows.features, 1),
    rows,
    quick,
    Int32Array.from({ length: 500 }, (_, at) => at),
  );
  expect(probability(score(model, Float32Array.of(0.9)))).toBeGreaterThan(0.9);
});

test("neighbours without a number between them are still divided", () => {
  const low = Math.fround(0.1);
  const high = Math.fround(low + 2 ** -27);
  expect(high).toBeGreaterThan(low);
  const { columns } = binRows(Float32Array.of(low, high), 1);
  expect(Array.from(columns[0]!)).toEqual([0, 1]);
});
