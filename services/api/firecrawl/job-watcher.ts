import type { WebSocket } from "ws";
import type { KeyScope } from "../../contracts/key-scopes.ts";
import type { StreamContext } from "../streams/event-stream.ts";
import { type Ending, tooSlow } from "../streams/protocol.ts";
import type { OpenStream } from "../streams/registry.ts";
import { endSocket, keepAlive } from "../streams/web-socket.ts";

/** The scopes that may see how a crawl or batch goes. */
export const jobScopes = ["read", "crawl"] as const satisfies readonly KeyScope[];
/** Version 1 of their client reads the reason of the end as a message. */
export const noMessage = "{}";
/** A message goes in frames, so that a slow client takes some of a large one in time. */
const frameBytes = 64 * 1024;

/** A client that watches a job. It is pinged, ends with its key, and takes what it is sent in a bounded time. */
export class JobWatcher implements OpenStream {
  readonly keyId: string;
  readonly scopes = jobScopes;
  readonly #context: StreamContext;
  readonly #socket: WebSocket;
  readonly #ended = new AbortController();
  #isSending = false;

  constructor(context: StreamContext, keyId: string, socket: WebSocket) {
    this.keyId = keyId;
    this.#context = context;
    this.#socket = socket;
    socket.once("close", () => this.#end());
    // After a bad frame the connection may linger; it takes nothing any more.
    socket.once("error", () => this.#end());
    keepAlive(socket, this, context.options);
    context.registry.add(this);
  }

  /** Aborts when nothing more can be sent. */
  get closed(): AbortSignal {
    return this.#ended.signal;
  }

  /** It has ended, or ends soon unless the client takes what it was sent. */
  get isEnding(): boolean {
    return this.closed.aborted || this.#isSending;
  }

  wake(): void {
    // An event of the key says nothing of the job.
  }

  /** Resolves when the client has taken it, so that a slow one is not overtaken. Ends one that does not take it. */
  async send(message: object): Promise<void> {
    const bytes = Buffer.from(JSON.stringify(message));
    this.#isSending = true;
    try {
      for (let at = 0; at < bytes.length; at += frameBytes) {
        const end = at + frameBytes;
        await this.#sendFrame(bytes.subarray(at, end), end >= bytes.length);
      }
    } finally {
      this.#isSending = false;
    }
  }

  #sendFrame(bytes: Buffer, fin: boolean): Promise<void> {
    this.closed.throwIfAborted();
    return new Promise((resolve, reject) => {
      const stall = setTimeout(() => this.end(tooSlow), this.#context.options.stallMs);
      const settle = (error?: Error | null) => {
        clearTimeout(stall);
        this.closed.removeEventListener("abort", abort);
        if (error) reject(error);
        else resolve();
      };
      const abort = () => settle(new Error("The connection has ended."));
      this.closed.addEventListener("abort", abort);
      this.#socket.send(bytes, { binary: false, fin }, settle);
    });
  }

  /** Ends the connection after what was sent. */
  close(code: number, reason: string): void {
    if (this.closed.aborted) return;
    this.#socket.close(code, reason);
    this.#end();
  }

  /** Ends it for a reason that is not the job's. In the midst of a message there is no place for another one. */
  end({ code, error }: Ending): void {
    if (this.closed.aborted) return;
    if (error && !this.#isSending) this.#socket.send(JSON.stringify({ type: "error", error: error.message }));
    this.#socket.close(code, noMessage);
    this.#end();
    endSocket(this.#socket, { code }, this.#context.options);
  }

  #end(): void {
    this.#ended.abort();
    this.#context.registry.remove(this);
  }
}
