import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { constants, deflateRaw, inflateRaw } from "node:zlib";

/** Largest size of a message before compression. The largest answers of the services are well below it. */
export const maxMessageBytes = 64 * 1024 * 1024;

/** First byte of a part. All other messages are JSON, which never begins with it. */
const mark = 1;
/** Before the id: the mark and the length of the id. Behind it: the part's index and the number of parts. */
const beforeId = 2;
const behindId = 4 + 4;
/** Parts of an incomplete message, for example of a sender that died, are dropped after this time. */
const staleMs = 60_000;

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Compresses a message of a node and splits it into parts of at most `partBytes` each, header included. */
export async function partsOf(message: Buffer, partBytes: number, nodeID: string): Promise<Buffer[]> {
  const packed = await deflate(message, { level: constants.Z_BEST_SPEED });
  const id = Buffer.from(`${randomBytes(8).toString("hex")} ${nodeID}`);
  const size = partBytes - beforeId - id.length - behindId;
  const count = Math.ceil(packed.length / size);
  return Array.from({ length: count }, (_, at) =>
    Buffer.concat([headOf(id, at, count), packed.subarray(at * size, (at + 1) * size)]),
  );
}

export function isPart(bytes: Buffer): boolean {
  return bytes[0] === mark;
}

/** The node that sent a part. */
export function senderOf(part: Buffer): string {
  const id = part.toString("utf8", beforeId, endOfId(part));
  return id.slice(id.indexOf(" ") + 1);
}

interface Incomplete {
  parts: Buffer[];
  missing: number;
  since: number;
}

/** Assembles messages from their parts. The parts of one message arrive in order; those of several may be mixed. */
export class MessageAssembly {
  readonly #incomplete = new Map<string, Incomplete>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The message when this was its last part, else undefined. */
  async add(part: Buffer): Promise<Buffer | undefined> {
    const end = endOfId(part);
    const id = part.toString("utf8", beforeId, end);
    const at = part.readUInt32BE(end);
    const count = part.readUInt32BE(end + 4);
    const message = this.#incomplete.get(id) ?? this.#begin(id, count);
    message.parts[at] = part.subarray(end + behindId);
    message.missing -= 1;
    if (message.missing > 0) return undefined;
    this.#incomplete.delete(id);
    return inflate(Buffer.concat(message.parts), { maxOutputLength: maxMessageBytes });
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
  const place = Buffer.alloc(behindId);
  place.writeUInt32BE(at);
  place.writeUInt32BE(count, 4);
  return Buffer.concat([Buffer.of(mark, id.length), id, place]);
}

function endOfId(part: Buffer): number {
  return beforeId + (part[1] ?? 0);
}
