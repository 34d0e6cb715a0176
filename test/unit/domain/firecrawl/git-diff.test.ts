import { gitDiff } from "../../../../services/domain/firecrawl/git-diff.ts";

const unified = `--- a
+++ b
@@ -1,3 +1,4 @@
 # Lamp
-It costs 30 euros.
+It costs 25 euros.
+It is brass.
 The end.
@@ -9 +10 @@
-old
+new`;

test("a unified diff by its parts, with the names that clients know", () => {
  const { text, json } = gitDiff(unified);
  expect(text.split("\n").slice(0, 3)).toEqual(["--- previous", "+++ current", "@@ -1,3 +1,4 @@"]);
  expect(json.files).toMatchObject([{ from: "previous", to: "current", additions: 3, deletions: 2 }]);
  const [first, second] = json.files[0]?.chunks ?? [];
  expect(first).toMatchObject({
    content: "@@ -1,3 +1,4 @@",
    oldStart: 1,
    oldLines: 3,
    newStart: 1,
    newLines: 4,
  });
  expect(first?.changes).toEqual([
    { type: "normal", normal: true, ln1: 1, ln2: 1, content: " # Lamp" },
    { type: "del", del: true, ln: 2, content: "-It costs 30 euros." },
    { type: "add", add: true, ln: 2, content: "+It costs 25 euros." },
    { type: "add", add: true, ln: 3, content: "+It is brass." },
    { type: "normal", normal: true, ln1: 3, ln2: 4, content: " The end." },
  ]);
  expect(second?.changes.map(({ type }) => type)).toEqual(["del", "add"]);
});

test("one without names of files, and one without anything", () => {
  expect(gitDiff("@@ -1 +1 @@\n-a\n+b").text).toBe("--- previous\n+++ current\n@@ -1 +1 @@\n-a\n+b");
  expect(gitDiff("").json.files[0]?.chunks).toEqual([]);
});
