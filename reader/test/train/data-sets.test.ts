import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { removeFolder } from "../../../test/support/folders.ts";
import { dealSites, findPages, pagesOf, readPage } from "../../train/data-sets.ts";

const folder = mkdtempSync(join(tmpdir(), "magpie-data-sets-"));
afterAll(() => removeFolder(folder));

function write(path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

const annotation = (url: string, type: unknown) =>
  JSON.stringify({
    url,
    _internal: { page_type: type },
    ground_truth: { main_content: "Tea is green.", without: ["Log in"] },
  });

beforeAll(() => {
  write("annotated/dev/html/0001.html.gz", gzipSync("<p>Tea is green.<p>Log in"));
  write(
    "annotated/dev/ground-truth/0001.json",
    annotation("https://blog.tea.co.uk/a", { primary: "category" }),
  );
  write("annotated/dev/html/0002.html", "<p>No truth");
  write("annotated/test/html/0003.html", "<p>Held out");
  write("annotated/test/ground-truth/0003.json", annotation("https://tea.test/", "forum"));
  write("approved/test/test-pages/tea-2/source.html", "<p>Tea is green.<p>Log in");
  write("approved/test/test-pages/tea-2/expected.html", "<div><p>Tea is <b>green</b>.</p></div>");
  write(
    "marked/tests/fixtures/a--tea.html",
    '<link rel="canonical" href="https://www.tea.example/x"><p>Tea is <a href="/g">green</a>.',
  );
  write(
    "marked/tests/expected/a--tea.md",
    '```json\n{\n  "title": "Tea"\n}\n```\n\nTea is [green](https://x/g).\n',
  );
});

test("data sets are found below a folder, without what is held out or has no truth", () => {
  expect(findPages(folder).map(({ set, name }) => [set, name])).toEqual([
    ["annotated/dev", "0001"],
    ["approved", "tea-2"],
    ["marked", "a--tea"],
  ]);
  expect(findPages(join(folder, "annotated/dev")).map(({ set, name }) => [set, name])).toEqual([
    ["dev", "0001"],
  ]);
  expect(findPages(join(folder, "annotated/test"))).toEqual([]);
});

test("a page has its content, its kind and its site", () => {
  const [annotated, approved, marked] = [...pagesOf(findPages(folder))].map(({ html, ...page }) => {
    expect(html).toContain("Tea is");
    return page;
  });
  expect(annotated).toEqual({
    ...{ set: "annotated/dev", name: "0001", type: "collection", url: "https://blog.tea.co.uk/a" },
    ...{ site: "tea.co.uk", content: "Tea is green.", without: ["Log in"] },
  });
  expect(approved).toEqual({
    ...{ set: "approved", name: "tea-2", type: "approved", url: "", site: "tea" },
    ...{ content: "Tea is green.", without: [] },
  });
  expect(marked).toEqual({
    ...{ set: "marked", name: "a--tea", type: "marked", url: "https://www.tea.example/x" },
    ...{ site: "tea.example", content: "\nTea is green.\n", without: [] },
  });
});

test.each([
  ["a name", "forum", "forum"],
  ["an object", { primary: "service" }, "service"],
  ["missing", undefined, "article"],
  ["null", null, "article"],
])("a page's type may be %s", (_, written, type) => {
  write("annotated/dev/ground-truth/0001.json", annotation("https://tea.test/", written));
  expect(readPage(findPages(join(folder, "annotated"))[0]!).type).toBe(type);
});

test("sites are dealt whole, each page once, into parts of similar size", () => {
  const pages = [..."aaabbcdefgh"].map((site, at) => ({ site, at }));
  const parts = dealSites(pages, 3);
  expect(parts.flatMap(part => [...part].map(({ at }) => at)).sort((a, b) => a - b)).toEqual([
    ...pages.keys(),
  ]);
  expect(parts.map(({ size }) => size)).toEqual([4, 4, 3]);
  const homes = parts.flatMap(part => [...new Set([...part].map(({ site }) => site))]);
  expect(new Set(homes).size).toBe(homes.length);
  expect(dealSites(pages, 3)).toEqual(parts);
});
