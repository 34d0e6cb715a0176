import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { readBody } from "../../../mixins/egress/read-body.ts";

const maxBytes = 16 * 1024 * 1024;
const answer = (coding: string, chunks: Buffer[]) =>
  ({ headers: { "content-encoding": coding }, body: Readable.from(chunks) }) as never;
/** What a copy of the bytes for another thread takes. */
const held = ({ buffer }: Buffer) => buffer.byteLength;

test("a decoded page holds hardly more memory than it has bytes, whatever its beginning says of its length", async () => {
  const page = randomBytes(30_000);
  const sent = gzipSync(page);
  const starts: Buffer[] = [];
  // As the end of a whole body it would state 4 GB.
  sent.fill(0xff, 16_380, 16_384);
  const damaged = answer("gzip", [sent.subarray(0, 16_384), sent.subarray(16_384)]);
  await readBody(damaged, maxBytes, async start => void starts.push(start)).catch(() => undefined);
  expect(starts).toHaveLength(1);
  expect(held(starts[0] as Buffer)).toBeLessThan(100_000);
});

test.each([
  ["gzip", gzipSync],
  ["br", brotliCompressSync],
])("a small page in %s that compresses badly holds no large chunk", async (coding, compress) => {
  const page = Buffer.from(randomBytes(40_000).toString("hex"));
  const body = await readBody(answer(coding, [compress(page)]), maxBytes);
  expect(body.equals(page)).toBe(true);
  expect(held(body)).toBeLessThanOrEqual(2 * page.length);
});
