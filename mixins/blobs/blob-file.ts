import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** What stands before the bytes: the length of this as JSON in 4 bytes, then this. */
export interface BlobHeader {
  owner: string;
  contentType: string;
}

const lengthBytes = 4;

/** Writes a file that is either whole and durable under its name, or not there. */
export async function writeBlob(path: string, header: BlobHeader, bytes: Uint8Array): Promise<void> {
  const draft = `${path}.draft`;
  try {
    await writeDurably(draft, [encodeHeader(header), bytes]);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** The header and where the bytes start. */
export async function readHeader(file: FileHandle): Promise<{ header: BlobHeader; start: number }> {
  const prefix = Buffer.alloc(lengthBytes);
  await file.read(prefix, 0, lengthBytes, 0);
  const json = Buffer.alloc(prefix.readUInt32BE());
  await file.read(json, 0, json.length, lengthBytes);
  return { header: JSON.parse(json.toString()) as BlobHeader, start: lengthBytes + json.length };
}

function encodeHeader(header: BlobHeader): Buffer {
  const json = Buffer.from(JSON.stringify(header));
  const prefix = Buffer.alloc(lengthBytes);
  prefix.writeUInt32BE(json.length);
  return Buffer.concat([prefix, json]);
}

async function writeDurably(path: string, parts: Uint8Array[]): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    for (const part of parts) await file.writeFile(part);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A rename is durable once its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
