import { maxDepth } from "../../html/open-elements.ts";
import { parseHtml } from "../../html/parse-html.ts";
import { type ElementNode, isText } from "../../html/tree.ts";

/** A tree as text: `p(a b(c))`. */
function outline(element: ElementNode): string {
  return element.childNodes
    .map(node => (isText(node) ? node.text.trim() : `${node.name}(${outline(node)})`))
    .filter(part => part !== "")
    .join(" ");
}

function depth(element: ElementNode): number {
  const children = element.childNodes.map(node => (isText(node) ? 0 : depth(node)));
  return 1 + children.reduce((most, value) => Math.max(most, value), 0);
}

test("line ends in code are line feeds", () => {
  const { textContent } = parseHtml(
    "<pre>a\r\n<b>b</b>\r\n\r\n<i>c</i>\r</pre><p>d\r\n  <b>e</b>\r\n<i>f</i></p>",
  );
  expect(textContent).toBe("a\nb\n\nc\nd e f");
});

describe("the tree of a page", () => {
  test.each([
    [
      "what is not for the head begins the body",
      "<html><head><div>a</head><body class=b>b</div>c",
      "html(head() body(div(a b) c))",
    ],
    ["text begins the body", "<html><head></head>a<body>b</html>c", "html(head() body(a b c))"],
    ["what is for the head does not", "<html><link><meta><body>a", "html(link() meta() body(a))"],
    [
      "a frame that is left open ends with its noscript",
      "<noscript><iframe src=x /></noscript>a<iframe>b</iframe>c",
      "noscript(iframe()) a iframe() c",
    ],
    ["paragraphs end at blocks", "<p>a<div>b</div>", "p(a) div(b)"],
    ["items end at items", "<ul><li>a<li>b<ul><li>c</ul><li>d</ul>", "ul(li(a) li(b ul(li(c))) li(d))"],
    ["cells end at cells", "<table><tr><td>a<th>b<tr><td>c</table>", "table(tr(td(a) th(b)) tr(td(c)))"],
    [
      "groups end rows",
      "<table><thead><tr><th>a<tbody><tr><td>b</table>",
      "table(thead(tr(th(a))) tbody(tr(td(b))))",
    ],
    [
      "tables in cells",
      "<table><tr><td><table><tr><td>a</table>b</table>",
      "table(tr(td(table(tr(td(a))) b)))",
    ],
    ["paragraphs outside cells", "<p>a<table><tr><td><p>b</table>", "p(a) table(tr(td(p(b))))"],
    ["terms", "<dl><dt>a<dd>b<dt>c</dl>", "dl(dt(a) dd(b) dt(c))"],
    ["head", "<head><title>a</title><p>b", "head(title(a)) p(b)"],
    ["two bodies", "<body class=a><p>b<body id=c>d", "body(p(b d))"],
    ["links in links", "<a>a<b>b<a>c", "a(a b(b)) a(c)"],
    ["formatting over blocks", "<a>a<div>b</a>c</div>d", "a(a div(b c)) d"],
    ["end tags of nothing", "a</p></td></b>b", "a p() b"],
    ["end tags of others", "<div><span>a</div>b", "div(span(a)) b"],
    ["headings", "<h1>a<h2>b</h3>c", "h1(a) h2(b) c"],
    ["options", "<select><option>a<option>b</select>c", "select(option(a) option(b)) c"],
    ["scripts and styles", "a<script>'</p>'<b></script><style><b></style>b", "ab"],
    ["drawings", "a<svg><g><text>x</text></g></svg>b<svg/>c", "abc"],
    ["a drawing without end", "a<svg><path><p>b", "a p(b)"],
    ["an end tag of what is outside a drawing", "<div>a<svg><g></div>b", "div(a) b"],
    ["an end tag of nothing in a drawing", "a<svg><g></div><text>x</text></g></svg>b", "ab"],
    ["drawings whose parts close themselves", "a<svg><style/><script/><title/><path/></svg>b", "ab"],
    ["a drawing's title", "a<svg><title>x<p>y</title><g>z</svg>b", "ab"],
    ["CDATA in a drawing", "a<svg><style><![CDATA[</svg>]]></style></svg>b", "ab"],
    ["formulas", "a<math><mi>x</mi><mo/><mn>2</mn></math>b", "a math(mi(x) mo() mn(2)) b"],
    ["CDATA in a formula", "<math><mtext><![CDATA[<b>]]></math>a", "math(mtext(<b>)) a"],
    ["a formula without end", "<math><mrow>x<p>a", "math(mrow(x)) p(a)"],
    ["CDATA in HTML", "<p>a<![CDATA[b><p>c", "p(a) p(c)"],
    ["scripts that close themselves", "<script src=a /><script>x</script>a", "a"],
    ["elements that close themselves", "<div/>a<p/>b</p>c</div>d", "div(a p(b) c) d"],
    ["canvas without end", "<div>a<canvas>b</div>c", "div(a canvas(b)) c"],
    ["templates", "a<template><svg><p>x</template><p>b", "a p(b)"],
    ["images by their old name", "a<image src=x>b", "a img() b"],
    ["HTML in a drawing", "a<svg><foreignObject><p>x</p></foreignObject></svg>b", "ab"],
    ["entities", "&lt;p&gt; &eacute;&#x41;&nbsp;b", "<p> éA\u00a0b"],
    ["white space", "<p>a \n\t b</p><pre>a \n  b</pre>", "p(a b) pre(a \n  b)"],
    ["XHTML", '<?xml version="1.0"?><div/><p>a<![CDATA[<b>]]></p>', "div() p(a<b>)"],
  ])("%s", (_, html, wanted) => {
    expect(outline(parseHtml(html))).toBe(wanted);
  });

  test.each([
    ["blocks", "<div>".repeat(10_000)],
    ["formatting closed over blocks", `${"<b>".repeat(50)}<div>${"</b>".repeat(50)}`.repeat(200)],
    ["tables", "<table><tr><td>".repeat(3000)],
  ])("is never deeper than it may be: %s", (_, html) => {
    expect(depth(parseHtml(html))).toBeLessThanOrEqual(maxDepth + 1);
  });

  test("continues outside the elements that are nested too deep", () => {
    const html = `<section>${"<div>".repeat(1000)}a${"</div>".repeat(1000)}</section><p>b</p>`;
    const [, last] = parseHtml(html).childNodes;
    expect(last !== undefined && !isText(last) && last.name).toBe("p");
  });
});

