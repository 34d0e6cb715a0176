import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";

type OnUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** An HTTP server that can be away: connections break off, and new ones come to nothing. */
export class FlakyServer {
  readonly #sockets = new Set<Socket>();
  readonly #server;
  #isAway = false;

  constructor(serve: RequestListener, upgrade?: OnUpgrade) {
    this.#server = createServer(serve);
    this.#server.on("connection", socket => {
      if (this.#isAway) return socket.destroy();
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
    if (upgrade) this.#server.on("upgrade", upgrade);
  }

  async start(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  /** With the port. */
  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  goAway(): void {
    this.#isAway = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  heal(): void {
    this.#isAway = false;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.goAway();
    await once(this.#server, "close");
  }
}
