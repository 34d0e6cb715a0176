import { promisify } from "node:util";
import {
  constants,
  type ZstdOptions,
  zstdCompress,
  zstdCompressSync,
  zstdDecompress,
  zstdDecompressSync,
} from "node:zlib";

/*
 * How contents are compressed: by zstd, with an earlier content as its dictionary where that saves half. Contents form
 * chains, each on the one before it, of a bounded length.
 */

/** Contents that have to be read before one of them, at most. */
const longestChain = 31;
/** Bytes that a chain has when it is decompressed, at most: so long pages have short chains. */
const mostChainBytes = 6 * 1024 * 1024;
const level = 6;
/** Bytes of a chain that is unpacked at once, in some 2 ms: a thread for each of its contents takes twice as long. */
const mostPackedAtOnce = 32 * 1024;

/** Where a content is in its chain. */
export interface Link {
  /** Contents before it. */
  depth: number;
  /** Bytes of those before it and its own, decompressed. */
  chainBytes: number;
}

/** A content as it is stored. */
export interface Packed extends Link {
  data: Buffer;
  /** The content that its dictionary is; absent where it needs none. */
  base?: string;
}

/** A content that another one may be compressed against. */
export interface Base extends Link {
  hash: string;
  content: Uint8Array;
}

const compress = promisify<Uint8Array, ZstdOptions, Buffer>(zstdCompress);
const decompress = promisify<Uint8Array, ZstdOptions, Buffer>(zstdDecompress);

/** Packs a content, against another one where there is one and that pays. */
export async function pack(content: Uint8Array, base: Base | null): Promise<Packed> {
  if (!base || !mayFollow(base, content)) return whole(content, await compress(content, options()));
  const delta = await compress(content, options(base.content));
  if (isSurelySmall(content, delta)) return following(base, content, delta);
  return shorter(content, base, delta, await compress(content, options()));
}

/** Packs a content at once, within a transaction. */
export function packNow(content: Uint8Array, base: Base | null): Packed {
  if (!base || !mayFollow(base, content)) return whole(content, zstdCompressSync(content, options()));
  const delta = zstdCompressSync(content, options(base.content));
  if (isSurelySmall(content, delta)) return following(base, content, delta);
  return shorter(content, base, delta, zstdCompressSync(content, options()));
}

/** The last content of a chain, whose first one needs no dictionary. */
export async function unpack(chain: readonly Uint8Array[]): Promise<Buffer> {
  const packedBytes = chain.reduce((sum, { length }) => sum + length, 0);
  if (packedBytes <= mostPackedAtOnce) return unpackNow(chain);
  let content: Buffer | undefined;
  for (const data of chain) content = await decompress(data, asBase(content));
  return content ?? Buffer.alloc(0);
}

/** Unpacks a chain at once, within a transaction. */
export function unpackNow(chain: readonly Uint8Array[]): Buffer {
  let content: Buffer | undefined;
  for (const data of chain) content = zstdDecompressSync(data, asBase(content));
  return content ?? Buffer.alloc(0);
}

function mayFollow({ depth, chainBytes }: Link, content: Uint8Array): boolean {
  return depth < longestChain && chainBytes + content.length <= mostChainBytes;
}

/** Below what the content can be compressed to without a dictionary: nothing has to be compared. */
function isSurelySmall(content: Uint8Array, delta: Uint8Array): boolean {
  return delta.length * 40 < content.length;
}

function shorter(content: Uint8Array, base: Base, delta: Buffer, full: Buffer): Packed {
  return delta.length < full.length / 2 ? following(base, content, delta) : whole(content, full);
}

function whole({ length }: Uint8Array, data: Buffer): Packed {
  return { data, depth: 0, chainBytes: length };
}

function following({ hash, depth, chainBytes }: Base, { length }: Uint8Array, data: Buffer): Packed {
  return { data, base: hash, depth: depth + 1, chainBytes: chainBytes + length };
}

function options(dictionary?: Uint8Array): ZstdOptions {
  return { params: { [constants.ZSTD_c_compressionLevel]: level }, ...asBase(dictionary) };
}

/** An empty content is no dictionary. */
function asBase(dictionary: Uint8Array | undefined): ZstdOptions {
  return dictionary?.length ? { dictionary } : {};
}
