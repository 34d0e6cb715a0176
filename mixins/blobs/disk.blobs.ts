import { type FileHandle, mkdir, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { readHeader, writeBlob } from "./blob-file.ts";
import { expiryOf, folderOf, groupFolderOf, hourOf, makeKey } from "./blob-key.ts";
import type { BlobMeta, Blobs, OpenBlob } from "./blobs.ts";

/** Blobs as files: `<root>/<hour of expiry>/<key>` or `<root>/groups/<group>/<key>`. `now` gives Unix time in ms. */
export function diskBlobs(root: string, now: () => number = Date.now): Blobs {
  return {
    put: (bytes, meta) => put(root, bytes, meta, now()),
    open: (key, owner) => openBlob(root, key, owner, now()),
    dropGroup: group => removeGroup(join(root, groupFolderOf(group))),
    sweep: until => sweep(root, until),
  };
}

async function put(root: string, bytes: Uint8Array, meta: BlobMeta, now: number): Promise<string> {
  const key = makeKey(meta, now);
  const folder = join(root, folderOf(key) ?? "");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeBlob(join(folder, key), { owner: meta.owner, contentType: meta.contentType }, bytes);
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

/** What is put into it meanwhile goes with it: until then the folder is not empty when it has been cleared. */
function removeGroup(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
}

/** Whole folders of past hours, drafts of a dead process included, and the expired entries of the present hour. */
async function sweep(root: string, now: number): Promise<number> {
  const present = Number(hourOf(now));
  const folders = (await entries(root)).filter(name => Number(name) <= present);
  let removed = 0;
  for (const folder of folders)
    removed += await sweepFolder(join(root, folder), now, Number(folder) < present);
  return removed;
}

/** Nothing is put into a folder of the past any more, so it goes as a whole. */
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
