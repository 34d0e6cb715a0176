import { finished } from "node:stream/promises";
import { promisify } from "node:util";
import { crc32, createDeflate, inflate } from "node:zlib";
import { fail } from "../../contracts/errors.ts";

const unpack = promisify(inflate);
const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
/** Bytes of a pixel by the colour type of a PNG (ISO 15948, 11.2.2), of 8 bits a channel. */
const pixelBytes: Record<number, number> = { 2: 3, 6: 4 };
/** A quick one: pictures are large. */
const level = 3;

/** Bytes that a joined picture may have before it ends. */
const maxBytes = 32 * 1024 * 1024;

/**
 * Joins pictures of one width, each below the last one, to one PNG. Holds the rows of a single one: filtered rows are copied
 * as they are, since only the first row of a picture depends on a row above it that is another one now. Asks for no further
 * picture when the packed rows have so many bytes.
 */
export async function joinPictures(
  pictures: AsyncIterable<Uint8Array>,
  most = maxBytes,
): Promise<Uint8Array> {
  const packed = { chunks: [] as Buffer[], bytes: 0 };
  const deflate = createDeflate({ level });
  deflate.on("data", (content: Buffer) => {
    packed.chunks.push(...chunk("IDAT", content));
    packed.bytes += content.length;
  });
  const ended = finished(deflate);
  const write = promisify<Buffer, void>((rows, done) => deflate.write(rows, done));
  let head: Buffer | undefined;
  let height = 0;
  for await (const picture of pictures) {
    const { header, data } = partsOf(Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength));
    if (head !== undefined && !fits(header, head)) throw unlike();
    const rows = (await unpack(data)) as Buffer;
    if (head !== undefined) freeFirstRow(rows, header);
    head ??= header;
    height += header.readUInt32BE(4);
    await write(rows);
    if (packed.bytes >= most) break;
  }
  deflate.end();
  await ended;
  if (head === undefined) throw unlike();
  head.writeUInt32BE(height, 4);
  return Buffer.concat([
    signature,
    ...chunk("IHDR", head),
    ...packed.chunks,
    ...chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** The header and the packed rows of a PNG. */
function partsOf(png: Buffer): { header: Buffer; data: Buffer } {
  let header: Buffer | undefined;
  const data: Buffer[] = [];
  for (let at = signature.length; at + 8 <= png.length; ) {
    const length = png.readUInt32BE(at);
    const name = png.toString("latin1", at + 4, at + 8);
    const content = png.subarray(at + 8, at + 8 + length);
    if (name === "IHDR") header = Buffer.from(content);
    if (name === "IDAT") data.push(content);
    at += length + 12;
  }
  if (header === undefined) throw unlike();
  return { header, data: Buffer.concat(data) };
}

/** Whether all but the heights are equal, and the rows are such as can be joined. */
function fits(header: Buffer, other: Buffer): boolean {
  const isAlike =
    header.readUInt32BE(0) === other.readUInt32BE(0) && header.subarray(8).equals(other.subarray(8));
  return isAlike && header[8] === 8 && header[12] === 0 && pixelBytes[header[9] ?? 0] !== undefined;
}

/** Filters the first row so that the row above it does not count; that was a row of zeros (ISO 15948, 9.2). */
function freeFirstRow(rows: Buffer, header: Buffer): void {
  const bytes = pixelBytes[header[9] ?? 0] ?? 0;
  const end = header.readUInt32BE(0) * bytes;
  const [none, sub, up, average, paeth] = [0, 1, 2, 3, 4];
  if (rows[0] === up) rows[0] = none;
  else if (rows[0] === paeth) rows[0] = sub;
  else if (rows[0] === average) {
    rows[0] = none;
    for (let at = bytes + 1; at <= end; at++)
      rows[at] = ((rows[at] ?? 0) + ((rows[at - bytes] ?? 0) >> 1)) & 255;
  }
}

/** In pieces: content is large, and is copied once. */
function chunk(name: string, content: Buffer): Buffer[] {
  const [length, named, sum] = [Buffer.alloc(4), Buffer.from(name, "latin1"), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(content, crc32(named)));
  return [length, named, content, sum];
}

function unlike(): Error {
  return fail("upstream_error", "The pictures of the parts of this page do not fit together.");
}
