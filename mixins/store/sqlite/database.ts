import { closeSync, fdatasync, openSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { promisify } from "node:util";
import { makeFolder } from "../../config/make-folder.ts";

const statementsKept = 500;
const sqliteBusy = 5;
/** Pages of the write-ahead log, 8 MB: a checkpoint holds the process up until the disk has them, some 10 ms. */
const checkpointPages = 2_000;
/** What nobody waits for is brought to the disk this soon, so that a checkpoint finds it there. */
const unaskedMs = 100;
const dataToDisk = promisify(fdatasync);

/** The one connection of this process to a database file, shared by whoever opens that file. */
export class Database {
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** The write-ahead log, which SQLite locks by the database file only: a descriptor of our own costs it no lock. */
  #log: number | undefined;
  readonly #toDisk: (file: number) => Promise<void>;
  #sync: Promise<void> = Promise.resolve();
  #nextSync: Promise<void> | undefined;
  #unasked: NodeJS.Timeout | undefined;

  /** `toDisk` resolves when what was written to the file is on the disk. */
  constructor(path: string, toDisk: (file: number) => Promise<void> = dataToDisk) {
    this.#connection = connect(path);
    this.#log = openSync(`${path}-wal`, "r+");
    this.#toDisk = toDisk;
  }

  exec(sql: string): void {
    this.#connection.exec(sql);
  }

  /** The prepared statement of this text; texts hold names and placeholders, never values. */
  prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    if (this.#statements.size >= statementsKept) this.#statements.clear();
    const statement = this.#connection.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /**
   * Runs `work` in one transaction, or as a part of the one that is under way. A throw undoes it. What it wrote survives
   * the end of the process; a loss of power for sure only once `kept` has resolved.
   */
  transaction<Result>(work: () => Result): Result {
    if (this.#connection.isTransaction) return work();
    this.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      // A pending step would run after the commit, together with other callers' writes.
      if (result instanceof Promise) throw new TypeError("The work of a transaction must be synchronous");
      this.exec("COMMIT");
      this.#writeThroughUnasked();
      return result;
    } catch (error) {
      if (this.#connection.isTransaction) this.exec("ROLLBACK");
      throw error;
    }
  }

  /**
   * Resolves when all that was committed until now survives a loss of power. The commits themselves leave the wait for
   * the disk out, which would hold up everything; whoever asks while others wait shares the next wait with them.
   */
  kept(): Promise<void> {
    clearTimeout(this.#unasked);
    this.#unasked = undefined;
    this.#nextSync ??= this.#sync.then(() => {
      this.#nextSync = undefined;
      const sync = this.#writeThrough();
      this.#sync = sync.catch(() => undefined);
      return sync;
    });
    return this.#nextSync;
  }

  /** Of a disk that fails hears who asks. */
  #writeThroughUnasked(): void {
    const write = () => void this.kept().catch(() => undefined);
    this.#unasked ??= setTimeout(write, unaskedMs).unref();
  }

  /** A database that is closed was written through by that. */
  async #writeThrough(): Promise<void> {
    if (this.#log !== undefined) await this.#toDisk(this.#log);
  }

  close(): void {
    clearTimeout(this.#unasked);
    this.#statements.clear();
    this.#connection.close();
    const log = this.#log;
    this.#log = undefined;
    // Not under a wait for it: the number might be another file's by then.
    void this.#sync.then(() => log !== undefined && closeSync(log));
  }
}

const opened = new Map<string, { database: Database; users: number }>();

/**
 * Opens a database file, or joins those who have it open in this process; `closeDatabase` once per opening.
 * Throws when another process has it.
 */
export function openDatabase(path: string): Database {
  const key = resolve(path);
  const entry = opened.get(key) ?? { database: new Database(key), users: 0 };
  entry.users += 1;
  opened.set(key, entry);
  return entry.database;
}

/** Gives an opening back; the last one closes the connection. */
export function closeDatabase(path: string): void {
  const key = resolve(path);
  const entry = opened.get(key);
  if (!entry) return;
  entry.users -= 1;
  if (entry.users > 0) return;
  opened.delete(key);
  entry.database.close();
}

function connect(path: string): DatabaseSync {
  try {
    makeFolder(dirname(path), 0o700);
    closeSync(openSync(path, "a", 0o600));
    return lock(path);
  } catch (cause) {
    if ((cause as { errcode?: number }).errcode !== sqliteBusy)
      throw new Error(`DATA_DIR: ${path} cannot be opened (${(cause as Error).message})`, { cause });
    throw new Error(
      `The data folder ${dirname(path)} is in use by another process. Stop that one, or set DATA_DIR to another folder.`,
      { cause },
    );
  }
}

function lock(path: string): DatabaseSync {
  const connection = new DatabaseSync(path, { timeout: 1000 });
  try {
    // The exclusive lock is the operating system's: it is gone with the process, however that ends.
    connection.exec(`
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      PRAGMA wal_autocheckpoint = ${checkpointPages};
      BEGIN EXCLUSIVE;
      COMMIT;`);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}
