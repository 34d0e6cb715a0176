import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isMainThread } from "node:worker_threads";
import { makeFolder } from "../../config/make-folder.ts";

const sqliteBusy = 5;
/** A process that is ending has this long to let go. */
export const waitMs = 1_000;
const fileName = "magpie.lock";

/** Folders in which a backup and a restore of a data folder have what they are not done with. */
export function draftsOf(folder: string): { backup: string; restore: string } {
  return { backup: join(folder, "backup.tmp"), restore: join(folder, "restore.tmp") };
}

const held = new Map<string, { connection: DatabaseSync; users: number }>();

/**
 * Takes a data folder for this process. Call `unlockFolder` once for each call. Throws when another process has it. The lock
 * is the operating system's on a file of its own, which ends with the process in any way. A thread needs none: its process has it.
 */
export function lockFolder(folder: string): void {
  if (!isMainThread) return;
  const entry = held.get(folder) ?? { connection: takeWhole(folder), users: 0 };
  entry.users += 1;
  held.set(folder, entry);
}

/** The last call lets other processes have the folder. */
export function unlockFolder(folder: string): void {
  const entry = held.get(folder);
  if (!entry) return;
  entry.users -= 1;
  if (entry.users > 0) return;
  held.delete(folder);
  entry.connection.close();
}

/** Whether any process, this one included, has the folder. Does not wait for that process. */
export function isFolderInUse(folder: string): boolean {
  const path = join(folder, fileName);
  if (!existsSync(path)) return false;
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(path, { readOnly: true, timeout: 0 });
    connection.prepare("SELECT count(*) FROM sqlite_master").get();
    return false;
  } catch (error) {
    // Other errors of the folder appear when it is opened.
    return isBusy(error);
  } finally {
    connection?.close();
  }
}

/** Whether SQLite found the file locked by others. The low byte of its codes says that, the others say by what. */
export function isBusy(error: unknown): boolean {
  return ((error as { errcode?: number }).errcode ?? 0) % 256 === sqliteBusy;
}

/** The error for a folder that another process has. */
export function folderInUse(folder: string, cause: unknown): Error {
  const message = `The data folder ${folder} is in use by another process. Stop that one, or set DATA_DIR to another folder.`;
  return new Error(message, { cause });
}

/** Takes what a restore lets go of, and removes what a killed backup has left. */
function takeWhole(folder: string): DatabaseSync {
  const connection = take(folder);
  const { backup, restore } = draftsOf(folder);
  rmSync(backup, { recursive: true, force: true });
  if (!existsSync(restore)) return connection;
  connection.close();
  throw new Error(
    `DATA_DIR: a restore into ${folder} was broken off. Empty the folder, and call magpie restore again.`,
  );
}

/** Takes a folder as `lockFolder` does, to restore into it: what a restore that was broken off has left is no obstacle. */
export function lockForRestore(folder: string): () => void {
  const connection = take(folder);
  return () => connection.close();
}

function take(folder: string): DatabaseSync {
  let connection: DatabaseSync | undefined;
  try {
    makeFolder(folder, 0o700);
    connection = new DatabaseSync(join(folder, fileName), { timeout: waitMs });
    connection.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT;");
    return connection;
  } catch (cause) {
    connection?.close();
    if (!isBusy(cause))
      throw new Error(`DATA_DIR: ${folder} cannot be used (${(cause as Error).message})`, { cause });
    throw folderInUse(folder, cause);
  }
}
