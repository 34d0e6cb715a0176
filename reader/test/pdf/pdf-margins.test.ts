import { linesOf, type PdfText, textOf } from "../../pdf/pdf-lines.ts";
import { withoutMargins } from "../../pdf/pdf-margins.ts";

const plain = { size: 10, bold: false, italic: false, mono: false, rtl: false };

function text(written: string, y: number, size = 10, x = 50): PdfText {
  return { text: written, x, y, width: written.length * 0.5 * size, ...plain, size };
}

/** What is left of pages that have these texts above or below ten lines of their own. */
function left(pages: PdfText[][]): string[] {
  const lines = pages.map((texts, page) => {
    const body = Array.from({ length: 10 }, (_, at) =>
      text(`Line ${page * 7 + at * 3} of the body`, 200 + at * 12),
    );
    return { height: 800, lines: linesOf({ width: 600, height: 800, texts: [...texts, ...body] }) };
  });
  return withoutMargins(lines)
    .flat()
    .map(textOf)
    .filter(line => !line.includes("of the body"));
}

const pages = (count: number, textsOf: (page: number) => PdfText[]) =>
  Array.from({ length: count }, (_, at) => textsOf(at + 1));

test("headings of chapters at the top of each page stay", () => {
  expect(left(pages(5, page => [text(`Chapter ${page}`, 70, 18), text("Rivers of the north", 30)]))).toEqual([
    ...["Chapter 1", "Chapter 2", "Chapter 3", "Chapter 4", "Chapter 5"],
  ]);
});

test("numbers that count chapters and not pages stay, in the size of the text too", () => {
  const starts = new Map([2, 3, 6, 7, 10].map((page, at) => [page, at + 1]));
  const found = left(
    pages(10, page => [
      ...(starts.has(page) ? [text(`Part ${starts.get(page)}`, 70)] : []),
      text(`${page}`, 780),
    ]),
  );
  expect(found).toEqual(["Part 1", "Part 2", "Part 3", "Part 4", "Part 5"]);
});

test.each<[name: string, textsOf: (page: number) => PdfText[]]>([
  ["the number of the page, and of how many", page => [text(`Page ${page + 6} of 90`, 780)]],
  ["the number alone, near to the text", page => [text(String(page), 660)]],
  ["a running title with a chapter's number", page => [text(`Chapter ${Math.ceil(page / 3)}. Rivers`, 30)]],
  ["a large title that is the same on each page", () => [text("The Mill Ltd", 40, 20)]],
  ["a date", () => [text("Printed on 2026-01-31", 785)]],
  ["Roman numbers", page => [text(["i", "ii", "iii", "iv", "v", "vi"][page - 1] ?? "", 780)]],
])("%s is left out", (_name, textsOf) => {
  expect(left(pages(6, textsOf))).toEqual([]);
});
