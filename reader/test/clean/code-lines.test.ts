import { extractPage } from "../../page/extract-page.ts";

function markdown(html: string): string {
  return (
    extractPage(
      { html: `<body><p>Before it.</p>${html}<p>After it.</p></body>`, url: "https://site.example/" },
      { formats: ["markdown"], onlyMainContent: false },
    ).markdown ?? ""
  );
}

const block = "Before it.\n\n```\nlet wheel = 4;\nturn(wheel);\n```\n\nAfter it.";
const lines = (tag: string, name: string) =>
  `<${tag} class="${name}"><span class="k">let</span> wheel = 4;</${tag}><${tag} class="${name}">turn(wheel);</${tag}>`;

test.each([
  ["of a block with the name of code", `<div class="code-block">${lines("div", "line")}</div>`],
  [
    "of a block in a font of one width",
    `<div style="font-family: Menlo, monospace">${lines("div", "row")}</div>`,
  ],
  ["of Monaco", `<div class="view-lines">${lines("div", "view-line")}</div>`],
  ["of CodeMirror 6", `<div class="cm-content" role="textbox">${lines("div", "cm-line")}</div>`],
  ["of Ace", `<div class="ace_layer">${lines("div", "ace_line")}</div>`],
  [
    "of CodeMirror 5, each in a block of code",
    `<div class="CodeMirror-code"><div>${'<pre class="CodeMirror-line">let wheel = 4;</pre></div><div><pre class="CodeMirror-line">turn(wheel);</pre>'}</div></div>`,
  ],
  [
    "that are spans of a line of code",
    `<code>${lines("span", "line").replace('</span><span class="line">turn', '</span>\n<span class="line">turn')}</code>`,
  ],
  [
    "that end by themselves and by a break",
    `<code><span class="line">let wheel = 4;</span><br><span class="line">turn(wheel);</span><br></code>`,
  ],
])("lines %s are one block of code", (_, html) => {
  expect(markdown(html)).toBe(block);
});

test.each([
  [
    "lines of an address",
    '<div class="address"><div class="line">Mill Lane 14</div><div class="line">Linden</div></div>',
  ],
  ["a single line", '<div class="code-block"><div class="line">Mill Lane 14</div></div>'],
  [
    "lines beside text",
    '<div class="code-block">Mill<div class="line">Lane</div><div class="line">14</div></div>',
  ],
])("%s are no code", (_, html) => {
  expect(markdown(html)).not.toContain("```");
});

test.each([
  [
    "rows of a page in a block that is highlighted",
    '<div class="container highlight"><div class="row"><h2>Plans</h2></div><div class="row"><ul><li>Oak</li></ul></div></div>',
    "## Plans\n\n- Oak",
  ],
  [
    "rows below a word that holds the name of code",
    '<div class="promo-code"><div class="row">Oak</div><div class="row">Ash</div></div>',
    "Oak\n\nAsh",
  ],
  [
    "lines with links",
    '<div class="code"><div class="line">Anna: <a href="/oak">oak</a></div><div class="line">Max: ash</div></div>',
    "Anna: [oak](https://site.example/oak)\n\nMax: ash",
  ],
])("%s are no code", (_, html, expected) => {
  expect(markdown(html)).toBe(`Before it.\n\n${expected}\n\nAfter it.`);
});
