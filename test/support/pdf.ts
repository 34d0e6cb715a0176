import PDFDocument from "pdfkit";

export type Pdf = PDFKit.PDFDocument;

/** A PDF with the texts that `draw` writes in Helvetica of 11 points, 50 points from the edges of a letter page. */
export async function makePdf(draw: (pdf: Pdf) => void, info: Record<string, unknown> = {}): Promise<Buffer> {
  const pdf = new PDFDocument({ margin: 50, info, lang: "en", tagged: true, pdfVersion: "1.5" });
  const parts: Buffer[] = [];
  pdf.on("data", (part: Buffer) => parts.push(part));
  const ended = new Promise<void>(resolve => pdf.on("end", resolve));
  pdf.font("Helvetica").fontSize(11);
  draw(pdf);
  pdf.end();
  await ended;
  return Buffer.concat(parts);
}

/** Writes lines from `y` on, each where it is said, without wrapping them. Returns the `y` below them. */
export function writeLines(
  pdf: Pdf,
  lines: string[],
  { x = 50, y, pitch = 14 }: { x?: number; y: number; pitch?: number },
): number {
  for (const [index, line] of lines.entries()) pdf.text(line, x, y + index * pitch, { lineBreak: false });
  return y + lines.length * pitch;
}

/**
 * A PDF of the objects as they are written: 1 is the catalog, 2 the page tree. `kids`: the numbers of the pages, with
 * `count` of them; `catalog`: more entries of the catalog.
 */
export function rawPdf(
  objects: string[],
  { kids = "3 0 R", count = 1, catalog = "" }: { kids?: string; count?: number; catalog?: string } = {},
): Buffer {
  const all = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`,
    ...objects,
  ].map((object, at) => Buffer.from(`${at + 1} 0 obj\n${object}\nendobj\n`, "latin1"));
  const start = Buffer.from("%PDF-1.4\n");
  let at = start.length;
  const rows = all.map(object => {
    const row = `${String(at).padStart(10, "0")} 00000 n \n`;
    at += object.length;
    return row;
  });
  const size = all.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${rows.join("")}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF`;
  return Buffer.concat([start, ...all, Buffer.from(end)]);
}

/** The bytes of an object that is a stream, one character a byte. */
export function rawStream(content: string, entries = ""): string {
  return `<< /Length ${content.length} ${entries} >>\nstream\n${content}\nendstream`;
}
