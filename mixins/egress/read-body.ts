import { promisify } from "node:util";
import zlib from "node:zlib";
import type { Dispatcher } from "undici";
import { fail } from "../../services/contracts/errors.ts";

/** Reads how a decoded body begins, before the rest is read. What it throws ends the reading and the connection. */
type Inspect = (start: Buffer) => Promise<void>;

const startBytes = 16 * 1024;

/**
 * Reads a body and decodes its content codings. Both the received and the decoded bytes must stay within `maxBytes`;
 * otherwise it throws `upstream_error`, as for a broken coding.
 */
export async function readBody(
  { headers, body }: Pick<Dispatcher.ResponseData, "headers" | "body">,
  maxBytes: number,
  inspect?: Inspect,
): Promise<Buffer> {
  if (Number(headers["content-length"]) > maxBytes) {
    cutOff(body);
    throw tooLarge(maxBytes);
  }
  const codings = codingsOf(headers["content-encoding"]);
  const decoded = async (received: Buffer, isWhole: boolean) => {
    let bytes = received;
    for (const coding of codings) bytes = await decode(coding, { bytes, isWhole }, maxBytes);
    return bytes;
  };
  const received = await collect(body, maxBytes, async start => inspect?.(await decoded(start, false)));
  return await decoded(received, true);
}

/**
 * Ends a body that is not read, with its connection. A body that has come as a whole reports its end by an error event,
 * which would end the process if nobody listened.
 */
export function cutOff(body: Dispatcher.ResponseData["body"]): void {
  body.on("error", () => undefined);
  body.destroy();
}

/** Calls `inspect` with the beginning of a body that is longer than that. */
async function collect(body: AsyncIterable<Buffer>, maxBytes: number, inspect: Inspect): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    const isStart = size < startBytes && size + chunk.length >= startBytes;
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
    if (isStart) await inspect(Buffer.concat(chunks, size));
  }
  return Buffer.concat(chunks, size);
}

/**
 * A document without gzip that nothing declares, once or twice over: some servers compress what is compressed, or do not
 * say so. One that would be larger than `maxBytes` stays as it is.
 */
export async function unpacked(body: Buffer, maxBytes: number): Promise<Buffer> {
  let bytes = body;
  for (let layer = 0; layer < 2 && isGzip(bytes); layer++) {
    const inner = await decode("gzip", { bytes, isWhole: true }, maxBytes).catch(() => undefined);
    if (inner === undefined || inner.length === 0) break;
    bytes = inner;
  }
  return bytes;
}

/** The last coding applied comes first. */
function codingsOf(header: string | string[] | undefined): string[] {
  const codings = [header ?? []].flat().join(",").toLowerCase().split(",");
  if (codings.length > 4) throw fail("upstream_error", "The page is encoded too many times over.");
  return codings.map(coding => coding.trim()).reverse();
}

interface DecoderOptions {
  maxOutputLength: number;
  finishFlush?: number;
  /** Bytes of one step in another thread; the event loop has work after each. */
  chunkSize: number;
}

type Decoder = (bytes: Buffer, options: DecoderOptions) => Promise<Buffer>;

const [leastChunk, mostChunk] = [16 * 1024, 1024 * 1024];
/** HTML is seldom compressed further. */
const usualRatio = 8;
/** RFC 1952, 2.3.1: a member ends with the length of what it holds. */
const lengthBytes = 4;

interface Encoded {
  bytes: Buffer;
  /** False for the beginning of a body, which ends anywhere. */
  isWhole: boolean;
}

/** Most bodies are decoded in one step. The length that gzip states may be wrong: then there are more. */
function chunkFor(coding: string, { bytes, isWhole }: Encoded): number {
  const isStated = isWhole && coding.endsWith("gzip") && bytes.length > lengthBytes;
  // A full chunk takes another step, so a byte is added.
  const expected = isStated ? bytes.readUInt32LE(bytes.length - lengthBytes) + 1 : usualRatio * bytes.length;
  return Math.min(Math.max(expected, leastChunk), mostChunk);
}

/** What is sent to another thread is copied with all of its chunk. */
function withoutRest(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength <= 2 * bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}

const gunzip: Decoder = promisify(zlib.gunzip);
const inflate: Decoder = promisify(zlib.inflate);
const inflateRaw: Decoder = promisify(zlib.inflateRaw);
const brotli: Decoder = promisify(zlib.brotliDecompress);
const zstd: Decoder = promisify(zlib.zstdDecompress);

// A truncated stream yields what it holds, as in browsers.
const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, ZSTD_e_flush } = zlib.constants;

async function decode(coding: string, encoded: Encoded, maxBytes: number): Promise<Buffer> {
  // Scripts print a line end after what they have compressed; zlib refuses any rest but zeros.
  const bytes = encoded.isWhole && isGzip(encoded.bytes) ? withoutLineEnd(encoded.bytes) : encoded.bytes;
  const [decoder, finishFlush] = decoderOf(coding, bytes);
  if (!decoder || bytes.length === 0) return bytes;
  try {
    const chunkSize = chunkFor(coding, { ...encoded, bytes });
    return withoutRest(await decoder(bytes, { maxOutputLength: maxBytes, finishFlush, chunkSize }));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(maxBytes, cause);
    throw fail("upstream_error", `The page is not encoded as ${coding}, although it says so.`, {}, cause);
  }
}

/** The last byte of a member is that of its length, so a line end is none of a member below 160 MB. */
function withoutLineEnd(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (bytes[end - 1] === 10 || bytes[end - 1] === 13) end--;
  return bytes.subarray(0, end);
}

function isGzip(bytes: Buffer): boolean {
  return bytes.length >= 3 && bytes.readUIntBE(0, 3) === 0x1f8b08;
}

/** Leaves codings that no browser knows undecoded. */
function decoderOf(coding: string, bytes: Buffer): [Decoder?, number?] {
  switch (coding) {
    case "gzip":
    case "x-gzip":
      return [gunzip, Z_SYNC_FLUSH];
    case "deflate":
      return [hasZlibHeader(bytes) ? inflate : inflateRaw, Z_SYNC_FLUSH];
    case "br":
      return [brotli, BROTLI_OPERATION_FLUSH];
    case "zstd":
      return [zstd, ZSTD_e_flush];
    default:
      return [];
  }
}

// RFC 9110 requires zlib's format (RFC 1950) around deflate; some servers send raw deflate.
function hasZlibHeader(bytes: Buffer): boolean {
  return bytes.length >= 2 && (bytes.readUInt8(0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
}

function tooLarge(maxBytes: number, cause?: unknown): Error {
  const megabytes = Math.max(1, Math.floor(maxBytes / 1024 ** 2));
  return fail("upstream_error", `The page is larger than ${megabytes} MB.`, {}, cause);
}
