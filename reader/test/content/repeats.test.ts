import { splitBlocks } from "../../content/blocks.ts";
import { outlinePage } from "../../content/outline.ts";
import { withoutRepeats } from "../../content/repeats.ts";
import { parseHtml } from "../../html/parse-html.ts";

const first = "<p>The lock at the harbour was closed when a survey found cracks.</p>";
const second = "<p>Carpenters from three towns built two new gates of oak for it.</p>";

/** The texts that are left, by their first words, if everything is kept at first. */
function left(html: string, drop: readonly number[] = []): string[] {
  const body = parseHtml(`<body>${html}</body>`);
  const { blocks } = outlinePage(body, splitBlocks(body));
  const kept = withoutRepeats(
    blocks,
    blocks.map((_, at) => !drop.includes(at)),
  );
  return blocks.filter((_, at) => kept[at]).map(({ text }) => text.split(" ").slice(0, 2).join(" "));
}

test.each([
  [
    "a layout for other widths",
    `<div>${first}${second}</div><div>${first}${second}</div>`,
    ["The lock", "Carpenters from"],
  ],
  [
    "a post that an answer quotes",
    `<div>${first}${second}</div><div><blockquote>${first}</blockquote><p>Are you sure?</p></div>`,
    ["The lock", "Carpenters from", "Are you"],
  ],
  ["a refrain", `<div>${first}${second}${first}</div>`, ["The lock", "Carpenters from", "The lock"]],
  [
    "a label that many parts have",
    `<div><p>Read on</p>${first}</div><div><p>Read on</p>${second}</div>`,
    ["Read on", "The lock", "Read on", "Carpenters from"],
  ],
  [
    "a sentence of each of several parts",
    ["Closed", "Open"].map(state => `<section><h3>${state} gates</h3>${first}</section>`).join(""),
    ["Closed gates", "The lock", "Open gates", "The lock"],
  ],
  [
    "a part as a whole",
    `<section><h3>Closed gates</h3>${first}</section>`.repeat(2),
    ["Closed gates", "The lock"],
  ],
  [
    "code",
    `<div><pre>const lock = open("the harbour", "with two gates", "of oak", "and iron", 1, 2, 3);</pre></div>`.repeat(
      2,
    ),
    ["const lock", "const lock"],
  ],
])("what a page has again elsewhere is left out: %s", (_, html, wanted) => {
  expect(left(html)).toEqual(wanted);
});

test("the copy stays if the first one is not content", () => {
  expect(left(`<div>${first}${second}</div><div>${first}${second}</div>`, [0, 1])).toEqual([
    "The lock",
    "Carpenters from",
  ]);
});
