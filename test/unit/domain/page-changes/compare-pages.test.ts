import { comparePages, unifiedDiff } from "../../../../services/domain/page-changes/compare-pages.ts";

test.each([
  ["the same", "# A\n\nb", "# A\n\nb", false],
  ["white space", "# A\n\nb  c", "# A\nb c\n", false],
  ["another digit", "12 euros", "21 euros", true],
  ["a line that has moved", "a\n\nb", "b\n\na", true],
  ["nothing left", "a", "", true],
])("%s", (_what, before, after, isChanged) => {
  expect(comparePages({ markdown: before }, { markdown: after }, []).isChanged).toBe(isChanged);
});

test("fields that only one of the pages has are null in the other", () => {
  const { json, diff } = comparePages(
    { markdown: "a", json: { price: 9, old: true } },
    { markdown: "b", json: { price: 9, next: [1] } },
    ["json"],
  );
  expect([json, diff]).toEqual([
    {
      price: { previous: 9, current: 9 },
      old: { previous: true, current: null },
      next: { previous: null, current: [1] },
    },
    undefined,
  ]);
  expect(comparePages({ markdown: "a" }, { markdown: "b" }, ["json"])).toEqual({ isChanged: true });
});

test.each([
  ["a\nb\nc", "a\nx\nc", ["@@ -1,3 +1,3 @@", " a", "-b", "+x", " c"]],
  ["", "a", ["@@ -1,0 +1,1 @@", "+a"]],
  ["a\n", "a", [""]],
])("the diff of %j and %j", (before, after, lines) => {
  expect(unifiedDiff(before, after).split("\n")).toEqual(lines);
});

test("texts with too many edits are shown one after the other, and a long diff ends with a whole line", () => {
  const lines = (sign: string) => Array.from({ length: 3000 }, (_, n) => `${sign}${n}`).join("\n");
  const rough = unifiedDiff(lines("a"), lines("b")).split("\n");
  expect([rough[0], rough[1], rough.at(-1)]).toEqual(["@@ -1,3000 +1,3000 @@", "-a0", "+b2999"]);
  const long = unifiedDiff("", Array.from({ length: 3000 }, (_, n) => `${n}`.padEnd(999, "x")).join("\n"));
  expect(long.length).toBeLessThanOrEqual(1024 * 1024);
  expect(long.split("\n").at(-1)).toHaveLength(1000);
});
