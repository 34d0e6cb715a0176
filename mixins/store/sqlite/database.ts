import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Survives } from "../store.ts";

const statementsKept = 500;
const sqliteBusy = 5;

/** The one connection of this process to a database file, shared by whoever opens that file. */
export class Database {
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(path: string) {
    this.#connection = connect(path);
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
   * Runs `work` in one transaction, or as a part of the one that is under way, whose survival is then its own. A throw
   * undoes it.
   */
  transaction<Result>(work: () => Result, survives: Survives = "loss of power"): Result {
    if (this.#connection.isTransaction) return work();
    if (survives === "loss of power") return this.#commit(work);
    // In WAL mode this leaves out the wait for the disk at the commit, and nothing else; the next wait is for all.
    this.exec("PRAGMA synchronous = NORMAL");
    try {
      return this.#commit(work);
    } finally {
      this.exec("PRAGMA synchronous = FULL");
    }
  }

  #commit<Result>(work: () => Result): Result {
    this.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      // A pending step would run after the commit, together with other callers' writes.
      if (result instanceof Promise) throw new TypeError("The work of a transaction must be synchronous");
      this.exec("COMMIT");
      return result;
    } catch (error) {
      if (this.#connection.isTransaction) this.exec("ROLLBACK");
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#connection.close();
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
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
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
      PRAGMA synchronous = FULL;
      BEGIN EXCLUSIVE;
      COMMIT;`);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}
