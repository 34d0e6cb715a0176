import { pdfHtml } from "../../pdf/pdf-html.ts";
import type { PdfText } from "../../pdf/pdf-lines.ts";

const plain = { size: 10, bold: false, italic: false, mono: false, rtl: false };

function text(written: string, x: number, y: number, more: Partial<PdfText> = {}): PdfText {
  return { text: written, x, y, width: written.length * 5, ...plain, ...more };
}

const read = (texts: PdfText[]) => pdfHtml([{ width: 600, height: 800, texts }]).html;

const words = "the water of the river runs past mills and towns to reach open sea each".split(" ");

/** Justified lines of a column, whose words all differ from those of other columns by their number. */
function column(
  name: string,
  { x, y, lines, width = 230 }: { x: number; y: number; lines: number; width?: number },
): PdfText[] {
  return Array.from({ length: lines }, (_, at) =>
    text(`${name}${at} ${words.slice(at % 5, (at % 5) + 9).join(" ")}`, x, y + at * 12, { width }),
  );
}

/** The order in which lines are read, by the first words that `column` gives them. */
const order = (html: string) => html.match(/\b[a-gt]\d+\b/g);
const numbered = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}${at}`);

test.each([0, 2, 3, 5, 6, 8])("columns whose lines are %i points apart are read one by one", apart => {
  const left = column("a", { x: 60, y: 200, lines: 20 });
  const right = column("b", { x: 300, y: 200 + apart, lines: 20 });
  expect(order(read([...left, ...right]))).toEqual([...numbered("a", 20), ...numbered("b", 20)]);
});

test("a title and an abstract above, and a wide caption between, are read in their places", () => {
  const html = read([
    text("On rivers", 250, 60, { size: 17, width: 100 }),
    ...column("t", { x: 100, y: 100, lines: 4, width: 400 }),
    ...column("a", { x: 60, y: 200, lines: 14 }),
    ...column("b", { x: 300, y: 205, lines: 14 }),
    ...column("c", { x: 60, y: 420, lines: 2, width: 470 }),
    ...column("d", { x: 60, y: 480, lines: 14 }),
    ...column("e", { x: 300, y: 484, lines: 14 }),
  ]);
  expect(html).toMatch(/^<h1>On rivers<\/h1>/);
  expect(order(html)).toEqual([
    ...[...numbered("t", 4), ...numbered("a", 14), ...numbered("b", 14), ...numbered("c", 2)],
    ...[...numbered("d", 14), ...numbered("e", 14)],
  ]);
});

test("a table and a list within one column stay together", () => {
  const cells = ["Upford", "312", "4.1"].flatMap((_, at) =>
    [0, 1, 2].map(row => text(`${"xyz"[at]}${row}`, 320 + at * 60, 200 + row * 12)),
  );
  const html = read([
    ...column("a", { x: 60, y: 196, lines: 30 }),
    ...cells,
    ...column("b", { x: 300, y: 260, lines: 10 }),
    ...[0, 1].flatMap(at => [text("•", 310, 390 + at * 12), text(`item${at}`, 322, 390 + at * 12)]),
    ...column("c", { x: 300, y: 430, lines: 10 }),
  ]);
  expect(html).toContain("<tr><td>x1</td><td>y1</td><td>z1</td></tr>");
  expect(html).toContain("<ul><li>item0</li><li>item1</li></ul>");
  expect(html.indexOf("a29")).toBeLessThan(html.indexOf("x0"));
});

test("a line that reaches over the gutter does not divide the columns", () => {
  const left = column("a", { x: 60, y: 200, lines: 20 });
  const long = left.map((line, at) => (at === 10 ? { ...line, width: 236 } : line));
  const right = column("b", { x: 300, y: 205, lines: 20 });
  expect(order(read([...long, ...right]))).toEqual([...numbered("a", 20), ...numbered("b", 20)]);
});

test("rows of short cells that are level are a table, not columns", () => {
  const rows = Array.from({ length: 12 }, (_, at) => [
    text(`town ${at}`, 60, 200 + at * 14),
    text(`${1200 + at}`, 300, 200 + at * 14),
  ]);
  expect(read(rows.flat())).toContain("<tr><td>town 11</td><td>1211</td></tr>");
});

test("100,000 small texts in two columns are read, each once", () => {
  const texts = Array.from({ length: 100_000 }, (_, at) => {
    const [row, word] = [Math.floor(at / 100), at % 100];
    const left = word < 50 ? 20 + word * 5 : 310 + (word - 50) * 5;
    return text("ab", left, 20 + row * 12 + (word < 50 ? 0 : 5), { width: 4, size: 10 });
  });
  const html = read(texts);
  expect(html.match(/ab/g)).toHaveLength(100_000);
  expect(html).not.toContain("<table>");
});
