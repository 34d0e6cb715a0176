import { type FileHandle, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { diskError } from "../../runtime/disk-trouble.ts";
import {
  type BlobMeta,
  type Blobs,
  expiryOf,
  folderOf,
  groupFolderOf,
  hourOf,
  makeKey,
  type OpenBlob,
} from "./blobs.ts";

/** Blobs as files: `<root>/<hour of expiry>/<key>` or `<root>/groups/<group>/<key>`. `now` gives Unix time in ms. */
export function diskBlobs(root: string, now: () => number = Date.now): Blobs {
  return {
    put: (bytes, meta) => put(root, bytes, meta, now()),
    open: (key, owner) => openBlob(root, key, owner, now()),
    remove: key => removeBlob(root, key),
    dropGroup: group => removeGroup(join(root, groupFolderOf(group))),
    sweep: until => sweep(root, until),
  };
}

async function put(root: string, bytes: Uint8Array, meta: BlobMeta, now: number): Promise<string> {
  const key = makeKey(meta, now);
  const folder = join(root, folderOf(key) ?? "");
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeBlob(join(folder, key), { owner: meta.owner, contentType: meta.contentType }, bytes);
  } catch (error) {
    throw diskError(dirname(root), error);
  }
  return key;
}

async function openBlob(root: string, key: string, owner: string, now: number): Promise<OpenBlob | null> {
  const [folder, expiresAt] = [folderOf(key), expiryOf(key)];
  if (folder === null || expiresAt === null || expiresAt <= now) return null;
  const file = await openExisting(join(root, folder, key));
  if (!file) return null;
  try {
    const { header, start } = await readHeader(file);
    if (header.owner === owner) return await stream(file, header.contentType, start);
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  return null;
}

/** The stream closes the file at its end and when it is destroyed. */
async function stream(file: FileHandle, contentType: string, start: number): Promise<OpenBlob> {
  const { size } = await file.stat();
  return { contentType, size: size - start, body: file.createReadStream({ start }) };
}

async function openExisting(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, "r");
  } catch (error) {
    return ifMissing(error, null);
  }
}

async function removeBlob(root: string, key: string): Promise<void> {
  const folder = folderOf(key);
  if (folder === null) return;
  const path = join(root, folder, key);
  await rm(path, { force: true });
  // A process may have died while it wrote it.
  await rm(draftOf(path), { force: true });
}

/** Also removes what is put into the folder meanwhile: until it is empty, removing it fails and is retried. */
function removeGroup(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
}

/** Removes whole folders of past hours, with drafts of dead processes, and the expired entries of the present hour. */
async function sweep(root: string, now: number): Promise<number> {
  const present = Number(hourOf(now));
  const folders = (await entries(root)).filter(name => Number(name) <= present);
  let removed = 0;
  for (const folder of folders)
    removed += await sweepFolder(join(root, folder), now, Number(folder) < present);
  return removed;
}

/** No one writes to a folder of a past hour any more, so it can be removed as a whole. */
async function sweepFolder(folder: string, now: number, past: boolean): Promise<number> {
  const expired = (await entries(folder)).filter(name => (expiryOf(name) ?? Infinity) <= now);
  for (const name of expired) await rm(join(folder, name), { force: true });
  if (past) await rm(folder, { recursive: true, force: true });
  return expired.length;
}

async function entries(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    return ifMissing(error, []);
  }
}

function ifMissing<Value>(error: unknown, value: Value): Value {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return value;
  throw error;
}

/** The header before the bytes: its length in 4 bytes, then the header itself as JSON. */
interface BlobHeader {
  owner: string;
  contentType: string;
}

const lengthBytes = 4;

/** Writes a file that is either whole and durable under its name, or not there. */
async function writeBlob(path: string, header: BlobHeader, bytes: Uint8Array): Promise<void> {
  const draft = draftOf(path);
  try {
    await writeDurably(draft, [encodeHeader(header), bytes]);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

function draftOf(path: string): string {
  return `${path}.draft`;
}

/** The header and where the bytes start. */
async function readHeader(file: FileHandle): Promise<{ header: BlobHeader; start: number }> {
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
