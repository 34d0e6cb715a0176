import type { Duplex } from "node:stream";
import { WebSocket } from "ws";
import { EventStream, type StreamContext, type StreamOptions, type Wire } from "./event-stream.ts";
import type { OutgoingEvent } from "./outgoing-event.ts";
import { type Ending, type Frame, type HelloFrame, tooSlow } from "./protocol.ts";

/** A stream over a WebSocket, and the connection below it. It ignores what the client sends. */
export function socketStream(
  context: StreamContext,
  keyId: string,
  socket: WebSocket,
  connection: Duplex,
): EventStream {
  const stream = new EventStream(context, keyId, new SocketWire(socket, connection, context.options));
  connection.on("drain", () => stream.writable());
  keepAlive(socket, stream, context.options);
  socket.once("close", () => stream.close());
  return stream;
}

/** Pings a client until its connection closes, and cuts one that does not answer. */
export function keepAlive(
  socket: WebSocket,
  stream: Pick<EventStream, "wake" | "isEnding">,
  { heartbeatMs, pongMs }: Pick<StreamOptions, "heartbeatMs" | "pongMs">,
): void {
  const heartbeat = new Heartbeat(
    {
      ping: () => ping(socket, stream),
      // A client that does not read does not answer either; the stream bounds how long.
      dead: () => stream.isEnding || socket.terminate(),
    },
    heartbeatMs,
    pongMs,
  );
  socket.on("pong", () => heartbeat.start());
  socket.once("close", () => heartbeat.stop());
  heartbeat.start();
}

/** Behind waiting events a ping would be late; the rule for slow consumers covers those. */
function ping(socket: WebSocket, stream: Pick<EventStream, "wake">): boolean {
  stream.wake();
  if (socket.bufferedAmount > 0) return false;
  socket.ping();
  return true;
}

class SocketWire implements Wire {
  readonly #socket: WebSocket;
  readonly #connection: Duplex;
  readonly #options: StreamOptions;

  constructor(socket: WebSocket, connection: Duplex, options: StreamOptions) {
    this.#socket = socket;
    this.#connection = connection;
    this.#options = options;
  }

  hello(frame: HelloFrame): void {
    sendFrame(this.#socket, frame);
  }

  /** Writes bytes that all share, where ws would make a frame for each. What ws sends itself it writes as a whole. */
  event({ frame }: OutgoingEvent): boolean {
    // What is sent on a closing socket would wait, and never be dropped.
    return this.#socket.readyState !== WebSocket.OPEN || this.#connection.write(frame);
  }

  together(work: () => void): void {
    this.#connection.cork();
    work();
    this.#connection.uncork();
  }

  end(ending: Ending): void {
    endSocket(this.#socket, ending, this.#options);
  }
}

/** Sends the reason and starts the closing handshake. */
export function endSocket(
  socket: WebSocket,
  ending: Ending,
  { closeMs }: Pick<StreamOptions, "closeMs">,
): void {
  const { code, error } = ending;
  if (error) sendFrame(socket, error);
  socket.close(code, error?.code);
  // The reason waits behind events that the client has not read; the WebSocket server bounds how long it may linger.
  if (ending === tooSlow) return;
  const cut = setTimeout(() => socket.terminate(), closeMs);
  socket.once("close", () => clearTimeout(cut));
}

function sendFrame(socket: WebSocket, frame: Frame): void {
  // ws counts what is sent on a closing socket as buffered, and never drops it.
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
}

interface Beat {
  /** False when a ping would be late for another reason; then only the next one counts. */
  ping(): boolean;
  /** The pong did not arrive in time. */
  dead(): void;
}

/** Pings a connection at intervals, and reports a missing pong. */
class Heartbeat {
  readonly #beat: Beat;
  readonly #everyMs: number;
  readonly #pongMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(beat: Beat, everyMs: number, pongMs: number) {
    this.#beat = beat;
    this.#everyMs = everyMs;
    this.#pongMs = pongMs;
  }

  /** Starts the timer, or restarts it after a pong. */
  start(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ping(), this.#everyMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #ping(): void {
    if (this.#beat.ping()) this.#timer = setTimeout(() => this.#beat.dead(), this.#pongMs);
    else this.start();
  }
}
