import { SiteLevel } from "../../../../services/domain/site/site-tree.ts";

function level(prefix: string, pages: [key: string, state?: string, changedAt?: number][]) {
  const made = new SiteLevel(prefix);
  for (const [key, state = "there", changedAt] of pages)
    made.add({ key, state, ...(changedAt !== undefined && { changedAt }) });
  return made.branches.map(({ name, prefix: below, pages: count, gone, changedAt, page }) => [
    name,
    below,
    count,
    gone,
    changedAt ?? null,
    page?.key ?? null,
  ]);
}

test("the first level are the hosts", () => {
  expect(level("", [["example.com/"], ["example.com/a"], ["docs.example.com/b", "new"]])).toEqual([
    ["example.com", "example.com/", 2, 0, null, "example.com/"],
    ["docs.example.com", "docs.example.com/", 1, 0, null, null],
  ]);
});

test("a directory has its own page, what is below it, and the newest change", () => {
  const pages: Parameters<typeof level>[1] = [
    ["example.com/docs"],
    ["example.com/docs-old", "removed", 5],
    ["example.com/docs/a", "there", 7],
    ["example.com/docs/a/b", "moved", 3],
    ["example.com/docs?page=/2", "missing"],
  ];
  expect(level("example.com/", pages)).toEqual([
    ["docs", "example.com/docs/", 2, 1, 7, "example.com/docs"],
    ["docs-old", "example.com/docs-old/", 0, 1, 5, "example.com/docs-old"],
    ["docs?page=/2", "example.com/docs?page=/2/", 1, 0, null, "example.com/docs?page=/2"],
  ]);
});

test("the page of the level itself is in the level above", () => {
  expect(level("example.com/", [["example.com/"], ["example.com/a"]])).toEqual([
    ["a", "example.com/a/", 1, 0, null, "example.com/a"],
  ]);
});
