import { pdfHtml } from "../../pdf/pdf-html.ts";
import type { PdfText } from "../../pdf/pdf-lines.ts";

const plain = { size: 10, bold: false, italic: false, mono: false, rtl: false };

function text(written: string, x: number, y: number, more: Partial<PdfText> = {}): PdfText {
  const size = more.size ?? 10;
  return { text: written, x, y, width: written.length * 0.5 * size, ...plain, ...more };
}

const sign = (written: string, x: number, y: number, size = 10) => text(written, x, y, { math: true, size });
const read = (texts: PdfText[]) => pdfHtml([{ width: 600, height: 800, texts }]).html;
const before = text("The flow is the product of the area and the mean speed of the water, so that", 50, 60);
const after = text("where the depth was measured at each of the points with a pole and a chain.", 50, 140);

test.each<[name: string, texts: PdfText[], formula: string]>([
  [
    "a fraction, and the number of the formula",
    [
      ...[sign("∂h", 200, 93), sign("∂t", 200, 107)],
      ...[text("+", 215, 100), sign("v", 225, 100), text("=", 235, 100), text("2", 245, 100)],
      text("(7)", 500, 100),
    ],
    "∂h/∂t + v = 2 (7)",
  ],
  [
    "a sum with its limits",
    [
      ...[sign("Q", 200, 100), text("=", 210, 100), sign("∑", 222, 96)],
      ...[sign("n", 223, 86, 7), sign("i", 221, 111, 7), text("=1", 225, 111, { size: 7 })],
      ...[sign("v", 236, 100), sign("i", 241, 101.5, 7)],
    ],
    "Q = ∑_{i=1}^n v_i",
  ],
])("a formula that is set by itself is one line: %s", (_name, texts, formula) => {
  expect(read([before, ...texts, after])).toBe(
    `<p>${before.text}</p>\n<p>${formula}</p>\n<p>${after.text}</p>`,
  );
});

test("words with a sign of a formula among them are no formula", () => {
  const line = [text("The flow", 50, 72), sign("Q", 92, 72), text("= 12 is that of the river.", 100, 72)];
  expect(read([before, ...line])).toBe(`<p>${before.text} The flow Q = 12 is that of the river.</p>`);
});

test("100,000 signs on one line, and as many lines of signs, are read", () => {
  const line = Array.from({ length: 50_000 }, (_, at) => sign(at % 2 ? "=" : "x", 10 + at, 100 + (at % 5)));
  const lines = Array.from({ length: 50_000 }, (_, at) => sign("x=", 50, 200 + at * 11));
  expect(read([...line, ...lines]).length).toBeLessThan(2_000_000);
});

test("where headings are bold, large lines that are not, such as authors, are none", () => {
  const html = read([
    text("On rivers", 200, 50, { size: 17 }),
    text("Ann Lind and Bo Berg", 200, 75, { size: 12 }),
    ...["Sources", "Mouths", "Ends"].flatMap((name, at) => [
      text(String(at + 1), 50, 150 + at * 100, { size: 14, bold: true }),
      text(name, 75, 150 + at * 100, { size: 14, bold: true }),
      text(`${name} are where the water of the river is measured every morning by hand.`, 50, 175 + at * 100),
    ]),
  ]);
  expect(html).toContain("<h1>On rivers</h1>\n<p>Ann Lind and Bo Berg</p>\n<h2>1 Sources</h2>");
  expect(html).toContain("<h2>3 Ends</h2>");
});

test("headings with a number apart are no table, though they follow one another", () => {
  const headings = [
    ["2", "Methods"],
    ["2.1", "Stations"],
    ["2.1.1", "Gauges"],
  ].flatMap(([number = "", name = ""], at) => [
    text(number, 50, 100 + at * 30, { size: 16 - 2 * at }),
    text(name, 120, 100 + at * 30, { size: 16 - 2 * at }),
  ]);
  expect(read([...headings, text(before.text, 50, 200)])).toContain(
    "<h1>2 Methods</h1>\n<h2>2.1 Stations</h2>\n<h3>2.1.1 Gauges</h3>",
  );
});
