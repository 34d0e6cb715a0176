import { jest } from "@jest/globals";
import { OdfBlocks } from "../../document/odf-blocks.ts";
import { OdfStyles } from "../../document/odf-styles.ts";
import { readTree } from "../../document/read-xml.ts";

test("a tree whose budget is used up is read no further", () => {
  const bytes = Buffer.from(`<a>${"<b/>".repeat(100_000)}</a>`);
  const reads = jest.spyOn(bytes, "subarray");
  const budget = { elements: 10, isCut: false };
  expect(readTree(bytes, budget).children).toHaveLength(1);
  expect([budget.isCut, reads.mock.calls.length]).toEqual([true, 1]);
  readTree(bytes, budget);
  expect(reads).toHaveBeenCalledTimes(1);
});

test("a formula that many frames show is read once, and all of them have a limit", () => {
  let reads = 0;
  const math = Buffer.from(`<math><mi>${"x".repeat(1_000_000)}</mi></math>`);
  const budget = { elements: 1000, isCut: false };
  const objectOf = () => {
    reads++;
    return math;
  };
  const frame = '<draw:frame><draw:object xlink:href="./O"/></draw:frame>';
  const text = readTree(Buffer.from(`<office:text>${frame.repeat(20)}</office:text>`), budget);
  const html = new OdfBlocks(new OdfStyles(), objectOf, budget).html(text);
  expect(reads).toBe(1);
  expect(html.length).toBeLessThan(4_100_000);
  expect(budget.isCut).toBe(true);
});
