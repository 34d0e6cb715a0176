import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How many requests of a connection may wait while it is still read, however many wait on others. */
const few = 2;
/** Requests beyond those that may wait on all connections together: they take some 20 MB. */
const defaultMost = 10_000;

/**
 * Serves one request of a connection at a time, in the order in which they came (RFC 9112, 9.3.2). Node hands over all
 * requests of what it has read of a connection, some 3,000 in 64 KB, whether anybody takes the answers or not. Here each
 * waits until the answer before it was taken, and while many wait the connection is not read.
 */
export class Pipelines {
  readonly #handler: RequestListener;
  readonly #most: number;
  readonly #pipelines = new WeakMap<Socket, Pipeline>();
  #waiting = 0;

  constructor(handler: RequestListener, most = defaultMost) {
    this.#handler = handler;
    this.#most = most;
  }

  /** The listener of the server. A connection that lets too many wait is closed. */
  readonly handle: RequestListener = (req, res) => {
    const pipeline = this.#pipelineOf(req.socket);
    if (!pipeline.isBusy) {
      pipeline.serve({ req, res });
      return;
    }
    if (pipeline.length >= few && this.#waiting >= this.#most) {
      req.socket.destroy();
      return;
    }
    this.#waiting += 1;
    pipeline.add({ req, res });
  };

  /** Whether a request of a connection is being answered. */
  isBusy(socket: Socket): boolean {
    return this.#pipelines.get(socket)?.isBusy ?? false;
  }

  #pipelineOf(socket: Socket): Pipeline {
    const known = this.#pipelines.get(socket);
    if (known) return known;
    const pipeline = new Pipeline(socket, this.#handler, left => {
      this.#waiting -= left;
    });
    this.#pipelines.set(socket, pipeline);
    return pipeline;
  }
}

interface Exchange {
  req: IncomingMessage;
  res: ServerResponse;
}

/** The requests of one connection. */
class Pipeline {
  isBusy = false;
  readonly #socket: Socket;
  readonly #handler: RequestListener;
  /** Called with the number of requests that no longer wait. */
  readonly #onLeft: (left: number) => void;
  #waiting: Exchange[] = [];
  #isHeld = false;

  constructor(socket: Socket, handler: RequestListener, onLeft: (left: number) => void) {
    this.#socket = socket;
    this.#handler = handler;
    this.#onLeft = onLeft;
  }

  get length(): number {
    return this.#waiting.length;
  }

  serve({ req, res }: Exchange): void {
    this.isBusy = true;
    res.on("close", this.#next);
    this.#handler(req, res);
  }

  add(exchange: Exchange): void {
    this.#waiting.push(exchange);
    if (this.#isHeld || this.#waiting.length <= few) return;
    this.#isHeld = true;
    this.#socket.on("resume", this.#hold);
    this.#hold();
  }

  readonly #next = (): void => {
    this.isBusy = false;
    // After an answer with `Connection: close` it is not writable, and soon destroyed.
    if (!this.#socket.writable) this.#giveUp();
    const exchange = this.#waiting.shift();
    if (!exchange) return;
    this.#onLeft(1);
    if (this.#isHeld && this.#waiting.length <= few) this.#release();
    this.serve(exchange);
  };

  /** Node reads on as soon as the body of a request was read. */
  readonly #hold = (): void => {
    this.#socket.pause();
  };

  #release(): void {
    this.#isHeld = false;
    this.#socket.off("resume", this.#hold);
    this.#socket.resume();
  }

  /** Drops the waiting requests of a connection that has closed. */
  #giveUp(): void {
    this.#onLeft(this.#waiting.length);
    this.#waiting = [];
  }
}
