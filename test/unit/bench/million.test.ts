import { growthLines } from "../../bench/growth.ts";
import { million, sizesOf } from "../../bench/million.bench.ts";

test("sizes are those that are given, or all", () => {
  expect(sizesOf("pages=1000,streams=20")).toEqual([
    ["pages", 1000],
    ["streams", 20],
  ]);
  expect(sizesOf().map(([part]) => part)).toEqual(["sources", "references", "pages", "streams"]);
});

test.each(["pages", "pages=", "pages=15", "pages=0", "walks=10", "toString=10"])("%s is no size", given => {
  expect(() => sizesOf(given)).toThrow(`not a size: ${given}`);
});

test("a cost that grows with the size stands out", () => {
  const cost = (name: string, value: number) => ({ name, value, unit: "ms" });
  const grown = {
    tenth: [cost("same", 2), cost("all", 3), cost("squared", 1)],
    whole: [cost("same", 2), cost("all", 30), cost("squared", 100)],
  };
  const [same, all, squared] = growthLines("100 things", grown).map(({ line }) => line);
  expect(same).toMatch(/2\.00 -> +2\.00 ms, n\^0\.00$/);
  expect(all).toMatch(/3\.00 -> +30\.0 ms, n\^1\.00, GROWS$/);
  expect(squared).toMatch(/n\^2\.00, GROWS$/);
});

test("a small run measures every step of a log and of a frontier", async () => {
  const lines = (await million("references=1000,pages=1000")).map(({ line }) => line);
  expect(lines.filter(line => line.startsWith("1000 references: append of 100"))).toHaveLength(3);
  expect(lines.filter(line => line.startsWith("1000 pages: removal of 1,000 pages"))).toHaveLength(1);
  expect(lines.filter(line => /NaN|Infinity/.test(line))).toEqual([]);
}, 120_000);
