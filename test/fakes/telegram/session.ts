import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { Long } from "@mtcute/core";
import { container, seal } from "./envelope.ts";
import { frame } from "./frames.ts";
import { int, long, tlObject, write } from "./wire.ts";

export const salt = Long.fromNumber(20_081);

/** One session of the client, which lives as long as its connection. */
export class Session {
  readonly id: Long;
  readonly seen = new Set<string>();
  readonly #socket: Socket;
  readonly #key: Uint8Array;
  /** What goes with whatever is sent first. */
  #greeting: Uint8Array | undefined;
  #isBegun = false;
  #sent = 0;

  constructor(socket: Socket, key: Uint8Array, id: Long) {
    this.id = id;
    this.#socket = socket;
    this.#key = key;
  }

  /** Tells the client, once, that messages before this one are lost. */
  begin(firstMsgId: Long): void {
    if (this.#isBegun) return;
    this.#isBegun = true;
    const uniqueId = Long.fromBytesLE([...randomBytes(8)]);
    this.#greeting = write(tlObject("mt_new_session_created", { firstMsgId, uniqueId, serverSalt: salt }));
  }

  /** 4: was received; 1: nothing is known of it (core.telegram.org/mtproto/service_messages_about_messages). */
  states(reqMsgId: Long, ids: Long[]): Uint8Array {
    const info = Uint8Array.from(ids, id => (this.seen.has(id.toString()) ? 4 : 1));
    return write(tlObject("mt_msgs_state_info", { reqMsgId, info }));
  }

  reply(body: Uint8Array): void {
    this.#send(body, 1);
  }

  push(body: Uint8Array): void {
    this.#send(body, 3);
  }

  #send(body: Uint8Array, kind: number): void {
    if (this.#socket.destroyed) return;
    const message = this.#message(body, kind);
    const greeted = this.#greeting
      ? this.#message(container([this.#message(this.#greeting, 3), message]), kind)
      : message;
    this.#greeting = undefined;
    this.#socket.write(frame(seal(this.#key, salt, this.id, greeted)));
  }

  /** Ids are the time in seconds times 2^32, and odd: 1 modulo 4 for replies, 3 for others. */
  #message(body: Uint8Array, kind: number): Uint8Array {
    this.#sent += 1;
    const id = Long.fromBits(this.#sent * 4 + kind, Math.floor(Date.now() / 1000));
    return Buffer.concat([long(id), int(this.#sent * 2 + 1), int(body.length), body]);
  }
}
