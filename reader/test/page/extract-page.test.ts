import { sizeOf } from "../../../test/support/long-run.ts";
import { type ExtractOptions, extractPage, extractText } from "../../page/extract-page.ts";
import { fixturePages } from "../fixtures/extract/pages.ts";

const url = "https://site.example/dir/page?q=1";
const all = ["html", "markdown", "links", "summary"] as const;

function extract(html: string, options: Partial<ExtractOptions> = {}) {
  return extractPage({ html, url }, { formats: all, onlyMainContent: false, ...options });
}

describe("formats", () => {
  test("are those that were asked for", () => {
    const page = { html: "<p>a</p>", url };
    const keys = (formats: ExtractOptions["formats"]) =>
      all.filter(format => extractPage(page, { formats, onlyMainContent: true })[format] !== undefined);
    expect(keys([])).toEqual([]);
    for (const format of all) expect(keys([format])).toEqual([format]);
    expect(keys(all)).toEqual(all);
  });
});

describe("HTML", () => {
  test.each([
    ["scripts", "<p>a</p><script>x</script><style>y</style><!-- c -->", "<p>a</p>"],
    ["handlers", '<p onclick="x()" style="color:red" ONMOUSEOVER=x>a</p>', "<p>a</p>"],
    ["script links", '<a href="jAvAsCript:x">a</a><a href="&#106;avascript:x">b</a>', "ab"],
    [
      "script links in ruby, headings of buttons and captions",
      '<ruby>a<rt><a href="javascript:x">b</a></rt></ruby><h2><button><a href="javascript:x">c</a></button></h2><table><caption><a href="javascript:x">d</a></caption><tr><th>e</table>',
      "<ruby>a<rp>(</rp><rt>b</rt><rp>)</rp></ruby><h2> c </h2><div>d</div><table><tr><th>e</th></tr></table>",
    ],
    [
      "frames",
      '<iframe srcdoc="<script>x</script>"></iframe><object data="javascript:x"></object><embed src="data:text/html,x">',
      "",
    ],
    [
      "objects",
      '<object data="x" onload="x"></object>',
      '<p class="magpie-player"><a href="https://site.example/dir/x">Object</a></p>',
    ],
    [
      "forms",
      '<form action="/x"><input name=a><button>b</button><p>c</p></form>',
      "<section><p>c</p></section>",
    ],
    [
      "drawings",
      "<svg><a xlink:href='javascript:x'><text>t</text></a></svg><math><mtext>a</mtext></math>",
      "$\\text{a}$",
    ],
    [
      "pixels",
      '<img src="/p.gif" width=1 height=1><img src="/i.png" onerror=x srcset="/j.png 2x">',
      '<img src="https://site.example/i.png">',
    ],
    ["text", "<p>a &lt;b&gt; &amp;amp; \u00a0</p>", "<p>a &lt;b&gt; &amp;amp; &nbsp;</p>"],
    [
      "attributes",
      '<a href="/x" title=\'"&gt;&lt;script&gt;\'>a</a>',
      '<a href="https://site.example/x" title="&quot;&gt;&lt;script&gt;">a</a>',
    ],
    ["broken tags", '<p title="a" <b>x', '<p title="a">x</p>'],
    ["addresses", '<a href="x">a</a>', '<a href="https://site.example/dir/x">a</a>'],
  ])("is safe to insert: %s", (_, html, wanted) => {
    expect(extract(html).html).toBe(wanted);
  });
});

describe("links", () => {
  test("are absolute, distinct, in order, of the whole page", () => {
    const html =
      '<nav><a href="/b">1</a></nav><main><a href="a">2</a><a href="/b">3</a><a href="#top">4</a>' +
      '<a href="?q=1#x">5</a><a href="mailto:a@b.example">6</a><a href="javascript:x">7</a>' +
      '<a href="//cdn.example/c">8</a><a href="HTTP://Up.example">9</a><a href="http://[">10</a></main>';
    expect(extract(html, { onlyMainContent: true }).links).toEqual([
      "https://site.example/b",
      "https://site.example/dir/a",
      "https://cdn.example/c",
      "http://up.example/",
    ]);
  });

  test("respect the base", () => {
    const html =
      '<base href="https://other.example/x/"><a href="a">1</a><a href="/b/../c">2</a><a href="/d/.">3</a>';
    expect(extract(html).links).toEqual([
      "https://other.example/x/a",
      "https://other.example/c",
      "https://other.example/d/",
    ]);
  });
});

