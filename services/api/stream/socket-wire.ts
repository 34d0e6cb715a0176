import { WebSocket } from "ws";
import type { WrittenEvent } from "../../../mixins/log/log.ts";
import { EventStream, type StreamHouse, type Wire } from "./event-stream.ts";
import type { Ending, Frame, HelloFrame } from "./frames.ts";
import { Heartbeat } from "./heartbeat.ts";

/** A stream over a WebSocket. Whatever the client sends is read and left alone. */
export function socketStream(house: StreamHouse, keyId: string, socket: WebSocket): EventStream {
  const { heartbeatMs, pongMs, highWaterBytes } = house.options;
  const stream: EventStream = new EventStream(
    house,
    keyId,
    new SocketWire(socket, highWaterBytes, () => stream.writable()),
  );
  const heartbeat = new Heartbeat(
    { ping: () => ping(socket, stream), dead: () => socket.terminate() },
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
  readonly #highWaterBytes: number;
  readonly #onWritten: () => void;

  constructor(socket: WebSocket, highWaterBytes: number, onWritable: () => void) {
    this.#socket = socket;
    this.#highWaterBytes = highWaterBytes;
    this.#onWritten = () => {
      if (socket.bufferedAmount < highWaterBytes / 2) onWritable();
    };
  }

  hello(frame: HelloFrame): void {
    sendFrame(this.#socket, frame);
  }

  event({ json }: WrittenEvent): boolean {
    send(this.#socket, `{"type":"event","event":${json}}`, this.#onWritten);
    return this.#socket.bufferedAmount < this.#highWaterBytes;
  }

  end(ending: Ending): void {
    endSocket(this.#socket, ending);
  }
}

/** Says why and begins the closing handshake, which the server bounds. */
export function endSocket(socket: WebSocket, { code, error }: Ending): void {
  if (error) sendFrame(socket, error);
  socket.close(code, error?.code);
}

function sendFrame(socket: WebSocket, frame: Frame): void {
  send(socket, JSON.stringify(frame));
}

function send(socket: WebSocket, text: string, onWritten?: () => void): void {
  // ws counts what is sent on a closing socket as waiting, and would never be rid of it.
  if (socket.readyState === WebSocket.OPEN) socket.send(text, onWritten);
}
