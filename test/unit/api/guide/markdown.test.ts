import { drawingName, renderPage } from "../../../../services/api/guide/markdown.ts";
import type { Page } from "../../../../services/api/guide/pages.ts";

const other: Page = { slug: "webhooks", path: "docs/guides/webhooks.md", title: "Webhooks", markdown: "" };
const index: Page = { slug: "", path: "docs/README.md", title: "Documentation", markdown: "" };
const drawn = "flowchart LR\n  a --> b";
const sources = {
  byPath: new Map([other, index].map(page => [page.path, page])),
  drawings: new Map([[drawingName(drawn), "<svg>drawn</svg>"]]),
  images: new Map([["docs/images/sky.png", Buffer.from("")]]),
};

function rendered(markdown: string) {
  return renderPage({ slug: "page", path: "docs/guides/page.md", title: "Page", markdown }, sources);
}

test.each([
  ["a page", "[w](webhooks.md)", '<a href="/guide/webhooks">w</a>'],
  ["a place on a page", "[w](webhooks.md#retries)", '<a href="/guide/webhooks#retries">w</a>'],
  ["a page by another way", "[w](../guides/webhooks.md)", '<a href="/guide/webhooks">w</a>'],
  ["the index", "[w](../README.md#guides)", '<a href="/guide#guides">w</a>'],
  ["a place on this page", "[w](#here)", '<a href="#here">w</a>'],
  ["elsewhere", "[w](https://x.test/?a&b)", '<a href="https://x.test/?a&amp;b" rel="noreferrer">w</a>'],
  [
    "a file of the repository",
    "[code](../../services/api/api.service.ts)",
    "code (<code>services/api/api.service.ts</code>)",
  ],
  ["a file that its text names", "[`LICENSE`](../../LICENSE)", "<code>LICENSE</code>"],
  ["a script", "[w](javascript:alert(1))", "w (<code>docs/guides/javascript:alert(1)</code>)"],
  ["a page that does not exist", "[w](nowhere.md)", "w (<code>docs/guides/nowhere.md</code>)"],
])("a link to %s", (_, markdown, html) => expect(rendered(markdown).html).toBe(`<p>${html}</p>\n`));

test.each([
  ["<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"],
  ["a <img src=x onerror=alert(1)> b", "&lt;img src=x onerror=alert(1)&gt;"],
  ["`<b>`", "<code>&lt;b&gt;</code>"],
  ["```html\n<script>x</script>\n```", "&lt;script&gt;x&lt;/script&gt;"],
  ["| a |\n|---|\n| <b>x</b> |", "&lt;b&gt;x&lt;/b&gt;"],
  ['[w](https://x.test/"onclick=alert(1))', 'href="https://x.test/&quot;onclick=alert(1)"'],
])("HTML in Markdown is text: %s", (markdown, html) => {
  const { html: shown } = rendered(markdown);
  expect(shown).toContain(html);
  expect(shown).not.toMatch(/<(script|img|b)\b|<[^>]*\son\w+=/);
});

test("a comment is left out", () => {
  expect(rendered("a\n\n<!-- for writers -->\n\nb").html).toBe("<p>a</p>\n<p>b</p>\n");
});

test.each([
  ["## What it can do", "what-it-can-do"],
  ["## `GET /web/scrape`: one page", "get-webscrape-one-page"],
  ["## How many nodes? It depends.", "how-many-nodes-it-depends"],
  ["## [Webhooks](webhooks.md) & streams", "webhooks--streams"],
  ["## snake_case stays", "snake_case-stays"],
])("%s has the id that GitHub gives it", (markdown, id) => {
  const { html, headings } = rendered(markdown);
  expect(headings).toMatchObject([{ depth: 2, id }]);
  expect(html).toContain(`<h2 id="${id}">`);
  expect(html).toContain(`<a class="anchor" href="#${id}"`);
});

test("two headings of one text have two ids", () => {
  expect(rendered("## Same\n\n## Same").headings.map(({ id }) => id)).toEqual(["same", "same-1"]);
});

test("code, tables, drawings and pictures", () => {
  expect(rendered("```sh runnable\nls\n```").html).toBe(
    '<div class="code" data-language="sh"><pre tabindex="0"><code>ls\n</code></pre></div>\n',
  );
  expect(rendered("| a | b |\n|---|---|\n| 1 | 2 |").html).toMatch(
    /^<div class="table" tabindex="0" role="region" aria-label="Table: a, b"><table>.*<td>1<\/td><td>2<\/td>/s,
  );
  expect(rendered(`\`\`\`mermaid\n${drawn}\n\`\`\``).html).toContain("<svg>drawn</svg>");
  expect(rendered("```mermaid\nflowchart LR\n  c --> d\n```").html).toContain("<pre");
  expect(rendered("![the sky](../images/sky.png)").html).toContain(
    '<img src="/assets/sky.png" alt="the sky"',
  );
  expect(rendered("![the sky](../images/none.png)").html).toBe("<p>the sky</p>\n");
});

test("passages hold the words below each heading", () => {
  const { passages } = rendered(
    "# T\n\nOne *two* [three](webhooks.md).\n\n- a\n- b\n\n## S\n\n| h |\n|---|\n| `c` |\n",
  );
  expect(passages.map(({ heading, text }) => [heading.text, text])).toEqual([
    ["T", "One two three. a b"],
    ["S", "h. c."],
  ]);
});
