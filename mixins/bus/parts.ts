import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { constants, deflateRaw, inflateRaw } from "node:zlib";

/** What a message may have before it is packed. The largest answer of the service is well below. */
export const largestBytes = 64 * 1024 * 1024;

/** JSON, which all other messages are, never begins with it. */
const mark = 1;
const idBytes = 16;
/** The mark, the message's id, the part's place, and how many parts there are. */
const headBytes = 1 + idBytes + 4 + 4;
/** Parts of a message that never became whole, as when its sender died, are dropped after this. */
const staleMs = 60_000;

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Packs a message and cuts it into parts of at most `partBytes` each, head included. */
export async function partsOf(message: Buffer, partBytes: number): Promise<Buffer[]> {
  const packed = await deflate(message, { level: constants.Z_BEST_SPEED });
  const size = partBytes - headBytes;
  const count = Math.ceil(packed.length / size);
  const id = randomBytes(idBytes);
  return Array.from({ length: count }, (_, at) =>
    Buffer.concat([headOf(id, at, count), packed.subarray(at * size, (at + 1) * size)]),
  );
}

export function isPart(bytes: Buffer): boolean {
  return bytes[0] === mark;
}

interface Incomplete {
  parts: Buffer[];
  missing: number;
  since: number;
}

/** Puts messages together again. Parts of one message come in order; those of several may be mixed. */
export class Assembly {
  readonly #incomplete = new Map<string, Incomplete>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The message, once this was its last part. */
  async add(part: Buffer): Promise<Buffer | undefined> {
    const id = part.toString("latin1", 1, 1 + idBytes);
    const at = part.readUInt32BE(1 + idBytes);
    const count = part.readUInt32BE(1 + idBytes + 4);
    const message = this.#incomplete.get(id) ?? this.#begin(id, count);
    message.parts[at] = part.subarray(headBytes);
    message.missing -= 1;
    if (message.missing > 0) return undefined;
    this.#incomplete.delete(id);
    return inflate(Buffer.concat(message.parts), { maxOutputLength: largestBytes });
  }

  get size(): number {
    return this.#incomplete.size;
  }

  #begin(id: string, count: number): Incomplete {
    const since = this.#now();
    for (const [old, message] of this.#incomplete)
      if (since - message.since > staleMs) this.#incomplete.delete(old);
    const message = { parts: [], missing: count, since };
    this.#incomplete.set(id, message);
    return message;
  }
}

function headOf(id: Buffer, at: number, count: number): Buffer {
  const head = Buffer.alloc(headBytes);
  head[0] = mark;
  id.copy(head, 1);
  head.writeUInt32BE(at, 1 + idBytes);
  head.writeUInt32BE(count, 1 + idBytes + 4);
  return head;
}
