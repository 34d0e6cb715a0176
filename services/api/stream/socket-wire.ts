import { WebSocket } from "ws";
import type { WrittenEvent } from "../../../mixins/log/log.ts";
import { EventStream, type StreamHouse, type Wire } from "./event-stream.ts";
import { type Ending, type Frame, type HelloFrame, tooSlow } from "./frames.ts";
import { Heartbeat } from "./heartbeat.ts";
import type { StreamOptions } from "./options.ts";

/** A stream over a WebSocket. Whatever the client sends is read and left alone. */
export function socketStream(house: StreamHouse, keyId: string, socket: WebSocket): EventStream {
  const { heartbeatMs, pongMs } = house.options;
  const stream: EventStream = new EventStream(
    house,
    keyId,
    new SocketWire(socket, house.options, () => stream.writable()),
  );
  const heartbeat = new Heartbeat(
    {
      ping: () => ping(socket, stream),
      // Who does not read does not answer either; the stream bounds how long.
      dead: () => stream.isEnding || socket.terminate(),
    },
    heartbeatMs,
    pongMs,
  );
  socket.on("pong", () => heartbeat.start());
  socket.once("close", () => {
    heartbeat.stop();
    stream.close();
  });
  heartbeat.start();
  return stream;
}

/** Behind waiting events a ping would be late; for those the rule for slow consumers holds. */
function ping(socket: WebSocket, stream: EventStream): boolean {
  stream.wake();
  if (socket.bufferedAmount > 0) return false;
  socket.ping();
  return true;
}

class SocketWire implements Wire {
  readonly #socket: WebSocket;
  readonly #options: StreamOptions;
  readonly #onWritten: () => void;

  constructor(socket: WebSocket, options: StreamOptions, onWritable: () => void) {
    this.#socket = socket;
    this.#options = options;
    this.#onWritten = () => {
      if (socket.bufferedAmount < options.highWaterBytes / 2) onWritable();
    };
  }

  hello(frame: HelloFrame): void {
    sendFrame(this.#socket, frame);
  }

  event({ json }: WrittenEvent): boolean {
    send(this.#socket, `{"type":"event","event":${json}}`, this.#onWritten);
    return this.#socket.bufferedAmount < this.#options.highWaterBytes;
  }

  end(ending: Ending): void {
    endSocket(this.#socket, ending, this.#options);
  }
}

/** Says why and begins the closing handshake. */
export function endSocket(
  socket: WebSocket,
  ending: Ending,
  { closeMs }: Pick<StreamOptions, "closeMs">,
): void {
  const { code, error } = ending;
  if (error) sendFrame(socket, error);
  socket.close(code, error?.code);
  // Behind the events that it has not taken yet; the server bounds how long it may linger.
  if (ending === tooSlow) return;
  const cut = setTimeout(() => socket.terminate(), closeMs);
  socket.once("close", () => clearTimeout(cut));
}

function sendFrame(socket: WebSocket, frame: Frame): void {
  send(socket, JSON.stringify(frame));
}

function send(socket: WebSocket, text: string, onWritten?: () => void): void {
  // ws counts what is sent on a closing socket as waiting, and would never be rid of it.
  if (socket.readyState === WebSocket.OPEN) socket.send(text, onWritten);
}
