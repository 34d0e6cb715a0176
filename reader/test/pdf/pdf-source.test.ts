import { rawPdf, rawStream } from "../../../test/support/pdf.ts";
import { readPdf } from "../../document/read-pdf.ts";
import { PackedCMaps } from "../../pdf/pdf-source.ts";

/** A page with one text in a font that the document only names, as older documents from Asia do. */
function namedFont(encoding: string, ordering: string, hex: string): Buffer {
  return rawPdf([
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    rawStream(`BT /F1 12 Tf 60 700 Td <${hex}> Tj ET`),
    `<< /Type /Font /Subtype /Type0 /BaseFont /Named-${encoding} /Encoding /${encoding} /DescendantFonts [6 0 R] >>`,
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Named /FontDescriptor 7 0 R
      /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /DW 1000 >>`,
    "<< /Type /FontDescriptor /FontName /Named /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 800 /Descent -200 /StemV 80 >>",
  ]);
}

const utf16 = (text: string) => Buffer.from(text, "utf16le").swap16().toString("hex");

test.each([
  ["UniJIS-UCS2-H", "Japan1", utf16("川は海へ流れる。"), "川は海へ流れる。"],
  ["UniJIS-UTF16-H", "Japan1", utf16("第一章"), "第一章"],
  ["UniJIS-UCS2-V", "Japan1", utf16("山"), "山"],
  ["90ms-RKSJ-H", "Japan1", "93fa967b", "日本"],
  ["EUC-H", "Japan1", "c6fccbdc", "日本"],
  ["UniGB-UCS2-H", "GB1", utf16("河流向大海"), "河流向大海"],
  ["GBK-EUC-H", "GB1", "d6d0b9fa", "中国"],
  ["UniCNS-UCS2-H", "CNS1", utf16("臺灣"), "臺灣"],
  ["ETen-B5-H", "CNS1", "a4a4a4e5", "中文"],
  ["UniKS-UCS2-H", "Korea1", utf16("강은 바다로"), "강은 바다로"],
  ["KSCms-UHC-H", "Korea1", "c7d1b1b9", "한국"],
])("the text of a font that is only named is read by the CMap %s", async (encoding, ordering, hex, text) => {
  const { html } = await readPdf(namedFont(encoding, ordering, hex), { signal: AbortSignal.timeout(60_000) });
  expect(html).toContain(`<p>${text}</p>`);
});

test("a CMap that does not exist costs its text, not the document", async () => {
  const { html } = await readPdf(namedFont("No-Such-H", "Japan1", "93fa"), {
    signal: AbortSignal.timeout(60_000),
  });
  expect(html).toContain("<body>");
});

test("what pdf.js asks for beside CMaps is not opened, whatever it is called", async () => {
  const data = new PackedCMaps();
  await expect(data.fetch({ kind: "cMapUrl", filename: "../../package.json" })).rejects.toThrow(/no /);
  await expect(data.fetch({ kind: "wasmUrl", filename: "H.bcmap" })).rejects.toThrow(/no /);
  expect((await data.fetch({ kind: "cMapUrl", filename: "H.bcmap" })).length).toBeGreaterThan(100);
});
