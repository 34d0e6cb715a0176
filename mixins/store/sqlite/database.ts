import { closeSync, existsSync, fdatasync, fdatasyncSync, openSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { promisify } from "node:util";
import { isMainThread } from "node:worker_threads";
import { makeFolder } from "../../config/make-folder.ts";
import { diskError, refuseWhileIll, timedSync } from "../../runtime/disk-trouble.ts";
import { folderInUse, isBusy, lockFolder, unlockFolder, waitMs } from "./folder-lock.ts";

const statementsKept = 500;
/** How long a write waits for the write of another thread, which takes some milliseconds. */
const busyMs = 5_000;
const keepLocks = "PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT;";
const freeLocks = "PRAGMA locking_mode = NORMAL; BEGIN IMMEDIATE; COMMIT;";
/** Pages of the write-ahead log, 8 MB: a checkpoint blocks the process until the disk has them, some 10 ms. */
const checkpointPages = 2_000;
/** Writes for which no caller waits are synced this soon, so that a checkpoint finds them on the disk. */
const backgroundSyncMs = 100;
const dataToDisk = promisify(fdatasync);

/** The one connection of this thread to a database file, shared by all who open that file. */
export class Database {
  readonly #folder: string;
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** The write-ahead log. SQLite locks the database file only, so closing this descriptor releases none of its locks. */
  #log: number | undefined;
  readonly #toDisk: (file: number) => Promise<void>;
  readonly #toDiskNow: (file: number) => void;
  #sync: Promise<void> = Promise.resolve();
  #nextSync: Promise<void> | undefined;
  #backgroundSync: NodeJS.Timeout | undefined;
  /** Those who let threads use the file. */
  #sharing = 0;

  /** `toDisk` resolves when the file's content is on the disk; `toDiskNow` returns then. */
  constructor(
    path: string,
    toDisk: (file: number) => Promise<void> = dataToDisk,
    toDiskNow: (file: number) => void = fdatasyncSync,
  ) {
    this.#folder = dirname(path);
    this.#connection = connect(path);
    this.#log = openSync(`${path}-wal`, "r+");
    this.#toDisk = toDisk;
    this.#toDiskNow = toDiskNow;
  }

  exec(sql: string): void {
    try {
      this.#connection.exec(sql);
    } catch (error) {
      throw diskError(this.#folder, error);
    }
  }

  /** The prepared statement of this text, which holds names and placeholders, never values. */
  prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    if (this.#statements.size >= statementsKept) this.#statements.clear();
    const statement = namingDisk(this.#connection.prepare(sql), this.#folder);
    this.#statements.set(sql, statement);
    return statement;
  }

  /**
   * Runs `work` in one transaction, or as a part of the current one. A throw rolls it back. Its writes survive the end of
   * the process at once, and a loss of power once `kept` has resolved.
   */
  transaction<Result>(work: () => Result): Result {
    if (this.#connection.isTransaction) return work();
    refuseWhileIll(this.#folder);
    this.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      // A pending step would run after the commit, among the writes of other callers.
      if (result instanceof Promise) throw new TypeError("The work of a transaction must be synchronous");
      this.exec("COMMIT");
      this.#syncInBackground();
      return result;
    } catch (error) {
      if (this.#connection.isTransaction) this.exec("ROLLBACK");
      throw error;
    }
  }

  /**
   * Resolves when everything committed so far survives a loss of power. The commits themselves do not wait for the disk,
   * which would block the process. Callers that come during a sync share the next one.
   */
  kept(): Promise<void> {
    clearTimeout(this.#backgroundSync);
    this.#backgroundSync = undefined;
    this.#nextSync ??= this.#sync.then(() => {
      this.#nextSync = undefined;
      const sync = this.#syncLog();
      this.#sync = sync.catch(() => undefined);
      return sync;
    });
    return this.#nextSync;
  }

  /** A failure of the disk is reported to the callers of `kept`. */
  #syncInBackground(): void {
    const write = () => void this.kept().catch(() => undefined);
    this.#backgroundSync ??= setTimeout(write, backgroundSyncMs).unref();
  }

  /** Closing a database has synced what waited, so there is nothing to do then. */
  async #syncLog(): Promise<void> {
    const log = this.#log;
    if (log !== undefined) await timedSync(this.#folder, () => this.#toDisk(log));
  }

  /** Lets other threads of this process use the file, until the returned function is called. */
  share(): () => void {
    this.#sharing += 1;
    if (this.#sharing === 1) this.exec(freeLocks);
    return () => {
      this.#sharing -= 1;
      if (this.#sharing === 0 && this.#connection.isOpen) this.exec(keepLocks);
    };
  }

  close(): void {
    // SQLite syncs it when the last connection closes only.
    const waits = this.#backgroundSync !== undefined || this.#nextSync !== undefined;
    if (waits && this.#log !== undefined) this.#toDiskNow(this.#log);
    clearTimeout(this.#backgroundSync);
    this.#statements.clear();
    this.#connection.close();
    const log = this.#log;
    this.#log = undefined;
    // Not during a sync: the descriptor's number might be another file's by then.
    void this.#sync.then(() => log !== undefined && closeSync(log));
  }
}

/** The statement, whose errors say what the disk lacks. */
function namingDisk(statement: StatementSync, folder: string): StatementSync {
  for (const name of ["run", "get", "all"] as const) {
    const call = statement[name].bind(statement) as (...values: unknown[]) => unknown;
    const named = (...values: unknown[]) => {
      if (name === "run") refuseWhileIll(folder);
      try {
        return call(...values);
      } catch (error) {
        throw diskError(folder, error);
      }
    };
    Object.assign(statement, { [name]: named });
  }
  return statement;
}

const opened = new Map<string, { database: Database; users: number }>();

/**
 * Opens a database file, or shares the connection of this thread when it has the file open already. Call `closeDatabase` once
 * per opening. Throws when another process has a database of the same folder open.
 */
export function openDatabase(path: string): Database {
  const key = resolve(path);
  const entry = opened.get(key) ?? { database: openFirst(key), users: 0 };
  entry.users += 1;
  opened.set(key, entry);
  return entry.database;
}

/** Ends one opening; the last one closes the connection. */
export function closeDatabase(path: string): void {
  const key = resolve(path);
  const entry = opened.get(key);
  if (!entry) return;
  entry.users -= 1;
  if (entry.users > 0) return;
  opened.delete(key);
  entry.database.close();
  unlockFolder(dirname(key));
}

/** Lets threads of this process open a database file that this one has open, until the returned function is called. */
export function shareDatabase(path: string): () => void {
  const end = openDatabase(path).share();
  return () => {
    end();
    closeDatabase(path);
  };
}

function openFirst(path: string): Database {
  lockFolder(dirname(path));
  try {
    return new Database(path);
  } catch (error) {
    unlockFolder(dirname(path));
    throw error;
  }
}

function connect(path: string): DatabaseSync {
  let connection: DatabaseSync | undefined;
  try {
    makeFolder(dirname(path), 0o700);
    // To close a descriptor of the file would release the locks of other connections to it.
    if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
    connection = new DatabaseSync(path, { timeout: isMainThread ? waitMs : busyMs });
    // In this order the lock can be given up and taken again: the index of the write-ahead log is in a file.
    connection.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      PRAGMA secure_delete = ON;
      PRAGMA wal_autocheckpoint = ${checkpointPages};
      BEGIN IMMEDIATE;
      COMMIT;`);
    // Without other threads, locks that are kept save half of the time of a small transaction.
    if (isMainThread) connection.exec(`${keepLocks} PRAGMA busy_timeout = ${busyMs};`);
    return connection;
  } catch (cause) {
    connection?.close();
    // The folder's lock says nothing of a program that knows only SQLite.
    if (isMainThread && isBusy(cause)) throw folderInUse(dirname(path), cause);
    throw new Error(`DATA_DIR: ${path} cannot be opened (${(cause as Error).message})`, { cause });
  }
}
