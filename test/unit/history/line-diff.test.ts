import { htmlDiff, unifiedDiff } from "../../../services/history/forms/diff-forms.ts";
import { diffLines, diffWords } from "../../../services/history/forms/line-diff.ts";

const version = (at: string, lines: string[]) => ({ at, title: "Lamp", lines });

test("lines that are new, gone and changed, with the words that changed", () => {
  const { added, removed, moved, lines } = diffLines(
    ["# Lamp", "Price: € 49.90", "In stock", "Ships on Monday"],
    ["# Lamp", "Price: € 39.90", "Ships on Monday", "Gift wrap"],
  );
  expect({ added, removed, moved }).toEqual({
    added: ["Price: € 39.90", "Gift wrap"],
    removed: ["Price: € 49.90", "In stock"],
    moved: [],
  });
  expect(lines.map(({ kind }) => kind)).toEqual(["same", "changed", "removed", "same", "added"]);
  expect(lines[1]?.parts).toEqual([
    { kind: "same", text: "Price: € " },
    { kind: "removed", text: "49.90" },
    { kind: "added", text: "39.90" },
  ]);
});

test("a line that moved is shown at its new place, with the words for it", () => {
  const { added, removed, moved, lines } = diffLines(["Alpha", "Beta", "Gamma"], ["Gamma", "Alpha", "Beta"]);
  expect({ added, removed }).toEqual({ added: [], removed: [] });
  expect(moved).toEqual(["Gamma: moved from line 3 to line 1"]);
  expect(lines.map(({ kind, parts }) => [kind, parts[0]?.text])).toEqual([
    ["moved", "Gamma"],
    ["same", "Alpha"],
    ["same", "Beta"],
  ]);
});

test("of two equal lines that lose one, one is removed", () => {
  expect(diffLines(["a", "x", "a"], ["x", "a"])).toMatchObject({ added: [], removed: ["a"], moved: [] });
});

test("three lines of context; what lies between is a gap", () => {
  const before = Array.from({ length: 20 }, (_, n) => `line ${n}`);
  const { lines } = diffLines(before, before.with(10, "other words altogether"));
  expect(lines.map(({ kind, skipped }) => (kind === "gap" ? skipped : kind))).toEqual([
    7,
    ...["same", "same", "same", "added", "removed", "same", "same", "same"],
    6,
  ]);
});

test("words are found where a script writes no blanks", () => {
  const parts = diffWords("東京の天気は晴れです", "東京の天気は雨です");
  expect(parts.filter(({ kind }) => kind !== "same").map(({ text }) => text)).toEqual(["晴れ", "雨"]);
});

test("versions that differ too much are shown one after the other", () => {
  const lines = (from: number) => Array.from({ length: 3000 }, (_, n) => `${from + n}`);
  const compared = diffLines(lines(0), lines(100_000));
  expect(compared.isRough).toBe(true);
  expect([compared.added.length, compared.removed.length]).toEqual([3000, 3000]);
  expect(unifiedDiff(version("then", lines(0)), version("now", lines(100_000)))).toContain("\n-0\n");
});

test("a unified diff names the times", () => {
  const patch = unifiedDiff(version("2025-03-01", ["a", "b"]), version("2025-03-02", ["a", "c"]));
  expect(patch).toBe("--- 2025-03-01\n+++ 2025-03-02\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
});

test("as HTML, what the page says stays text", () => {
  const evil = `<script>alert("x")</script> & 'more'`;
  const [before, after] = [version("2025-03-01", ["a"]), { ...version("2025-03-02", [evil]), title: evil }];
  const html = htmlDiff(before, after, diffLines(before.lines, after.lines));
  expect(html).not.toMatch(/<script|"x"/);
  expect(html).toContain("<ins>&lt;script&gt;");
  expect(html).toContain("<del>a</del>");
});