describe("JSON-LD of a page", () => {
  test.each([
    ["in the head", '<script type="application/ld+json">{"a":"<p>&amp;"}</script>a', ['{"a":"<p>&amp;"}']],
    [
      "several",
      "<script type='application/ld+json'>1</script>a<script type=application/ld+json>2",
      ["1", "2"],
    ],
    ["with parameters", '<script type=" Application/LD+JSON; charset=utf-8">1</script>', ["1"]],
    ["other scripts", "<script>1</script><script type=application/json>2</script>", []],
    ["in a template", "<template><script type=application/ld+json>1</script></template>", []],
    ["empty", "<script type=application/ld+json></script>", [""]],
  ])("%s", (_, html, expected) => {
    const root = parseHtml(html);
    expect(root.linkedData).toEqual(expected);
    expect(root.textContent).not.toMatch(/\d/);
  });
});

test("frames that are left open take time that is linear in the page", () => {
  const html = "<noscript><iframe></noscript>".repeat(40_000);
  expect(parseHtml(html).childNodes).toHaveLength(40_000);
  expect(outline(parseHtml(`${html}a</iframe>`))).toMatch(/ a$/);
});

test("attributes of further frames are added to those of the first", () => {
  const [html] = parseHtml("<html><body><html lang=de><html lang=fr dir=ltr>a").childNodes;
  expect(html).toMatchObject({
    name: "html",
    attributes: new Map([
      ["lang", "de"],
      ["dir", "ltr"],
    ]),
  });
});

test("as many names as a page has are told apart", () => {
  const names = Array.from({ length: 5000 }, (_, at) => `x${at.toString(36)}-${at % 7}`);
  const root = parseHtml(names.map(name => `<${name} ${name.toUpperCase()}="${name}"></${name}>`).join(""));
  const read = root.childNodes.map(node => (isText(node) ? [] : [node.name, ...node.attributes]));
  expect(read).toEqual(names.map(name => [name, [name, name]]));
});
