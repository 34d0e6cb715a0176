import { Readable } from "node:stream";
import { fail } from "../../contracts/errors.ts";

/** Bytes of files that a gateway holds at a time, and of those that one key sends. */
const defaultMost = 128 * 1024 * 1024;
const defaultMostOfOne = 80 * 1024 * 1024;

/** What came of a part of a form that is a file. */
export interface Upload {
  name: string;
  /** The content type that the part states; empty where it states none. */
  type: string;
  size: number;
  pieces: readonly Buffer[];
}

/**
 * The bytes of uploaded files in the memory of this process. They are counted as they come, so a client that sends slowly
 * takes no more room than what it has sent.
 */
export class Uploads {
  readonly #most: number;
  readonly #mostOfOne: number;
  readonly #bySender = new Map<string, number>();
  #bytes = 0;

  constructor(most = defaultMost, mostOfOne = defaultMostOfOne) {
    this.#most = most;
    this.#mostOfOne = mostOfOne;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Opens the account of one upload; it is to be closed when its request has ended. */
  open(sender: string): UploadAccount {
    let held = 0;
    let isClosed = false;
    return {
      add: bytes => {
        if (isClosed) return;
        const ofSender = (this.#bySender.get(sender) ?? 0) + bytes;
        if (ofSender > this.#mostOfOne)
          throw fail("rate_limited", "This key is sending too many files at a time.", { retry_after: 1 });
        if (this.#bytes + bytes > this.#most)
          throw fail("overloaded", "Too many files are being sent. Try again soon.", { retry_after: 1 });
        this.#bySender.set(sender, ofSender);
        this.#bytes += bytes;
        held += bytes;
      },
      close: () => {
        isClosed = true;
        const left = (this.#bySender.get(sender) ?? 0) - held;
        this.#bytes -= held;
        held = 0;
        if (left > 0) this.#bySender.set(sender, left);
        else this.#bySender.delete(sender);
      },
    };
  }
}

export interface UploadAccount {
  /** Throws `overloaded` or `rate_limited` where there is no room for so many bytes more. */
  add(bytes: number): void;
  close(): void;
}

/** Each packet of a stream on the bus has one chunk, and is to fit into one message. */
const chunkBytes = 128 * 1024;

/** The file as a stream, which is read once. */
export function streamOf({ pieces }: Upload): Readable {
  return Readable.from(chunksOf(pieces), { objectMode: false });
}

function* chunksOf(pieces: readonly Buffer[]): Generator<Buffer> {
  for (const piece of pieces)
    for (let at = 0; at < piece.length; at += chunkBytes) yield piece.subarray(at, at + chunkBytes);
}
