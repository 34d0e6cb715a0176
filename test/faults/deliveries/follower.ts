import { WebSocket } from "ws";
import type { Event } from "../../../services/contracts/events.ts";
import { Reader } from "./reader.ts";

const againMs = 50;

/** Follows a key's stream, and connects again whenever the connection ends. */
export class Follower extends Reader {
  readonly #key: string;
  readonly #address: () => string;
  #closed = false;
  #socket: WebSocket | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(key: string, address: () => string) {
    super();
    this.#key = key;
    this.#address = address;
    this.#connect();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#socket?.terminate();
  }

  #connect(): void {
    const url = `${this.#address().replace("http", "ws")}/stream?after=${this.seq}`;
    const socket = new WebSocket(url, { headers: { "x-api-key": this.#key }, handshakeTimeout: 5000 });
    this.#socket = socket;
    socket.on("open", () => {
      this.connections += 1;
    });
    socket.on("message", data => this.#hear(JSON.parse(String(data))));
    socket.on("error", () => socket.terminate());
    socket.on("close", () => {
      if (!this.#closed) this.#timer = setTimeout(() => this.#connect(), againMs);
    });
  }

  #hear(frame: { type: string; code?: string; event?: Event }): void {
    if (frame.type === "error") this.complain(`error ${frame.code}`);
    if (frame.event) this.take(frame.event);
  }
}
