import type { WrittenEvent } from "../../../mixins/event-log/event-log.ts";
import type { EventType } from "../../contracts/events.ts";

/** An event as connections send it. Its bytes are made once, at the first of them, and shared by all. */
export class OutgoingEvent implements WrittenEvent {
  readonly seq: number;
  readonly id: string;
  readonly type: EventType;
  readonly timestamp: string;
  readonly conversation: string | null;
  readonly sourceId: string | null;
  readonly json: string;
  #frame: Buffer | undefined;
  #sse: Buffer | undefined;

  constructor({ seq, id, type, timestamp, conversation, sourceId, json }: WrittenEvent) {
    this.seq = seq;
    this.id = id;
    this.type = type;
    this.timestamp = timestamp;
    this.conversation = conversation;
    this.sourceId = sourceId;
    this.json = json;
  }

  /** As a frame of a WebSocket. */
  get frame(): Buffer {
    this.#frame ??= textFrame(`{"type":"event","event":${this.json}}`);
    return this.#frame;
  }

  /** As a server-sent event. */
  get sse(): Buffer {
    this.#sse ??= Buffer.from(`id: ${this.seq}\ndata: ${this.json}\n\n`);
    return this.#sse;
  }
}

/** First byte of a frame that is a whole text (RFC 6455, 5.2). */
const wholeText = 0x81;

/** A text of a server, which masks nothing, as one frame. */
function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const headLength = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headLength + length);
  frame[0] = wholeText;
  if (headLength === 2) frame[1] = length;
  else if (headLength === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, headLength);
  return frame;
}
