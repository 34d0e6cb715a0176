import { maxDepth } from "../../../../services/domain/extract/open-elements.ts";
import { parseHtml } from "../../../../services/domain/extract/parse-html.ts";
import { type ElementNode, isText } from "../../../../services/domain/extract/tree.ts";

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

describe("the tree of a page", () => {
  test.each([
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
    ["end tags of nothing", "a</p></td></b>b", "a b"],
    ["end tags of others", "<div><span>a</div>b", "div(span(a)) b"],
    ["headings", "<h1>a<h2>b</h3>c", "h1(a) h2(b) c"],
    ["options", "<select><option>a<option>b</select>c", "select(option(a) option(b)) c"],
    ["scripts and styles", "a<script>'</p>'<b></script><style><b></style>b", "ab"],
    ["drawings", "a<svg><g><text>x</text></g></svg>b<svg/>c", "abc"],
    ["a drawing without end", "a<svg><path><p>b", "a p(b)"],
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

  test("goes on outside what was nested too deep", () => {
    const html = `<section>${"<div>".repeat(1000)}a${"</div>".repeat(1000)}</section><p>b</p>`;
    const [, last] = parseHtml(html).childNodes;
    expect(last !== undefined && !isText(last) && last.name).toBe("p");
  });
});
