import { createReadStream, existsSync, renameSync, rmSync } from "node:fs";
import { copyFile, link, mkdir, readdir, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { fail } from "../../../services/contracts/errors.ts";
import { shareDatabase } from "../sqlite/database.ts";
import { draftsOf, lockFolder, unlockFolder } from "../sqlite/folder-lock.ts";
import type { BackupFile } from "./archive.ts";

/**
 * Lanes before the log: a lane whose position were ahead of the log would leave events out. The other way round it repeats
 * deliveries.
 */
const databases = ["webhooks.db", "magpie.db"];
/** Pages of a database that are copied at a time, on a thread of Node's pool. */
const pagesAtATime = 500;

const underWay = new Set<string>();

/** Throws while a snapshot of this folder is made. */
export function refuseSecond(place: string): void {
  if (underWay.has(resolve(place))) throw fail("conflict", "A backup is under way. Wait for its end.");
}

/**
 * What a data folder holds at one moment, while its service works on it: the databases as they are then, and the files that
 * they refer to. They are copied (files by links) into a folder of their own first, so that a slow reader holds up nothing.
 */
export async function* snapshotOf(place: string): AsyncGenerator<BackupFile, void, void> {
  // Locks are known by the whole path.
  const dataDir = resolve(place);
  refuseSecond(dataDir);
  // No service may start on a folder that stands still; one that has it already shares its lock.
  lockFolder(dataDir);
  underWay.add(dataDir);
  const folder = draftsOf(dataDir).backup;
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { mode: 0o700 });
    await copyAll(dataDir, folder);
    for (const name of await filesBelow(folder)) yield await fileAt(folder, name);
  } finally {
    await rm(folder, { recursive: true, force: true });
    underWay.delete(dataDir);
    unlockFolder(dataDir);
  }
}

/**
 * Files are linked before the moment and once more after it: what the databases name at the moment was written before it,
 * and what is removed during the backup is linked by then. A file that nothing names any more takes room only.
 */
async function copyAll(dataDir: string, folder: string): Promise<void> {
  await linkFiles(dataDir, folder);
  const held = databases.filter(name => existsSync(join(dataDir, name))).map(name => hold(dataDir, name));
  try {
    await linkFiles(dataDir, folder);
    for (const { name, connection } of held)
      await backup(connection, join(folder, name), { rate: pagesAtATime });
  } finally {
    for (const each of held) each.release();
  }
}

/** A connection that sees a database as it is now. Others go on writing, into a log that grows until the release. */
function hold(dataDir: string, name: string) {
  const path = join(dataDir, name);
  const end = shareDatabase(path);
  const connection = new DatabaseSync(path, { readOnly: true });
  connection.exec("BEGIN");
  connection.prepare("SELECT count(*) FROM sqlite_master").get();
  const release = () => {
    connection.close();
    end();
  };
  return { name, connection, release };
}

async function linkFiles(dataDir: string, folder: string): Promise<void> {
  for (const name of await filesBelow(dataDir, "blobs")) {
    const [from, to] = [join(dataDir, name), join(folder, name)];
    if (name.endsWith(".draft") || existsSync(to)) continue;
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    await link(from, to).catch((error: NodeJS.ErrnoException) =>
      // It has gone since it was listed. Not every file system has links.
      error.code === "ENOENT" ? undefined : copyFile(from, to),
    );
  }
}

async function filesBelow(folder: string, below = ""): Promise<string[]> {
  if (!existsSync(join(folder, below))) return [];
  const entries = await readdir(join(folder, below), { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => entry.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
}

async function fileAt(folder: string, name: string): Promise<BackupFile> {
  const { size } = await stat(join(folder, name));
  return { name, size, content: createReadStream(join(folder, name)) };
}

/** More positions than any log takes in a millisecond, and some for clocks that differ. */
const positionsPerMs = 100;
const leastGap = 1_000_000_000;

/** More positions than any log may have given since a backup. */
export function gapSince(takenAt: number, now: number): number {
  return leastGap + positionsPerMs * Math.max(0, now - takenAt);
}

/**
 * Lets the logs of a restored folder go on behind every position that they may have given since the backup of `takenAt`, so
 * that none is given twice.
 */
export function skipPositions(folder: string, takenAt: number, now: number): void {
  const path = join(folder, "magpie.db");
  if (!existsSync(path)) return;
  const database = new DatabaseSync(path);
  const gap = gapSince(takenAt, now);
  const isThere = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'log_keys'").get();
  if (isThere) database.prepare("UPDATE log_keys SET latest = latest + ?").run(gap);
  database.close();
}

/** Puts restored files into their data folder, whose lock the caller has. A start refuses the folder until this is done. */
export function moveIn(dataDir: string, names: string[]): void {
  const { restore } = draftsOf(dataDir);
  for (const name of names) renameSync(join(restore, name), join(dataDir, name));
  rmSync(restore, { recursive: true });
}
