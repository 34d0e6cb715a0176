import { extractPage } from "../../page/extract-page.ts";

function markdownOf(html: string): string {
  const source = { html: `<body>${html}</body>`, url: "https://site.example/" };
  return extractPage(source, { formats: ["markdown"], onlyMainContent: false }).markdown ?? "";
}

const tab = (label: string, panel: string) => `<button role="tab" aria-controls="${panel}">${label}</button>`;

test.each([
  [
    "by the ids that tabs name",
    `<div role="tablist">${tab("Oak", "b")}${tab("Ash", "a")}</div><div id="a" role="tabpanel"><p>Of ash.</p></div><div id="b" role="tabpanel" hidden><p>Of oak.</p></div>`,
    "**Ash**\n\nOf ash.\n\n**Oak**\n\nOf oak.",
  ],
  [
    "by their order",
    '<ul role="tablist"><li role="tab">Oak</li><li role="tab">Ash</li></ul><div><div role="tabpanel"><p>Of oak.</p></div><div role="tabpanel"><p>Of ash.</p></div></div>',
    "**Oak**\n\nOf oak.\n\n**Ash**\n\nOf ash.",
  ],
  [
    "groups of code in VitePress",
    '<div class="vp-code-group"><div class="tabs"><input type="radio" id="t1"><label for="t1">npm</label><input type="radio" id="t2"><label for="t2">pnpm</label></div><div class="blocks"><div><pre><code>npm add oak</code></pre></div><div><pre><code>pnpm add oak</code></pre></div></div></div>',
    "**npm**\n\n```\nnpm add oak\n```\n\n**pnpm**\n\n```\npnpm add oak\n```",
  ],
  [
    "not where the panel has it already",
    `<div role="tablist">${tab("Oak", "a")}${tab("Ash", "b")}</div><div id="a" role="tabpanel"><h3>Oak</h3><p>Of oak.</p></div><div id="b" role="tabpanel"><p>Of ash.</p></div>`,
    "### Oak\n\nOf oak.\n\n**Ash**\n\nOf ash.",
  ],
  [
    "not where a tab has no panel",
    '<ul role="tablist"><li role="tab">Oak</li><li role="tab">Ash</li></ul><div role="tabpanel"><p>Of oak.</p></div>',
    "- Oak\n- Ash\n\nOf oak.",
  ],
])("labels of tabs come before their panels: %s", (_, html, wanted) => {
  expect(markdownOf(html)).toBe(wanted);
});
