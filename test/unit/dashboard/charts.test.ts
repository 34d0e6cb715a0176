import { ceilingOf, describeRate, linePath, stack } from "../../../dashboard/parts/chart-shapes.ts";

test.each([
  ["the highest at the top, nothing at the foot", [0, 4, 2], "M0,19L50,1L100,10"],
  ["only zeros are a line at the foot", [0, 0], "M0,19L100,19"],
  ["one value", [7], "M0,1"],
])("a line is drawn through %s", (_, values, path) => {
  expect(linePath(values, 100, 20)).toBe(path);
});

test.each([
  [0, 2],
  [2, 2],
  [3, 4],
  [5, 6],
  [7, 8],
  [9, 10],
  [11, 20],
  [61, 80],
  [4123, 6000],
])("the scale for %i ends at %i", (highest, ceiling) => {
  expect(ceilingOf(highest)).toBe(ceiling);
});

test("the parts of a bar are stacked, without empty ones", () => {
  const series = [
    { name: "a", values: [1, 0] },
    { name: "b", values: [2, 3] },
  ];
  expect(stack(series, 3)).toEqual([
    {
      total: 3,
      parts: [
        { series: 0, from: 0, to: 1 },
        { series: 1, from: 1, to: 3 },
      ],
    },
    { total: 3, parts: [{ series: 1, from: 0, to: 3 }] },
    { total: 0, parts: [] },
  ]);
});

test.each([
  [[0, 0, 0], "Polls: none in the last hour."],
  [[1, 1500, 2], "Polls: 1,503 in the last hour. At most 1,500 a minute, at 1. 2 in the last minute."],
])("the chart of %j is described in words", (values, words) => {
  expect(describeRate("Polls", values, String)).toBe(words);
});
