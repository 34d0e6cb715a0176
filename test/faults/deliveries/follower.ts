import { WebSocket } from "ws";
import type { Event } from "../../../services/contracts/events.ts";

const againMs = 50;

/** Follows a key's stream from its beginning, and connects again after the last event whenever the connection ends. */
export class Follower {
  /** Ids of the items that came, in order. */
  readonly items: string[] = [];
  connections = 0;
  readonly #key: string;
  readonly #address: () => string;
  readonly #wrong: string[] = [];
  #seq = 0;
  #closed = false;
  #socket: WebSocket | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(key: string, address: () => string) {
    this.#key = key;
    this.#address = address;
    this.#connect();
  }

  /** Sentences on what came twice, was left out, or never came. */
  judge(name: string, due: number, isDue: (id: string) => boolean = () => true): string[] {
    const items = this.items.filter(isDue);
    const distinct = new Set(items).size;
    return [
      ...this.#wrong.map(text => `${name}: ${text}`),
      ...(distinct === due && items.length === due
        ? []
        : [`${name}: ${due} items were due, ${items.length} came, ${distinct} of them distinct`]),
    ];
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#socket?.terminate();
  }

  #connect(): void {
    const url = `${this.#address().replace("http", "ws")}/stream?after=${this.#seq}`;
    const socket = new WebSocket(url, { headers: { "x-api-key": this.#key }, handshakeTimeout: 5000 });
    this.#socket = socket;
    socket.on("open", () => {
      this.connections += 1;
    });
    socket.on("message", data => this.#take(JSON.parse(String(data))));
    socket.on("error", () => socket.terminate());
    socket.on("close", () => {
      if (!this.#closed) this.#timer = setTimeout(() => this.#connect(), againMs);
    });
  }

  #take(frame: { type: string; code?: string; event?: Event }): void {
    if (frame.type === "error") this.#wrong.push(`error ${frame.code} after event ${this.#seq}`);
    if (!frame.event) return;
    const { seq, data } = frame.event;
    if (seq !== this.#seq + 1) this.#wrong.push(`event ${seq} came after event ${this.#seq}`);
    this.#seq = seq;
    const { item } = data as { item?: { id?: string } };
    if (item?.id) this.items.push(item.id);
  }
}
