import { Readable } from "node:stream";
import { fail } from "../../contracts/errors.ts";

/** Bytes of files that a gateway holds at a time. */
const defaultMost = 128 * 1024 * 1024;

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
  readonly #bySender = new Map<string, number>();
  #bytes = 0;

  constructor(most = defaultMost) {
    this.#most = most;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Opens the account of one upload; it is to be closed when its request has ended. A sender, which is an owner of keys,
   * takes at most half of the room that the others leave.
   */
  open(sender: string): UploadAccount {
    let held = 0;
    let isClosed = false;
    return {
      add: bytes => {
        if (isClosed) return;
        const before = this.#bySender.get(sender) ?? 0;
        const ofSender = before + bytes;
        if (this.#bytes + bytes > this.#most)
          throw fail("overloaded", "Too many files are being sent. Try again soon.", { retry_after: 1 });
        if (ofSender > (this.#most - (this.#bytes - before)) / 2)
          throw fail("rate_limited", "Your keys are sending too many files at a time.", { retry_after: 1 });
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

/**
 * The bytes of a file. The stream stays open behind them until the call that it goes with has ended: an error says that the
 * client has gone, which is the only way to tell another node.
 */
export class FileStream extends Readable {
  readonly #chunks: Generator<Buffer>;

  constructor({ pieces }: Pick<Upload, "pieces">) {
    super();
    this.#chunks = chunksOf(pieces);
    // Where nobody reads it any more, an error is no news.
    this.on("error", () => undefined);
  }

  override _read(): void {
    const { done, value } = this.#chunks.next();
    if (!done) this.push(value);
  }

  /** Ends it where it is. */
  stop(): void {
    this.#chunks.return(undefined);
    if (!this.destroyed) this.push(null);
  }
}

interface Uploading {
  upload?: Upload | undefined;
  /** Called when the request has ended. */
  endUpload?: (() => void) | undefined;
}

/**
 * Runs a call that takes the file of a request, if there is one. The file's room is given back when the call has ended,
 * since it holds the bytes until then; a client that leaves ends it.
 */
export async function sendUpload<Answer>(
  req: Uploading,
  run: (stream: Readable | undefined) => Promise<Answer>,
): Promise<Answer> {
  const { upload, endUpload } = req;
  if (upload === undefined) return await run(undefined);
  const stream = new FileStream(upload);
  req.upload = undefined;
  req.endUpload = () => void stream.destroy(new Error("The client has gone."));
  try {
    return await run(stream);
  } finally {
    stream.stop();
    req.endUpload = undefined;
    endUpload?.();
  }
}

function* chunksOf(pieces: readonly Buffer[]): Generator<Buffer> {
  for (const piece of pieces)
    for (let at = 0; at < piece.length; at += chunkBytes) yield piece.subarray(at, at + chunkBytes);
}