describe("facts", () => {
  test("come from the head", () => {
    const html =
      '<html lang="de_AT"><head><title> A &amp; B\n </title><meta name="Description" content=" d "><link rel="canonical" href="/c">' +
      '<meta property="og:image" content="/i.png"><meta property="og:image" content="/j.png"><meta property="og:locale" content="fr_FR"></head>';
    const { title, description, language, canonical_url, og } = extract(html);
    expect({ title, description, language, canonical_url, og }).toEqual({
      title: "A & B",
      description: "d",
      language: "de-AT",
      canonical_url: "https://site.example/c",
      og: { image: "/i.png", locale: "fr_FR" },
    });
  });

  test.each([
    ["OpenGraph first", '<title>a</title><meta property="og:title" content="b">', "b"],
    ["then the title", "<title>a</title><h1>c</h1>", "a"],
    ["then the heading", "<h1> c  d</h1>", "c d"],
    ["none", "<p>x</p>", ""],
  ])("title: %s", (_, html, wanted) => {
    expect(extract(html).title).toBe(wanted);
  });

  test.each([
    ['<meta http-equiv="content-language" content="en, de">', "en"],
    ['<meta property="og:locale" content="pt_BR">', "pt-BR"],
    ['<html lang="<b>">', null],
    ["", null],
  ])("language of %s", (html, wanted) => {
    expect(extract(html).language).toBe(wanted);
  });
});

