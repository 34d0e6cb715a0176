import { createHash, type Hash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { type BackupFile, filesIn } from "../../mixins/store/backup/archive.ts";
import { CommandError, exitCodes } from "./failure.ts";
import { Progress } from "./screen.ts";

/** The last file of a backup: what must be in it. */
export interface Manifest {
  magpie: string;
  /** 1 of a data folder, 2 of a cluster. */
  format: 1 | 2;
  /** ISO 8601: a time before the moment that the backup shows. */
  taken_at: string;
  /** The keys are names. */
  files: Record<string, { bytes: number; sha256: string }>;
}

const manifestName = "manifest.json";

/** Passes files on and notes what they hold. */
export async function* noted(
  files: AsyncIterable<BackupFile>,
  { files: list }: Manifest,
): AsyncGenerator<BackupFile> {
  const progress = new Progress();
  let bytes = 0;
  try {
    for await (const file of files) {
      const hash = createHash("sha256");
      yield { ...file, content: hashed(file.content, hash) };
      list[file.name] = { bytes: file.size, sha256: hash.digest("hex") };
      bytes += file.size;
      if (process.stderr.isTTY) progress.show(`${file.name} … ${Math.ceil(bytes / 1024 ** 2)} MB`);
    }
  } finally {
    progress.clear();
  }
}

async function* hashed(content: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const part of content) {
    hash.update(part);
    yield part;
  }
}

export async function* withManifest(
  files: AsyncIterable<BackupFile>,
  manifest: Manifest,
): AsyncGenerator<BackupFile> {
  yield* files;
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  yield { name: manifestName, size: bytes.length, content: Readable.from([bytes]) };
}

/** The file is there as a whole and on the disk, or not at all. */
export async function writeWhole(file: string, bytes: AsyncIterable<Buffer>): Promise<void> {
  const draft = `${file}.${process.pid}.part`;
  try {
    await pipeline(
      Readable.from(bytes, { objectMode: false }),
      createGzip({ level: 3 }),
      createWriteStream(draft, { mode: 0o600, flags: "wx", flush: true }),
    );
    await rename(draft, file);
    await syncFolder(dirname(file));
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => "the first error says why");
    if (cause instanceof CommandError) throw cause;
    throw new CommandError(`No backup was made: ${(cause as Error).message}`, exitCodes.failed, { cause });
  }
}

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  await folder.sync().finally(() => folder.close());
}

/**
 * Passes each file of a backup to `take`, which reads it to its end. Throws unless they are exactly those of its manifest, and
 * it is of this format.
 */
export async function readBackup(
  path: string,
  format: Manifest["format"],
  take: (file: BackupFile) => Promise<void>,
): Promise<Manifest> {
  const found: Manifest["files"] = {};
  let manifest: Manifest | undefined;
  const bytes = createGunzip();
  const reading = pipeline(createReadStream(path), bytes);
  reading.catch(() => "its reader gets the error");
  for await (const file of filesIn(bytes)) {
    if (file.name === manifestName)
      manifest = JSON.parse((await buffer(file.content)).toString()) as Manifest;
    else {
      const hash = createHash("sha256");
      await take({ ...file, content: hashed(file.content, hash) });
      found[file.name] = { bytes: file.size, sha256: hash.digest("hex") };
    }
  }
  await reading;
  if (manifest?.format !== format) throw new Error("it is of a newer version, or no backup of Magpie.");
  for (const [name, { sha256 }] of Object.entries({ ...manifest.files, ...found }))
    if (manifest.files[name]?.sha256 !== sha256 || found[name]?.sha256 !== sha256)
      throw new Error(`${name} is not as it was written. Take another backup.`);
  return manifest;
}
