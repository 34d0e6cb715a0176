import { sizeOf } from "../../../test/support/long-run.ts";
import { pdfHtml } from "../../pdf/pdf-html.ts";
import { withLinks } from "../../pdf/pdf-inline.ts";
import type { PdfPage, PdfText } from "../../pdf/pdf-lines.ts";

const plain = { size: 10, bold: false, italic: false, mono: false, rtl: false };

function text(written: string, x: number, y: number, more: Partial<PdfText> = {}): PdfText {
  return { text: written, x, y, width: written.length * 5, ...plain, ...more };
}

const page = (...texts: PdfText[]): PdfPage => ({ width: 600, height: 800, texts });

test.each<[name: string, texts: PdfText[], html: string]>([
  [
    "Chinese and Japanese are joined without blanks",
    [
      text("鳥が空を飛んでいます", 50, 100, { width: 100 }),
      text("。川は海に流れます。", 50, 112, { width: 100 }),
    ],
    "<p>鳥が空を飛んでいます。川は海に流れます。</p>",
  ],
  [
    "texts from right to left are read from there",
    [text("עולם", 50, 100, { rtl: true }), text("שלום", 75, 100, { rtl: true })],
    "<p>שלום עולם</p>",
  ],
  ["a soft hyphen", [text("extra\u00ad", 50, 100), text("ordinary", 50, 112)], "<p>extraordinary</p>"],
  ["texts out of order", [text("b", 57, 100), text("c", 50, 112), text("a", 50, 100)], "<p>a b c</p>"],
  ["a raised number", [text("word", 50, 100), text("1", 70, 96.5, { size: 6, width: 3 })], "<p>word1</p>"],
  [
    "a table in one text, aligned by blanks",
    [text("Town      People", 50, 100), text("Upford    1200", 50, 112), text("Downham   85", 50, 124)],
    "<table>\n<thead>\n<tr><th>Town</th><th>People</th></tr>\n</thead>\n<tbody>\n<tr><td>Upford</td><td>1200</td></tr>\n<tr><td>Downham</td><td>85</td></tr>\n</tbody>\n</table>",
  ],
  [
    "tagged items whose bullets are drawn",
    [
      text("one", 60, 100, { tag: { item: 1 } }),
      text("two and", 60, 112, { tag: { item: 2 } }),
      text("more", 60, 124, { tag: { item: 2 } }),
      text("inner", 80, 136, { tag: { item: 3 } }),
      text("outside", 50, 160),
    ],
    "<ul><li>one</li><li>two and more<ul><li>inner</li></ul></li></ul>\n<p>outside</p>",
  ],
  [
    "a tagged table with narrow gaps",
    [
      ...[text("Town", 50, 100, { tag: { cell: 1 } }), text("People", 72, 100, { tag: { cell: 2 } })],
      ...[text("Up-", 50, 112, { tag: { cell: 3 } }), text("12", 72, 112, { tag: { cell: 4 } })],
      text("ford", 50, 124, { tag: { cell: 3 } }),
    ],
    "<table>\n<thead>\n<tr><th>Town</th><th>People</th></tr>\n</thead>\n<tbody>\n<tr><td>Upford</td><td>12</td></tr>\n</tbody>\n</table>",
  ],
  [
    "tagged headings, whatever their size",
    [text("Title", 50, 100, { tag: { heading: 2 } }), text("Large", 50, 140, { size: 30 })],
    "<h2>Title</h2>\n<p>Large</p>",
  ],
  ["nothing", [], ""],
])("%s", (_name, texts, html) => {
  expect(pdfHtml([page(...texts)]).html).toBe(html);
});

describe("links", () => {
  const link = { left: 50, right: 75, top: 90, bottom: 103, url: "https://a.example/", text: "" };
  test.each([
    ["a whole text", text("hello", 50, 100), link, ["hello*"]],
    ["its first word", text("hello world", 50, 100), link, ["hello*", " world"]],
    [
      "a word in it",
      text("one two three", 30, 100),
      { ...link, left: 51, right: 64 },
      ["one ", "two*", " three"],
    ],
    [
      "the text that the reader knows",
      text("one two three", 30, 100),
      { ...link, text: "two" },
      ["one ", "two*", " three"],
    ],
    ["nothing above it", text("hello", 50, 80), link, ["hello"]],
    ["nothing beside it", text("hello", 80, 100), link, ["hello"]],
    [
      "a word from right to left",
      text("one two", 50, 100, { rtl: true }),
      { ...link, left: 70, right: 85 },
      ["one*", " two"],
    ],
  ])("on %s", (_name, whole, on, parts) => {
    expect(withLinks([whole], [on]).map(({ text, url }) => (url ? `${text}*` : text))).toEqual(parts);
  });
});

/** The same numbers each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

test.each(Array.from({ length: 60 }, (_, seed) => seed + 1))("every word once, from anywhere: %i", seed => {
  const next = numbers(seed);
  const count = 5 + next(200);
  const texts = Array.from({ length: count }, (_, at) => {
    const [bold, italic, mono, rtl] = [next(5) === 0, next(9) === 0, next(9) === 0, next(30) === 0];
    const size = next(4) === 0 ? 6 + next(20) : 10;
    const mark = next(10) === 0 ? "• " : "";
    return {
      ...text(`${mark}w${at}w`, 50 + 10 * next(45), 50 + 6 * next(100), { size }),
      bold,
      italic,
      mono,
      rtl,
    };
  });
  const { html } = pdfHtml([page(...texts)]);
  const words = html.match(/w\d+w/g) ?? [];
  expect(words.sort()).toEqual(texts.map(each => each.text.replace("• ", "")).sort());
});

const many = sizeOf(10_000, 50_000);

test.each<[name: string, texts: PdfText[]]>([
  ["many texts at one place", Array.from({ length: many }, () => text("a", 50, 100))],
  ["many lines", Array.from({ length: many }, (_, at) => text("1. a", 50, at))],
  ["many cells of one line", Array.from({ length: many }, (_, at) => text("a", at * 20, 100))],
  [
    "a table of 100 columns",
    Array.from({ length: many }, (_, at) => text("a", (at % 100) * 20, Math.floor(at / 100) * 12)),
  ],
  [
    "sizes without end",
    Array.from({ length: sizeOf(5000, 20_000) }, (_, at) =>
      text("a", 50, at * 12, { size: 1 + (at % 998) / 2 }),
    ),
  ],
  ["a text of a megabyte", [text("- ".repeat(500_000), 50, 100), text(" ".repeat(1_000_000), 50, 120)]],
  ["letters without a blank", [text("a".repeat(1_000_000), 50, 100), text("-".repeat(1_000_000), 50, 120)]],
  ["points without end", [text(". ".repeat(500_000), 50, 100), text("\u00ad".repeat(100_000), 50, 120)]],
  [
    "nested markers without end",
    Array.from({ length: sizeOf(2500, 10_000) }, (_, at) => text("• a", (at % 500) * 20, at * 12)),
  ],
])("%s are read", (_name, texts) => {
  const { html } = pdfHtml([page(...texts), page(...texts)]);
  expect(html.length).toBeLessThan(100 * texts.reduce((sum, each) => sum + each.text.length + 10, 0));
});
