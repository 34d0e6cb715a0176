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

test.each([
  [
    "indentation of an editor",
    '<div class="cm-content"><div class="cm-line">def f():</div><div class="cm-line">    if x:</div></div>',
    "def f():\n    if x:",
  ],
  [
    "a blank line of an editor",
    '<div class="cm-content"><div class="cm-line">a</div><div class="cm-line"></div><div class="cm-line">b</div></div>',
    "a\n\nb",
  ],
  [
    "a blank line in a block of code",
    '<pre><div class="line">a</div><div class="line"></div><div class="line">b</div></pre>',
    "a\n\nb",
  ],
  [
    "a blank line beside its number",
    '<table><tr><td class="blob-num">1</td><td class="blob-code">a</td></tr><tr><td class="blob-num">2</td><td class="blob-code"></td></tr><tr><td class="blob-num">3</td><td class="blob-code">  b</td></tr></table>',
    "a\n\n  b",
  ],
  [
    "lines whose numbers rise",
    '<table><tr><td class="ln">7</td><td class="code">a</td></tr><tr><td class="ln">8</td><td class="code">b</td></tr></table>',
    "a\nb",
  ],
])("code keeps %s", (_, html, code) => {
  expect(markdown(html)).toBe(`Before it.\n\n\`\`\`\n${code}\n\`\`\`\n\nAfter it.`);
});

test.each(["country-code", "code"])("numbers beside a column named %s are data", name => {
  const rows = [
    [44, "UK"],
    [1, "US"],
  ].map(([number, code]) => `<tr><td class="num">${number}</td><td class="${name}">${code}</td></tr>`);
  expect(markdown(`<table>${rows.join("")}</table>`)).toContain("| 44 | UK |");
});

test("the source at the end of a quotation is a line of its own", () => {
  const html = "<blockquote>I was afraid. Not any more.<cite>Helen P.</cite></blockquote>";
  expect(markdown(html)).toContain("> I was afraid. Not any more.\n>\n> Helen P.");
});

test("objects in objects keep what they show, and the way to the outer document", () => {
  const html = '<object data="/a.pdf"><object><embed src="/b.pdf"><p>Oak</p></object></object>';
  expect(markdown(html)).toContain("Oak");
});

test("an icon that is all of a cell is what it says", () => {
  const icons = [
    '<svg role="img" aria-label="Not included"><path d="M0 0"/></svg>',
    '<span role="img" aria-label="Yes"></span>',
  ];
  const html = `<table><tr><th>Oak</th><th>Ash</th></tr><tr>${icons.map(icon => `<td>${icon}</td>`).join("")}</tr></table>`;
  expect(markdown(html)).toContain("| Not included | Yes |");
});
