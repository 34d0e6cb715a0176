import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";

export interface Streaming {
  /** The status line that refuses a stream; undefined takes it. */
  refusal(request: IncomingMessage, url: URL): string | undefined;
  opened?(stream: WebSocket, url: URL): void;
}

/** Streams of a server over WebSocket, which can be cut. */
export class FlakyStreams {
  readonly #streaming: Streaming;
  readonly #open = new Set<WebSocket>();
  readonly #webSockets = new WebSocketServer({ noServer: true });
  #isCut = false;

  constructor(streaming: Streaming) {
    this.#streaming = streaming;
  }

  get count(): number {
    return this.#open.size;
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const url = new URL(request.url ?? "/", "http://streams.test");
    const refusal = this.#isCut ? "503 Service Unavailable" : this.#streaming.refusal(request, url);
    if (refusal) return void socket.end(`HTTP/1.1 ${refusal}\r\nconnection: close\r\n\r\n`);
    this.#webSockets.handleUpgrade(request, socket, head, stream => {
      this.#open.add(stream);
      stream.on("close", () => this.#open.delete(stream));
      this.#streaming.opened?.(stream, url);
    });
  }

  send(message: string | Uint8Array): void {
    for (const stream of this.#open) stream.send(message);
  }

  /** Ends all of them as a network does. */
  terminate(): void {
    for (const stream of this.#open) stream.terminate();
  }

  /** And takes none until `heal`. */
  cut(): void {
    this.#isCut = true;
    this.terminate();
  }

  heal(): void {
    this.#isCut = false;
  }

  close(): void {
    this.#webSockets.close();
  }
}
