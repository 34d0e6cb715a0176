import { type PageScore, scorePage, scoreTable } from "../../train/measure.ts";

const truth = { name: "a", set: "own", type: "article", content: "", without: [] as string[] };

test.each([
  ["the same words in any order and case", "b A c", "a B, c!", { precision: 1, recall: 1, f1: 1 }],
  ["a word too much", "a b c d", "a b c", { precision: 0.75, recall: 1, f1: 6 / 7 }],
  ["words too few", "a", "a b c d", { precision: 1, recall: 0.25, f1: 0.4 }],
  ["a word as often as it is there", "a a a a", "a a", { precision: 0.5, recall: 1, f1: 2 / 3 }],
  ["nothing in common", "x", "a", { precision: 0, recall: 0, f1: 0 }],
  ["nothing found", "", "a", { precision: 0, recall: 0, f1: 0 }],
  ["nothing to find, and found", "", " ", { precision: 1, recall: 1, f1: 1 }],
  ["nothing to find", "x", "", { precision: 0, recall: 0, f1: 0 }],
  ["words of any script", "слово 言葉 a_1", "Слово! 言葉 a_1", { precision: 1, recall: 1, f1: 1 }],
])("words: %s", (_, text, content, expected) => {
  const { precision, recall, f1 } = scorePage(text, { ...truth, content });
  expect({ precision, recall }).toEqual({ precision: expected.precision, recall: expected.recall });
  expect(f1).toBeCloseTo(expected.f1, 10);
});

test.each([
  ["half of them", "The End. Subscribe NOW", ["subscribe now", "related"], 0.5],
  ["none", "The end", ["subscribe"], 0],
  ["none known", "The end", [], undefined],
])("leak: %s", (_, text, without, leak) => {
  expect(scorePage(text, { ...truth, without }).leak).toBe(leak);
});

test.each([
  ["a tenth of the content is enough", "a", "a b c d e f g h i j", false],
  ["less is not", "a", "a b c d e f g h i j k", true],
  ["where there is no content there is nothing to lose", "a", "", false],
])("wiped: %s", (_, text, content, isWiped) => {
  expect(scorePage(text, { ...truth, content }).isWiped).toBe(isWiped);
});

test("a table has means per data set and type, those with most pages first", () => {
  const score = (set: string, type: string, f1: number, more: Partial<PageScore> = {}): PageScore => ({
    ...{ name: "a", set, type, f1, precision: 0.5, recall: 1, leak: undefined, isWiped: false },
    ...more,
  });
  const scores = [
    score("few", "few", 0.25),
    score("many", "forum", 1, { leak: 0.5 }),
    score("many", "article", 0.5, { isWiped: true }),
    score("many", "article", 0.75, { leak: 0 }),
  ];
  expect(scoreTable(scores)).toBe(
    [
      "           pages     F1  precision  recall   leak   wiped",
      "many           3  0.750      0.500   1.000  0.250  33.3 %",
      "  article      2  0.625      0.500   1.000  0.000  50.0 %",
      "  forum        1  1.000      0.500   1.000  0.500   0.0 %",
      "few            1  0.250      0.500   1.000      -   0.0 %",
      "",
    ].join("\n"),
  );
});
