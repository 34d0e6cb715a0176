import { randomBytes } from "node:crypto";
import { unzipSync } from "node:zlib";
import type { Long } from "@mtcute/core";
import { createAesIgeForMessage, type TlBinaryReader } from "@mtcute/core/utils.js";
import { crypto, int, long, readerOf } from "./wire.ts";

export interface Message {
  id: Long;
  body: TlBinaryReader;
}

export interface Opened {
  salt: Long;
  sessionId: Long;
  message: Message;
}

const gzipPackedId = 0x3072cfa1;
const containerId = 0x73f1f8dc;

/** What the client has encrypted with the key (core.telegram.org/mtproto/description). */
export function open(key: Uint8Array, packet: Uint8Array): Opened {
  const msgKey = packet.subarray(8, 24);
  const plain = createAesIgeForMessage(crypto, key, msgKey, true).decrypt(packet.subarray(24));
  const reader = readerOf(plain);
  const [salt, sessionId, id] = [reader.long(), reader.long(), reader.long(true)];
  reader.uint();
  return { salt, sessionId, message: { id, body: inner(reader) } };
}

export function seal(key: Uint8Array, salt: Long, sessionId: Long, message: Uint8Array): Uint8Array {
  const padding = 12 + ((16 - ((16 + message.length + 12) % 16)) % 16);
  const plain = Buffer.concat([long(salt), long(sessionId), message, randomBytes(padding)]);
  const msgKey = crypto.sha256(Buffer.concat([key.subarray(96, 128), plain])).subarray(8, 24);
  const sealed = createAesIgeForMessage(crypto, key, msgKey, false).encrypt(new Uint8Array(plain));
  return Buffer.concat([keyId(key), msgKey, sealed]);
}

/** By which packets say what they are encrypted with. */
export function keyId(key: Uint8Array): Uint8Array {
  return crypto.sha1(key).subarray(-8);
}

/** The messages of a container, or the one that there is, unzipped. */
export function unpack({ id, body }: Message): Message[] {
  const type = body.peekUint();
  if (type === gzipPackedId) {
    body.uint();
    return unpack({ id, body: readerOf(unzipSync(body.bytes())) });
  }
  if (type !== containerId) return [{ id, body }];
  body.uint();
  return Array.from({ length: body.uint() }, () => {
    const id = body.long(true);
    body.uint();
    return { id, body: inner(body) };
  }).flatMap(unpack);
}

export function container(messages: Uint8Array[]): Uint8Array {
  return Buffer.concat([int(containerId), int(messages.length), ...messages]);
}

/** What the length before it says that it holds. */
function inner(reader: TlBinaryReader): TlBinaryReader {
  return readerOf(reader.raw(reader.uint()));
}
