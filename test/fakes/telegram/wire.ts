import type { Long } from "@mtcute/core";
import { __tlReaderMap, __tlWriterMap, TlBinaryReader, TlBinaryWriter } from "@mtcute/core/utils.js";
import { NodeCrypto } from "../../../services/connectors/platforms/telegram/node-platform.ts";

/** What the library writes, whatever fields it has. */
export interface TlObject {
  _: string;
}

/** The first user initializes it. */
export const crypto = new NodeCrypto();

export function tlObject(name: string, fields: Record<string, unknown>): TlObject {
  return { _: name, ...fields };
}

export function write(object: TlObject): Uint8Array {
  return TlBinaryWriter.serializeObject(__tlWriterMap, object);
}

/** A copy, since readers begin at the start of whatever buffer they are given. */
export function readerOf(bytes: Uint8Array): TlBinaryReader {
  return new TlBinaryReader(__tlReaderMap, new Uint8Array(bytes));
}

export function int(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value | 0);
  return bytes;
}

export function long(value: Long): Uint8Array {
  return Uint8Array.from(value.toBytesLE());
}
