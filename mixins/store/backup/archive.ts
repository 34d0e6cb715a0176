/** A file within a backup. Its reader takes `content` to the end before it asks for the next one. */
export interface BackupFile {
  /** Relative, with `/`. */
  name: string;
  /** Bytes. */
  size: number;
  content: AsyncIterable<Buffer>;
}

const block = 512;
const longestName = 100;
/** Eleven octal digits; larger sizes are written in base 256, as GNU tar does. */
const octalLimit = 8 ** 11;

/** Writes files as a tar archive (POSIX ustar, for its owner only). The end marks it as whole. */
export async function* tarOf(files: AsyncIterable<BackupFile>): AsyncGenerator<Buffer, void, void> {
  for await (const file of files) yield* entryOf(file);
  yield Buffer.alloc(2 * block);
}

async function* entryOf({ name, size, content }: BackupFile): AsyncGenerator<Buffer, void, void> {
  yield headerOf(name, size);
  let written = 0;
  for await (const part of content) {
    written += part.length;
    if (written > size) break;
    yield part;
  }
  if (written !== size) throw new Error(`${name} has changed while it was read.`);
  yield Buffer.alloc(paddingOf(size));
}

function headerOf(path: string, size: number): Buffer {
  const header = Buffer.alloc(block);
  const cut = path.length > longestName ? path.lastIndexOf("/") : -1;
  const fields: [number, string][] = [
    [0, path.slice(cut + 1)],
    [100, "0000600\0"],
    [108, "0000000\0"],
    [116, "0000000\0"],
    [136, "00000000000\0"],
    [148, " ".repeat(8)],
    [156, "0"],
    [257, "ustar\x0000"],
    [345, cut < 0 ? "" : path.slice(0, cut)],
  ];
  for (const [at, text] of fields) header.write(text, at, "latin1");
  if (size < octalLimit) header.write(`${size.toString(8).padStart(11, "0")}\0`, 124, "latin1");
  else {
    header[124] = 0x80;
    header.writeBigUInt64BE(BigInt(size), 128);
  }
  header.write(`${sumOf(header).toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return header;
}

function sumOf(header: Buffer): number {
  return header.reduce((sum, byte) => sum + byte, 0);
}

function paddingOf(size: number): number {
  return (block - (size % block)) % block;
}

/** Reads the files of a tar archive that `tarOf` has written. Throws for one that is cut off. */
export async function* filesIn(bytes: AsyncIterable<Buffer>): AsyncGenerator<BackupFile, void, void> {
  const source = new Parts(bytes);
  try {
    for (;;) {
      const header = await source.exactly(block);
      if (header.every(byte => byte === 0)) return await source.drain();
      const { name, size } = parsed(header);
      yield { name, size, content: source.take(size) };
      await source.exactly(paddingOf(size));
    }
  } finally {
    await source.end();
  }
}

function parsed(header: Buffer): { name: string; size: number } {
  const text = (from: number, to: number) => header.toString("latin1", from, to).replace(/[\0 ].*$/s, "");
  const sum = Number.parseInt(text(148, 156), 8);
  const plain = Buffer.concat([header.subarray(0, 148), Buffer.alloc(8, " "), header.subarray(156)]);
  if (text(257, 263) !== "ustar" || sum !== sumOf(plain)) throw new Error("This is no backup of Magpie.");
  const [name, prefix] = [text(0, 100), text(345, 500)];
  const size =
    header[124] === 0x80 ? Number(header.readBigUInt64BE(128)) : Number.parseInt(text(124, 136), 8);
  return { name: prefix === "" ? name : `${prefix}/${name}`, size };
}

/** Bytes that come in parts of any length, in the lengths that are asked for. */
class Parts {
  readonly #source: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(bytes: AsyncIterable<Buffer>) {
    this.#source = bytes[Symbol.asyncIterator]();
  }

  async exactly(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of this.take(length)) parts.push(part);
    return Buffer.concat(parts);
  }

  async *take(length: number): AsyncGenerator<Buffer, void, void> {
    for (let left = length; left > 0; ) {
      const part = this.#rest.length > 0 ? this.#rest : await this.#next();
      const taken = part.subarray(0, left);
      this.#rest = part.subarray(taken.length);
      left -= taken.length;
      yield taken;
    }
  }

  /** What unpacks the bytes checks its sum at their end. */
  async drain(): Promise<void> {
    while (!(await this.#source.next()).done);
  }

  async end(): Promise<void> {
    await this.#source.return?.();
  }

  async #next(): Promise<Buffer> {
    const { done, value } = await this.#source.next();
    if (done) throw new Error("The backup ends in the middle.");
    return value;
  }
}
