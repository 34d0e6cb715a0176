import { PNG } from "pngjs";
import { makePdf, rawPdf, rawStream } from "../../../test/support/pdf.ts";
import { readPdf } from "../../document/read-pdf.ts";
import { scanOf } from "../../pdf/pdf-scans.ts";

/** A picture that is dark in its upper left quarter. */
function quarter(size: number): Buffer {
  const png = new PNG({ width: size, height: size });
  for (let at = 0; at < size * size; at += 1) {
    const isDark = at % size < size / 2 && at < (size * size) / 2;
    png.data.set([...Array(3).fill(isDark ? 10 : 250), 255], at * 4);
  }
  return PNG.sync.write(png);
}

/** Where the picture of a page is dark, a sign for each of 4 by 4 places. */
function seen(image: Awaited<ReturnType<typeof scanOf>>): string[] {
  if (!image) return [];
  const at = (part: number, size: number) => Math.floor(((part + 0.5) * size) / 4);
  return [0, 1, 2, 3].map(row =>
    [0, 1, 2, 3]
      .map(column => image.pixels[at(row, image.height) * image.width + at(column, image.width)])
      .map(shade => ((shade ?? 255) < 128 ? "#" : "."))
      .join(""),
  );
}

test("a page that is one picture is given as it is shown, and pages of text are not", async () => {
  const body = await makePdf(pdf => {
    pdf.image(quarter(40), 0, 0, { width: 612, height: 792 });
    pdf.addPage().text("A page of text.");
    pdf.addPage();
  });
  expect((await readPdf(body)).textless).toEqual([1, 3]);
  expect(seen(await scanOf(body, 1))).toEqual(["##..", "##..", "....", "...."]);
  expect(await scanOf(body, 2)).toBeUndefined();
  expect(await scanOf(body, 3)).toBeUndefined();
});

test("one that is turned is given upright", async () => {
  const body = await makePdf(pdf => {
    Object.assign(pdf.page.dictionary.data, { Rotate: 90 });
    pdf.image(quarter(40), 0, 0, { width: 612, height: 792 });
  });
  expect(seen(await scanOf(body, 1))).toEqual(["..##", "..##", "....", "...."]);
});

test("a page in strips, and of a bit a pixel, is put together", async () => {
  const strip = (bits: string) =>
    rawStream(
      bits.repeat(4),
      "/Type /XObject /Subtype /Image /Width 8 /Height 4 /ColorSpace /DeviceGray /BitsPerComponent 1",
    );
  const body = rawPdf([
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 80 80] /Contents 4 0 R /Resources << /XObject << /A 5 0 R /B 6 0 R >> >> >>",
    rawStream("q 80 0 0 40 0 40 cm /A Do Q q 80 0 0 40 0 0 cm /B Do Q"),
    strip("\x0f"),
    strip("\xff"),
  ]);
  expect(seen(await scanOf(body, 1))).toEqual(["##..", "##..", "....", "...."]);
});

test("a small picture is no page, and one of too many pixels is left", async () => {
  const small = await makePdf(pdf => pdf.image(quarter(40), 0, 0, { width: 200, height: 200 }));
  expect(await scanOf(small, 1)).toBeUndefined();
  const huge = rawPdf([
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 80 80] /Contents 4 0 R /Resources << /XObject << /A 5 0 R >> >> >>",
    rawStream("q 80 0 0 80 0 0 cm /A Do Q"),
    rawStream(
      "\x00",
      "/Type /XObject /Subtype /Image /Width 60000 /Height 60000 /ColorSpace /DeviceGray /BitsPerComponent 1",
    ),
  ]);
  expect(await scanOf(huge, 1)).toBeUndefined();
});

const word = (text: string, x: number, more = "x_wconf 90") =>
  `<span class='ocrx_word' id='w' title='bbox ${x} 80 ${x + 90} 130; ${more}'>${text}</span>`;
const line = (y: number, size: number, ...words: string[]) =>
  `<span class='ocr_line' id='l' title="bbox 100 ${y} 900 ${y + 50}; baseline 0 -10; x_size ${size}; x_ascenders 10">${words.join("\n")}</span>`;

test("recognised words are read like the text of other pages: headings, paragraphs, tables", async () => {
  const body = await makePdf(pdf => {
    pdf.image(quarter(40), 0, 0, { width: 612, height: 792 });
  });
  const hocr = [
    line(100, 90, word("The", 100), word("mill", 200)),
    line(
      300,
      40,
      word("R&amp;D", 100),
      word("of", 200),
      word("<strong>the</strong>", 300),
      word("~;", 400, "x_wconf 3"),
    ),
    line(350, 44, word("mill", 100)),
    ...[500, 560, 620].map((y, at) =>
      line(y, 38, word(["Town", "Upford", "Downham"][at] ?? "", 100), word(`${at}00`, 800)),
    ),
  ].join("\n");
  const recognized = { pages: { 1: { hocr, width: 1224, height: 1584 } }, left: [2, 3, 5] };
  const { html, warning } = await readPdf(body, { recognized });
  expect(html).toContain("<h1>The mill</h1>");
  expect(html).toMatch(/<p>R&amp;D of the.*mill<\/p>/s);
  expect(html).toContain("<tr><td>Upford</td><td>100</td></tr>");
  expect(warning).toBe(
    "Page 1 is a picture, whose text was recognised; it may have errors. Pages 2 to 3 and 5 are pictures, whose text was not read.",
  );
});

test("what no program writes is read without harm", async () => {
  const body = await makePdf(pdf => pdf.rect(0, 0, 10, 10).fill());
  for (const hocr of [
    "",
    "<span class='ocrx_word' title='bbox",
    line(1, 1, "<span"),
    word("a", 1).repeat(100_000),
  ]) {
    const { html } = await readPdf(body, {
      recognized: { pages: { 1: { hocr, width: 0, height: 0 } }, left: [] },
    });
    expect(html).toContain("<body>");
  }
});
