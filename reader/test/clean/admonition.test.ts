import { extractPage } from "../../page/extract-page.ts";

function markdownOf(html: string): string {
  const source = { html: `<body>${html}</body>`, url: "https://site.example/" };
  return extractPage(source, { formats: ["markdown"], onlyMainContent: false }).markdown ?? "";
}

test.each([
  [
    "Asciidoctor, in a table",
    '<div class="admonitionblock note"><table><tr><td class="icon"><div class="title">Note</div></td><td class="content"><p>Oaks grow slowly.</p></td></tr></table></div>',
    "> **Note**\n>\n> Oaks grow slowly.",
  ],
  [
    "VitePress, in capitals",
    '<div class="tip custom-block"><p class="custom-block-title">TIP</p><p>Keep it dry.</p></div>',
    "> **Tip**\n>\n> Keep it dry.",
  ],
  [
    "MkDocs, one that opens",
    '<details class="question"><summary>No note</summary><p>Plain.</p></details><details class="admonition question"><summary>Why oak?</summary><p>It lasts.</p></details>',
    "**No note**\n\nPlain.\n\n> **Why oak?**\n>\n> It lasts.",
  ],
  [
    "Obsidian",
    '<div data-callout="info" class="callout"><div class="callout-title"><div class="callout-title-inner">A title</div></div><div class="callout-content"><p>Its text.</p></div></div>',
    "> **A title**\n>\n> Its text.",
  ],
  [
    "a kind without a title",
    '<div class="admonition danger"><p>Saws are sharp.</p></div>',
    "> **Danger**\n>\n> Saws are sharp.",
  ],
  [
    "a heading further down is no title",
    '<div class="admonition"><p>First.</p><p class="admonition-title">Second</p></div>',
    "> First.\n>\n> Second",
  ],
  [
    "one in another",
    '<div class="admonition note"><p class="admonition-title">Outer</p><div class="admonition tip"><p class="admonition-title">Inner</p><p>Text.</p></div></div>',
    "> **Outer**\n>\n> > **Inner**\n> >\n> > Text.",
  ],
  ["a class that only resembles one", '<div class="callout"><p>Call us.</p></div>', "Call us."],
])("an admonition becomes a quote that names its kind: %s", (_, html, wanted) => {
  expect(markdownOf(html)).toBe(wanted);
});
