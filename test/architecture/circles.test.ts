import { circlesIn } from "./circles.ts";
import { imports } from "./product.ts";

const edges = (...pairs: string[]) => pairs.map(([file = "", target = ""]) => ({ file, target }));

test.each([
  ["none in a tree", edges("ab", "ac", "bd", "cd"), []],
  ["two that know each other", edges("ab", "bc", "cb"), ["bc"]],
  ["a longer one, seen from any of its nodes", edges("bc", "ca", "ab", "ad"), ["abc"]],
  ["two that meet are one", edges("ab", "ba", "bc", "cb"), ["abc"]],
  ["two that do not meet", edges("ab", "ba", "bc", "cd", "dc"), ["ab", "cd"]],
  ["one that knows itself", edges("aa"), ["a"]],
])("circles: %s", (_, graph, expected) => {
  expect(
    circlesIn(graph)
      .map(circle => circle.join(""))
      .sort(),
  ).toEqual(expected);
});

/** One circle a line, as `a.ts, b.ts`. */
const circlesOf = (among: typeof imports) => circlesIn(among).map(circle => circle.join(", "));

test("no file needs itself to be loaded", () => {
  expect(circlesOf(imports.filter(({ kind }) => kind === "value" || kind === "dynamic"))).toEqual([]);
});

test("no two files need each other to be understood: types count, too", () => {
  expect(circlesOf(imports.filter(({ kind }) => kind !== "program"))).toEqual([]);
});