describe("summary", () => {
  test.each(fixturePages)("$name: at most three sentences, verbatim, in order", ({ html, url: pageUrl }) => {
    const source = { html, url: pageUrl };
    const { summary = "", language } = extractPage(source, { formats: ["summary"], onlyMainContent: true });
    const text = extractText(source, true).replace(/\s+/g, " ");
    const sentences = Array.from(
      new Intl.Segmenter(language ?? "en", { granularity: "sentence" }).segment(summary),
      ({ segment }) => segment.trim(),
    );
    expect(summary).not.toBe("");
    expect(sentences.length).toBeLessThanOrEqual(3);
    const places = sentences.map(sentence => text.indexOf(sentence));
    expect(places.every(place => place >= 0)).toBe(true);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  const lighthouse = [
    "The lighthouse on the northern cliff was built of granite in four years.",
    "Its keeper lit the lamp of the lighthouse every evening before sunset.",
    "Sailors on the cliff road said that the lamp could be seen for thirty miles.",
    "In winter the keeper carried oil up the granite stairs of the lighthouse.",
    "A second lamp on the cliff was lit when fog hid the lighthouse.",
    "The keeper wrote down the hour at which the lamp was lit and put out.",
  ];

  test("speaks of what the text speaks of", () => {
    const html = `<p>${[...lighthouse.slice(0, 3), "My cousin prefers unsalted butter with radishes.", ...lighthouse.slice(3)].join(" ")}</p>`;
    expect(extract(html).summary).toContain("lighthouse");
    expect(extract(html).summary).not.toContain("butter");
  });

  test("a sentence is worth its length: the lead alone, where it says all", () => {
    const [lead = "", ...rest] = lighthouse;
    const html = `<title>The lighthouse on the cliff</title><h1>The lighthouse on the cliff</h1><p>${lead}</p><p>${rest.join(" ")}</p>`;
    expect(extract(html).summary).toContain(lead);
    expect(extract(html).summary).not.toContain("The lighthouse on the cliff\n");
  });

  test.each([
    [
      "captions",
      "<figure><img src=a.png><figcaption>The lighthouse on the cliff seen from a passing boat.</figcaption></figure>",
    ],
    [
      "bylines",
      "<address>By Ann Lee, who has written about the lighthouse on the cliff for years.</address>",
    ],
    ["photo credits", "<p>Photo by Ann Lee, who has photographed the lighthouse on the cliff.</p>"],
    ["teasers", "<p><a href=/a>Read how the lighthouse on the cliff was painted last summer.</a></p>"],
    ["cookie texts", "<p>We use cookies to show you the lighthouse on the cliff.</p>"],
    ["comment rules", "<p>Comments are moderated by the keeper of the lighthouse on the cliff.</p>"],
    [
      "tables",
      "<table><tr><th>Lighthouse<th>Cliff<tr><td>The lighthouse on the cliff was built of granite.<td>It is high.</table>",
    ],
  ])("leaves out %s", (_, other) => {
    const html = `<title>The lighthouse on the cliff</title>${other}<p>${lighthouse.join(" ")}</p>`;
    const { summary = "" } = extractPage({ html, url }, { formats: ["summary"], onlyMainContent: false });
    expect(lighthouse.some(sentence => summary.includes(sentence))).toBe(true);
    expect(lighthouse.reduce((left, sentence) => left.replace(sentence, ""), summary).trim()).toBe("");
  });

  test.each([
    ["nothing", "", ""],
    ["a title alone", "<title>Lights</title><h1>Lights</h1>", "Lights"],
    [
      "a table alone",
      "<table><tr><th>Lamp<th>Lit<tr><td>It was lit at the cliff.<td>1</table>",
      "It was lit at the cliff.",
    ],
    [
      "no finished sentence",
      "<p>The lamp of the lighthouse on the cliff",
      "The lamp of the lighthouse on the cliff",
    ],
  ])("of %s", (_, html, expected) => {
    expect(extractPage({ html, url }, { formats: ["summary"], onlyMainContent: false }).summary).toBe(
      expected,
    );
  });

  test("knows other scripts", () => {
    const html = `<html lang="ja"><p>${"灯台は海の近くにあります。船は毎晩その光を見ます。港の人々は灯台を大切にしています。".repeat(1)}猫が好きです。風が強い日もあります。波は高いです。</p>`;
    expect(extract(html).summary).toContain("灯台は海の近くにあります。");
  });
});

describe("any input", () => {
  const many = sizeOf(25_000, 100_000);
  test.each([
    ["nothing", ""],
    ["text", "plain \u0000 text"],
    ["deep", "<div>".repeat(many)],
    ["deep and closed", `${"<div>".repeat(many)}x${"</div>".repeat(many)}`],
    ["deep quotes", `${"<blockquote>".repeat(many)}x`],
    ["deep lists", `${"<ul><li>".repeat(many)}x`],
    ["deep tables", `${"<table><tr><td>".repeat(many / 10)}x`],
    ["deep emphasis", `${"<em>".repeat(many)}x`],
    ["misnested", `${`${"<b>".repeat(150)}<div>${"</b>".repeat(150)}`.repeat(300)}x`],
    ["links in links", `${'<a href="/x">'.repeat(many / 10)}x`],
    ["many cells in a row", `<table><tr>${"<td>x".repeat(many / 5)}</table>`],
    ["huge spans", `<table>${'<tr><td colspan="9999" rowspan="99999">x'.repeat(500)}</table>`],
    ["end tags", "</div></p></table></b>".repeat(many / 10)],
    ["pointed brackets", "<".repeat(many)],
    ["open attribute", `<a href="${"x".repeat(many)}`],
    ["open comment", `<p>a<!--${"-".repeat(many)}`],
    ["open script", `<p>a<script>${"x".repeat(many)}`],
    ["markup marks", `<p>${"*_[]`~\\<&".repeat(many / 10)}</p>`],
    ["lists without items", "<ul></ul>".repeat(many / 10)],
    ["formulas", "<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math>".repeat(many / 10)],
    ["a formula without end", `<math>${"<mi>x</mi>".repeat(many / 10)}`],
    ["deep formulas", "<math><msup><mi>x</mi>".repeat(many / 10)],
    [
      "formulas of text",
      `<math>${`<mtext>${"\\".repeat(190)}</mtext>`.repeat(900)}</math>`.repeat(sizeOf(1, 5)),
    ],
    ["deep marks of formulas", `${'<span class="katex">'.repeat(many / 10)}x`],
    [
      "a formula in an attribute, deep",
      `${'<span class="MathJax">'.repeat(190)}<i data-mathml="${"&lt;b&gt;".repeat(many)}">`,
    ],
    ["a script of TeX without end", `<script type="math/tex">${"x^2 ".repeat(many / 10)}`],
    [
      "notes that refer to each other",
      '<p id="a">x<sup><a href="#b">1</a></sup></p><p id="b">y<sup><a href="#a">2</a></sup></p>'.repeat(
        many / 100,
      ),
    ],
    [
      "notes in notes",
      Array.from(
        { length: 190 },
        (_, at) => `<sup><a href="#n${at}" id="r${at}">1</a></sup><div id="n${at}"><a href="#r${at}">^</a>`,
      ).join("") + "<p>x</p>".repeat(many / 10),
    ],
    ["bad fragments", '<a href="#%E0%A4%A">1</a><sup><a href="#%">1</a></sup>'.repeat(many / 100)],
    ["deep shadow trees", '<x-a><template shadowrootmode="open"><slot></slot>'.repeat(many / 10)],
    ["deep panels", '<div hidden role="tabpanel">'.repeat(many / 10)],
    ["deep titles of panels", '<button aria-expanded="false" class="faq">Q?'.repeat(many / 10)],
    ["deep emphasis around blocks", `${"<b><i><s><em>".repeat(many / 100)}${"<p>x</p>".repeat(many / 10)}`],
    ["lists in a list", `<ul><li>a</li>${"<ul><li>b</li></ul>".repeat(many / 10)}</ul>`],
    [
      "deep tables of line numbers",
      '<table><tr><td class="linenos">1</td><td class="code">'.repeat(many / 100),
    ],
    ["sources without end", `<picture>${'<source srcset="data:x">'.repeat(many / 10)}`],
    ["bad entities", "&#x110000;&#0;&#xD800;&bogus;&amp"],
    ["bad addresses", '<base href="http://["><a href="http://[">x</a><img src="//">'],
    [
      "XHTML",
      '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><p/><div>x</div></body></html>',
    ],
    ["a feed", "<rss><channel><title>t</title><item><link>http://a.example</link></item></channel></rss>"],
    ["binary", String.fromCharCode(...Array.from({ length: 3000 }, (_, at) => (at * 7919) % 65_536))],
    [
      "names of built-ins",
      '<constructor __proto__="x"><toString>a</toString></constructor><meta property="og:__proto__" content="x">',
    ],
  ])("does not throw: %s", (_, html) => {
    for (const onlyMainContent of [true, false]) {
      const { markdown = "", html: clean = "" } = extract(html, { onlyMainContent });
      expect(markdown.length).toBeLessThan(40 * html.length + 100);
      expect(clean).not.toMatch(/<script/i);
    }
  });

  test("bad addresses of the page itself", () => {
    expect(
      extractPage({ html: '<a href="x">a</a>', url: "::" }, { formats: all, onlyMainContent: true }).links,
    ).toEqual([]);
  });
});
