import { cleanTree } from "../../clean/clean-tree.ts";
import { splitBlocks } from "../../content/blocks.ts";
import { outlinePage } from "../../content/outline.ts";
import { pruneBlocks } from "../../content/prune-blocks.ts";
import { withWholeParts } from "../../content/whole-parts.ts";
import { parseHtml } from "../../html/parse-html.ts";
import { toMarkdown } from "../../markdown/to-markdown.ts";

/** A page as Markdown, of which the blocks that have an `x` for a word are no content. */
function markdown(html: string): string {
  const body = cleanTree(parseHtml(`<body>${html}</body>`), url => url);
  const outline = outlinePage(body, splitBlocks(body));
  const kept = outline.blocks.map(({ text }) => !/\bx\b/.test(text));
  pruneBlocks(body, outline, withWholeParts(outline, kept));
  return toMarkdown(body);
}

const head = "<tr><th>Wood</th><th>Age</th></tr>";
const row = (first: string, second: string) => `<tr><td><p>${first}</p></td><td><p>${second}</p></td></tr>`;

test.each([
  [
    "a row stays with the cell that is no content",
    `<table>${head}${row("Oak", "x")}</table>`,
    ["Wood | Age", "Oak | x"],
  ],
  [
    "a row goes with the cell that is content",
    `<table>${head}${row("Oak", "90")}${row("x x x", "70")}</table>`,
    ["Wood | Age", "Oak | 90"],
  ],
  [
    "a head stays with a row",
    `<table><tr><th><p>Wood x</p></th><th><p>Age x</p></th></tr>${row("Oak", "90")}</table>`,
    ["Wood x | Age x", "Oak | 90"],
  ],
  [
    "a first row is a head, as it is in Markdown",
    `<table>${row("x Wood", "x Age")}${row("Oak", "90")}</table>`,
    ["x Wood | x Age", "Oak | 90"],
  ],
  [
    "a head of some rows stays with one of them, and goes with all of them",
    `<table>${head}${row("Oak", "90")}<tr><th colspan="2">x Firs</th></tr>${row("x", "x")}${row("Larch", "40")}
      <tr><th colspan="2">Palms</th></tr>${row("x", "x")}</table>`,
    ["Wood | Age", "Oak | 90", "x Firs | ", "Larch | 40"],
  ],
  [
    "rows that a cell spans stay together",
    `<table>${head}<tr><td rowspan="2"><p>Oak</p></td><td><p>90</p></td></tr><tr><td><p>x</p></td></tr>${row("x", "x")}</table>`,
    ["Wood | Age", "Oak | 90", "Oak | x"],
  ],
  [
    "a picture and a sign are a cell",
    `<table>${head}<tr><td><div><img src="/i.png" alt="fir"></div></td><td><p>—</p></td></tr>${row("Oak", "90")}</table>`,
    ["Wood | Age", "![fir](/i.png) | —", "Oak | 90"],
  ],
  [
    "a table in a cell is a part of it",
    `<table>${head}<tr><td><p>Oak</p></td><td><p>grows in the north</p><table><tr><th>x</th><td>1</td></tr></table></td></tr></table>`,
    ["Wood | Age", "Oak | grows in the north<br>\\|  \\|  \\| \\| --- \\| --- \\| \\| x \\| 1 \\|"],
  ],
  [
    "an advertisement in a cell goes, and leaves the cell",
    `<table>${head}${row("Oak", '90</p><div class="ad-slot"><p>x ropes and tar</p></div>')}
      <tr><td><p>Ash</p></td><td class="sponsored"><p>x</p></td></tr></table>`,
    ["Wood | Age", "Oak | 90", "Ash | "],
  ],
])("%s", (_, html, rows) => {
  const lines = markdown(html).split("\n");
  lines.splice(1, 1);
  expect(lines).toEqual(rows.map(cells => `| ${cells} |`));
});

test("a table without a row that is content is none, with its pictures and its captions", () => {
  const figure = `<figure><table><caption>Ages</caption>${head}${row("x", "x")}<tr><td><img src="/i.png"></td><td></td></tr></table>
    <figcaption>Of the wood</figcaption></figure>`;
  expect(markdown(`<p>Before it</p>${figure}`)).toBe("Before it");
});

test("a caption stays with its table", () => {
  const table = `<table><caption>x Ages</caption>${head}${row("Oak", "90")}</table>`;
  expect(markdown(`<figure>${table}<figcaption>x Trees</figcaption></figure>`)).toBe(
    "x Ages\n\n| Wood | Age |\n| --- | --- |\n| Oak | 90 |\n\nx Trees",
  );
});

test("cells of a table that arranges the page are judged by themselves", () => {
  const text = "The old mill grinds corn and rye with a wheel of oak. ".repeat(12);
  const html = `<table><tr><td><a href="/">x</a><br>x</td><td>${text}</td></tr></table>`;
  expect(markdown(html)).toBe(text.trim());
  const nested = `<table><tr><td><p>x menu</p></td><td><p>Trees</p><table>${head}${row("Oak", "90")}</table></td></tr></table>`;
  expect(markdown(nested)).toBe("Trees\n\n| Wood | Age |\n| --- | --- |\n| Oak | 90 |");
});

test("a term stays and goes with its definition", () => {
  const pairs = "<dt>Built x</dt><dd>1784</dd><dt>Share</dt><dd>x</dd>";
  const grouped = "<div><dt>Wheel</dt><dt>x</dt><dd>Oak</dd><dd>x</dd></div>";
  expect(markdown(`<dl>${pairs}${grouped}</dl>`)).toBe(
    "**Built x**\n\n- 1784\n\n**Wheel**\n\n**x**\n\n- Oak\n- x",
  );
});

test("definitions that hold parts of a page are judged part by part", () => {
  const html = "<dl><dt>x News</dt><dd><h3>The lock</h3><p>It was mended.</p><p>x</p></dd></dl>";
  expect(markdown(html)).toBe("- ### The lock\n\n  It was mended.");
});
