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
