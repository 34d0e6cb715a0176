import { readdirSync, readFileSync } from "node:fs";
import { parseHtml } from "../../../../../reader/html/parse-html.ts";
import { pages as constructs } from "../../../../../reader/test/fixtures/extract/constructs/pages.ts";
import { fixturePages } from "../../../../../reader/test/fixtures/extract/pages.ts";
import { readLines } from "../../../../../services/domain/watch/eye/read-lines.ts";
import {
  boundedPage,
  reduceDocument,
  reduceText,
} from "../../../../../services/domain/watch/eye/reduce-page.ts";
import { takeSnapshot } from "../../../../../services/domain/watch/snapshot.ts";
import { changes } from "../../../../fixtures/watching/changes.ts";
import { noises } from "../../../../fixtures/watching/noise.ts";
import { reduced, url } from "./watch-versions.ts";

const folder = new URL("../../../../../reader/test/fixtures/recipe/", import.meta.url);
const files = readdirSync(folder).filter(name => name.endsWith(".html"));
const pages = [
  ...fixturePages.map(({ name, html }) => ({ name, html })),
  ...constructs.map(({ name, html }) => ({ name, html })),
  ...files.map(name => ({ name, html: readFileSync(new URL(name, folder), "utf8") })),
  ...changes.map(({ name, after }) => ({ name, html: after })),
  ...noises.map(({ name, at }) => ({ name, html: at(1) })),
];
const linesOf = (html: string) => readLines(parseHtml(html, { withDrawings: true }), url);

test("of a page and of what is kept of it the same lines are read, and reducing twice changes nothing", () => {
  const other = pages.filter(({ html }) => {
    const kept = reduced(html);
    return JSON.stringify(linesOf(kept)) !== JSON.stringify(linesOf(html)) || reduced(kept) !== kept;
  });
  expect(other.map(({ name }) => name)).toEqual([]);
});

test("what nobody sees or selects by is left out", () => {
  const kept =
    reduced(`<!doctype html><html lang="en"><head><title>T</title><meta name="csrf-token" content="s3cret"><meta name="description" content="About">
<link rel="stylesheet" href="/a.css"><link rel="canonical" href="/t"><style>p{}</style><script>var a = "s3cret"</script><script type="application/ld+json">{"@type":"Product"}</script></head>
<body onload="s3cret()"><!-- s3cret --><input type="hidden" name="t" value="s3cret"><img src="/p.gif?s3cret" width="1" height="1"><div class="ad-banner">s3cret</div>
<p id="a" class="b" style="color: red; display: none" data-nonce="s3cret" data-price="12" aria-label="c" itemprop="d">x &lt; y</p><p>Some words more than those that are hidden</p><img src="data:image/gif;base64,s3cret" alt="e"></body></html>`);
  expect(kept).not.toContain("s3cret");
  expect(kept).not.toContain("color");
  expect(kept).toContain(
    '<p id="a" class="b" style="display: none" data-price="12" aria-label="c" itemprop="d">x &lt; y</p>',
  );
  expect(kept).toContain('<script type="application/ld+json">{"@type":"Product"}</script>');
  expect(kept).toContain('<meta name="description" content="About">');
  expect(kept).toContain('<link rel="canonical" href="/t">');
});

test("a text and a document are pages of nothing but content", () => {
  const see = (html: string) => takeSnapshot({ html, url, title: "" }, {});
  const text = see(reduceText("a | b\n\n<c> & d", "T"));
  expect(text).toMatchObject({
    ok: true,
    lines: [
      { text: "a | b", place: "line 1", area: "main" },
      { text: "<c> & d", place: "line 3" },
    ],
  });
  const document = see(
    reduceDocument(
      parseHtml("<html><head><title>T</title></head><body><nav><p>All of it</p></nav></body></html>"),
    ),
  );
  expect(document).toMatchObject({
    ok: true,
    text: "# T\nAll of it",
    lines: [{ area: "main" }, { area: "main" }],
  });
});

test("what is kept of a page has a bound, in whole tags", () => {
  const long = reduced(`<main>${"<p class='w'>Word</p>".repeat(40_000)}</main>`);
  const kept = boundedPage(long);
  expect(kept.length).toBeLessThanOrEqual(512 * 1024);
  expect(kept.lastIndexOf("<")).toBeLessThan(kept.lastIndexOf(">") + 5);
  expect(boundedPage("<p>x</p>")).toBe("<p>x</p>");
});
