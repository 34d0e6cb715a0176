import { fileText, pathFor } from "../../../cli/magpie/page-files.ts";
import { Progress } from "../../../cli/magpie/screen.ts";
import { shareOf, summary } from "../../../cli/magpie/watch-job.ts";
import { noFacts } from "../../../reader/metadata/read-metadata.ts";

test.each([
  ["https://a.test/", "a.test/index"],
  ["https://a.test:8080/docs/", "a.test_8080/docs/index"],
  ["https://a.test/docs/page.html", "a.test/docs/page"],
  ["https://a.test/%C3%BCber/x%20y", "a.test/über/x_y"],
  ["https://a.test//twice", "a.test/_/twice"],
  ["https://a.test/%2e%2e%2fetc/.hidden", "a.test/__etc/_hidden"],
  ["https://a.test/%ff", "a.test/_ff"],
])("the page %s is written to %s", (url, path) => expect(pathFor(url)).toBe(path));

test("a query adds a mark to the name", () => {
  const [one, two] = ["?a=1", "?a=2"].map(query => pathFor(`https://a.test/p${query}`));
  expect(one).toMatch(/^a\.test\/p-[0-9a-f]{8}$/);
  expect(two).not.toBe(one);
});

test("a name is never longer than file systems allow", () => {
  for (const name of pathFor(`https://a.test/${"x".repeat(900)}`).split("/"))
    expect(name.length).toBeLessThanOrEqual(100);
});

test("a file begins with the facts of its page", () => {
  const metadata = {
    ...{ ...noFacts, title: 'A "b": c', content_type: "text/html", word_count: 1 },
    ...{ status_code: 200, final_url: "https://a.test/", engine: "http" as const, proxy_location: null },
  };
  expect(fileText({ markdown: "# A", metadata }, "2026-01-02T03:04:05.000Z")).toBe(
    '---\ntitle: "A \\"b\\": c"\nurl: "https://a.test/"\nstatus: 200\ncrawled_at: 2026-01-02T03:04:05.000Z\n---\n\n# A\n',
  );
});

const counts = { queued: 0, running: 0, failed: 0, skipped: 0 };

test.each<[boolean, string]>([
  [true, `\r[${" ".repeat(30)}] none\r[${"=".repeat(15)}${" ".repeat(15)}] half\n`],
  [false, "none\nhalf\n"],
])(
  "progress is rewritten in place on a terminal and is lines elsewhere (terminal: %j)",
  (isTTY, expected) => {
    let shown = "";
    const progress = new Progress({ isTTY, write: text => (shown += text) });
    for (const [text, share] of [
      ["none", 0],
      ["none", 0],
      ["half", 0.5],
    ] as const)
      progress.show(text, share);
    progress.end();
    expect(shown).toBe(expected);
  },
);

test("a shorter line covers all of a longer one", () => {
  let shown = "";
  const progress = new Progress({ isTTY: true, write: text => (shown += text) });
  progress.show("longer");
  progress.show("short");
  progress.clear();
  expect(shown).toBe(`\rlonger\rshort \r${" ".repeat(5)}\r`);
});

test.each([
  ["nothing before a page is found", { ...counts, discovered: 0, completed: 0 }, 0],
  ["a part of what is found", { ...counts, discovered: 8, completed: 3, failed: 1 }, 0.5],
  ["no further than the limit", { ...counts, discovered: 5000, completed: 5 }, 0.5],
  ["everything", { ...counts, discovered: 3, completed: 2, skipped: 1 }, 1],
])("the share of a job counts %s", (_, progress, share) => expect(shareOf(progress, 10)).toBe(share));

test("a job ends with a line that says why", () => {
  const progress = { ...counts, discovered: 2, completed: 1, failed: 1 };
  const end = { status: "failed" as const, data: [], next_cursor: null, progress };
  expect(summary({ ...end, error: { code: "upstream_error", message: "No." } }, 1250)).toBe(
    "failed (upstream_error: No.) after 1.3 s: 2 found, 1 read, 1 failed, 0 skipped.",
  );
});
