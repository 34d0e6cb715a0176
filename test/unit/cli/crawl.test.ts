import { ProgressLine } from "../../../cli/crawl/follow-crawl.ts";
import { readOptions } from "../../../cli/crawl/options.ts";
import { fileText, pathFor } from "../../../cli/crawl/page-files.ts";
import { noFacts } from "../../../services/domain/extract/read-metadata.ts";

test.each([
  ["https://a.test/", "a.test/index"],
  ["https://a.test:8080/docs/", "a.test_8080/docs/index"],
  ["https://a.test/docs/page.html", "a.test/docs/page"],
  ["https://a.test/%C3%BCber/x%20y", "a.test/über/x_y"],
  ["https://a.test//twice", "a.test/_/twice"],
  ["https://a.test/%2e%2e%2fetc/.hidden", "a.test/__etc/_hidden"],
  ["https://a.test/%ff", "a.test/_ff"],
])("%s is written to %s", (url, path) => expect(pathFor(url)).toBe(path));

test("a query marks the name", () => {
  const [one, two] = ["?a=1", "?a=2"].map(query => pathFor(`https://a.test/p${query}`));
  expect(one).toMatch(/^a\.test\/p-[0-9a-f]{8}$/);
  expect(two).not.toBe(one);
});

test("names are never longer than file systems take", () => {
  for (const name of pathFor(`https://a.test/${"x".repeat(900)}`).split("/"))
    expect(name.length).toBeLessThanOrEqual(100);
});

test("a file begins with what is known of its page", () => {
  const metadata = {
    ...{ ...noFacts, title: 'A "b": c', content_type: "text/html", word_count: 1 },
    ...{ status_code: 200, final_url: "https://a.test/", engine: "http" as const, proxy_location: null },
  };
  expect(fileText({ markdown: "# A", metadata }, "2026-01-02T03:04:05.000Z")).toBe(
    '---\ntitle: "A \\"b\\": c"\nurl: "https://a.test/"\nstatus: 200\ncrawled_at: 2026-01-02T03:04:05.000Z\n---\n\n# A\n',
  );
});

test("options become the body of a request", () => {
  const line =
    "https://a.test/ --limit 5 --depth 2 --include /a/** --include /b/** --no-sitemaps --no-js --out x";
  expect(readOptions(line.split(" "))).toEqual({
    out: "x",
    crawl: {
      url: "https://a.test/",
      crawler: {
        ...{ limit: 5, max_depth: 2, include: ["/a/**", "/b/**"], exclude: [], sitemaps: false },
        ...{ include_entire_domain: false, include_subdomains: false, include_external_links: false },
      },
      js_render: { enabled: false },
      request: { only_main_content: true },
    },
  });
  expect(readOptions(["https://a.test/", "--server", "https://s.test/", "--key", "k"])?.server).toEqual({
    url: "https://s.test",
    key: "k",
  });
  expect(readOptions(["--help"])).toBeNull();
});

test.each([[[]], [["a", "b"]], [["a", "--limit", "x"]], [["a", "--nope"]], [["a", "--server", "s"]]])(
  "%j makes no sense",
  args => expect(() => readOptions(args)).toThrow(),
);

test.each<[boolean, string]>([
  [true, "\r1 found, 0 read, 0 failed, 0 skipped\r2 found, 1 read, 0 failed, 0 skipped\n"],
  [false, "1 found, 0 read, 0 failed, 0 skipped\n2 found, 1 read, 0 failed, 0 skipped\n"],
])("progress on a terminal: %j", (isTTY, expected) => {
  let shown = "";
  const line = new ProgressLine({ isTTY, write: text => (shown += text) });
  const counts = { queued: 0, running: 0, failed: 0, skipped: 0 };
  for (const [discovered, completed] of [
    [1, 0],
    [1, 0],
    [2, 1],
  ] as const)
    line.show({ ...counts, discovered, completed });
  line.end();
  expect(shown).toBe(expected);
});
