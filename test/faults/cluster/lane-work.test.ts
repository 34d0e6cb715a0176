import { overlaps, type Work } from "./lane-work.ts";

const work = (node: number, began: number, ended: number, lane = 0): Work => ({ lane, node, began, ended });

test.each<[string, Work[], Record<number, number[]>, number]>([
  ["one node has several attempts at once", [work(1, 0, 9), work(1, 1, 8)], {}, 0],
  ["another one follows", [work(1, 0, 5), work(2, 5, 9)], {}, 0],
  ["another one begins before", [work(1, 0, 5), work(2, 4, 9)], {}, 1],
  [
    "another one begins while the longer of two goes on",
    [work(1, 0, 9), work(1, 1, 2), work(2, 3, 4)],
    {},
    1,
  ],
  ["two lanes", [work(1, 0, 5), work(2, 4, 9, 1)], {}, 0],
  ["it was killed meanwhile", [work(1, 0, Number.POSITIVE_INFINITY), work(2, 4, 9)], { 1: [3] }, 0],
  ["it was stopped before it began", [work(1, 2, 6), work(2, 4, 9)], { 1: [1] }, 1],
  ["it was stopped and goes on after it woke", [work(1, 0, 2), work(2, 4, 9), work(1, 8, 9)], { 1: [2] }, 1],
])("%s", (_, works, stops, count) => {
  expect(overlaps(works, node => stops[node] ?? [])).toHaveLength(count);
});
