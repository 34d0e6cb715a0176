import { readFileSync } from "node:fs";
import { PNG } from "pngjs";
import { makePdf, type Pdf, rawPdf, rawStream } from "../../../test/support/pdf.ts";
import type { BenchDocument } from "./bench-document.ts";

const prose =
  "The river rises in the hills and runs through three valleys before it meets the sea. Its water is clear, and the people of the towns along it have fished there for as long as anybody remembers.";

/** Kinds of PDF that reports of readers name. Of each, what a person would look for in its Markdown. */
export const pdfDocuments: BenchDocument[] = [
  {
    name: "article of LaTeX in two columns",
    extension: "pdf",
    make: async () => readFileSync(new URL("./latex-two-columns.pdf", import.meta.url)),
    facts: [
      /^# On the Flow of Small Rivers$/m,
      /^(#+ )?1 Introduction$/m,
      /^(#+ )?2\.2 Errors$/m,
      "measure the flow of three small rivers over ten years and show that it depends on snow",
      "how much water a small river will have in summer should look at the snow of March",
      /^[-*•] ?Which part of it is snow\?$/m,
      /^2\. Two thirds of it are snow/m,
      /^\| ?Old Mill ?\| ?287 ?\| ?5\.6 ?\|$/m,
      /∂Q.?\/.?∂x/,
    ],
  },
  {
    name: "Japanese in a font that is only named",
    extension: "pdf",
    make: async () => namedFont("UniJIS-UCS2-H", "Japan1", "川は海へ流れる。"),
    facts: [/川は海へ流れる。/],
  },
  {
    name: "Korean in a font that is only named",
    extension: "pdf",
    make: async () => namedFont("UniKS-UCS2-H", "Korea1", "강은 바다로"),
    facts: [/강은 바다로/],
  },
  ...[90, 180, 270].map(turn => ({
    name: `page that is turned by ${turn}°`,
    extension: "pdf",
    make: () =>
      makePdf(pdf => {
        Object.assign(pdf.page.dictionary.data, { Rotate: turn });
        drawReport(pdf);
      }),
    facts: [/^(# )?Profit$/m, prose, /^\| ?Upford ?\| ?1200 ?\|$/m],
  })),
  {
    name: "form with values",
    extension: "pdf",
    make: () =>
      makePdf(pdf => {
        pdf.initForm().text("Name:", 50, 100).formText("name", 150, 96, 200, 18, { value: "Ann Lind" });
        pdf.text("Town:", 50, 130).formText("town", 150, 126, 200, 18, { value: "Upford" });
      }),
    facts: [/Name:[\s|]*Ann Lind/, /Town:[\s|]*Upford/],
  },
  {
    name: "chapters at the top of pages, with a running head",
    extension: "pdf",
    make: () => makePdf(drawChapters),
    facts: [/^(#+ )?Chapter 1$/m, /^(#+ )?Chapter 4$/m],
    absent: [/The book of rivers/, /Page 9 of 90/],
  },
  {
    name: "page that is a picture",
    extension: "pdf",
    make: () => makePdf(pdf => pdf.image(scanned(), 0, 0, { width: 612, height: 792 })),
    facts: [/HILL/],
  },
];

function drawReport(pdf: Pdf): void {
  pdf.fontSize(20).text("Profit", 50, 50).fontSize(11).text(prose, { width: 480 });
  const rows = [
    ["Town", "People"],
    ["Upford", "1200"],
    ["Downham", "30,000"],
  ];
  for (const [row, cells] of rows.entries())
    for (const [column, cell] of cells.entries())
      pdf.text(cell, 50 + column * 120, 200 + row * 16, { lineBreak: false });
}

function drawChapters(pdf: Pdf): void {
  for (let chapter = 1; chapter <= 4; chapter += 1) {
    if (chapter > 1) pdf.addPage();
    pdf.fontSize(9).text("The book of rivers", 50, 25, { lineBreak: false });
    pdf
      .fontSize(20)
      .text(`Chapter ${chapter}`, 50, 60)
      .fontSize(11)
      .text(`Part ${chapter}. ${prose}`, 50, 110);
    pdf.fontSize(9).text(`Page ${chapter + 6} of 90`, 280, 735, { lineBreak: false });
  }
}

function namedFont(encoding: string, ordering: string, text: string): Buffer {
  const hex = Buffer.from(text, "utf16le").swap16().toString("hex");
  return rawPdf([
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    rawStream(`BT /F1 12 Tf 60 700 Td <${hex}> Tj ET`),
    `<< /Type /Font /Subtype /Type0 /BaseFont /Named-${encoding} /Encoding /${encoding} /DescendantFonts [6 0 R] >>`,
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Named /FontDescriptor 7 0 R /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /DW 1000 >>`,
    "<< /Type /FontDescriptor /FontName /Named /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 800 /Descent -200 /StemV 80 >>",
  ]);
}

/** The word HILL, drawn with strokes. */
function scanned(): Buffer {
  const png = new PNG({ width: 1224, height: 1584 });
  png.data.fill(255);
  const box = (left: number, top: number, width: number, height: number) => {
    for (let y = top; y < top + height; y += 1)
      for (let x = left; x < left + width; x += 1) png.data.set([0, 0, 0], (y * png.width + x) * 4);
  };
  for (const x of [200, 250, 300, 340, 400]) box(x, 300, 12, 80);
  box(200, 335, 62, 12);
  for (const x of [340, 400]) box(x, 368, 46, 12);
  return PNG.sync.write(png);
}
