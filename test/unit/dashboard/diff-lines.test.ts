import {
  type DiffLine,
  folded,
  linesOfLists,
  linesOfUnified,
  partsBetween,
} from "../../../dashboard/source/diff-lines.ts";

/** A line as a reader sees it: `[-gone-]` and `{+new+}`. */
function shown({ kind, parts }: DiffLine): string {
  const text = parts.map(part =>
    kind !== "changed" || part.kind === "same"
      ? part.text
      : part.kind === "added"
        ? `{+${part.text}+}`
        : `[-${part.text}-]`,
  );
  return `${{ same: " ", added: "+", removed: "-", changed: "~", moved: "^", gap: "…" }[kind]}${text.join("")}`;
}

test("a unified diff becomes lines, and a replaced line the words that differ", () => {
  const diff =
    "@@ -1,4 +1,4 @@\n Plans\n-Basic: 10.50 a month\n+Basic: 12.50 a month\n Pro: 30 a month\n+New: Team\n";
  expect(linesOfUnified(diff).map(shown)).toEqual([
    " Plans",
    "~Basic: [-10.50-]{+12.50+} a month",
    " Pro: 30 a month",
    "+New: Team",
  ]);
});

test("lines that share no word are one removed and one added line", () => {
  expect(linesOfUnified("@@ -1 +1 @@\n-Sold out\n+Add to cart\n").map(shown)).toEqual([
    "-Sold out",
    "+Add to cart",
  ]);
  expect(linesOfLists(["a"], ["b", "c"]).map(shown)).toEqual(["-b", "-c", "+a"]);
});

test("lines that begin with a sign stay what they are", () => {
  expect(linesOfUnified("@@ -1,2 +1,2 @@\n--- Monday\n+-- Sunday\n \n").map(shown)).toEqual([
    "--- Monday",
    "+-- Sunday",
    " ",
  ]);
});

test("the parts of two texts give both texts back", () => {
  const texts = [
    "",
    "a",
    "The ferry leaves at 7:30 from pier 2",
    "The ferry leaves at 8:15 from pier 12, daily",
    "日本 語",
  ];
  for (const before of texts)
    for (const after of texts) {
      const parts = partsBetween(before, after);
      const without = (kind: string) =>
        parts
          .filter(part => part.kind !== kind)
          .map(part => part.text)
          .join("");
      expect([without("added"), without("removed")]).toEqual([before, after]);
    }
});

test("very long lines are replaced as a whole", () => {
  const long = Array.from({ length: 500 }, (_, at) => `w${at}`).join(" ");
  expect(partsBetween(long, `${long} x`).map(({ kind }) => kind)).toEqual(["removed", "added"]);
});

test("unchanged lines away from changes are folded, and none is lost", () => {
  const same = (at: number): DiffLine => ({ kind: "same", parts: [{ kind: "same", text: `${at}` }] });
  const added: DiffLine = { kind: "added", parts: [{ kind: "added", text: "new" }] };
  const lines = [...Array.from({ length: 20 }, (_, at) => same(at)), added, same(20), same(21)];
  const found = folded(lines);
  expect(found.map(each => (each.kind === "fold" ? each.lines.length : each.line.kind))).toEqual([
    17,
    "same",
    "same",
    "same",
    "added",
    "same",
    "same",
  ]);
  expect(found.flatMap(each => (each.kind === "fold" ? each.lines : [each.line]))).toEqual(lines);
  expect(folded([added, same(1), same(2)])).toHaveLength(3);
});
