import { brotliCompressSync, constants, crc32, deflateSync, gzipSync } from "node:zlib";

const megabyte = 1 << 20;
const zeros = (megabytes: number) => Buffer.alloc(megabytes * megabyte);
const quick = { level: 1 };

/** 256 MB of zeros, compressed. */
export const gzipBomb: Buffer = gzipSync(zeros(256), quick);
export const gzipTwiceBomb: Buffer = gzipSync(gzipBomb);
export const brotliBomb: Buffer = brotliCompressSync(zeros(256), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
});

/** One page whose content is 128 MB of text operators, compressed. */
export function pdfBomb(): Buffer {
  const content = deflateSync(zeros(128).fill("BT /F 9 Tf (text) Tj ET\n"), quick);
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
    `<< /Length ${content.length} /Filter /FlateDecode >>\nstream\n${content.toString("latin1")}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  const body = objects.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`).join("");
  return Buffer.from(`%PDF-1.7\n${body}trailer\n<< /Root 1 0 R /Size 6 >>\n%%EOF`, "latin1");
}

/** A black picture of 30,000 by 30,000 pixels in some hundred kilobytes. */
export function pngBomb(side = 30_000): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 1;
  const lines = deflateSync(Buffer.alloc(side * (side / 8 + 1)), quick);
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", lines),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
