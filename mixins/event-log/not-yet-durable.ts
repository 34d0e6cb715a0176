import type { Database } from "../store/sqlite/database.ts";
import { DurableGate } from "./durable-gate.ts";

/** Appends that wait for the same write to the disk. */
interface Wait {
  kept: Promise<void>;
  /** The number of the last of them. */
  to: number;
}

/** Numbers are reserved together: a process that is killed leaves some unused, and none is given twice. */
const blockSize = 2 ** 20;
const schema =
  "CREATE TABLE IF NOT EXISTS log_numbers (id INTEGER PRIMARY KEY, reserved INTEGER NOT NULL) STRICT;";
const reserve = `
  INSERT INTO log_numbers (id, reserved) VALUES (1, ?)
  ON CONFLICT (id) DO UPDATE SET reserved = reserved + excluded.reserved RETURNING reserved`;

const ofDatabase = new WeakMap<Database, NotYetDurable>();

/**
 * Numbers the appends to the logs in a database file, and tells which of them a loss of power would undo. Readers do not see
 * those yet: their positions would go to other events, which a reader that had read the first ones would never see. What
 * earlier processes have appended has lower numbers.
 */
export class NotYetDurable {
  /** Hides them, from other threads as well. */
  readonly gate = new DurableGate();
  readonly #database: Database;
  #last: number;
  #reserved: number;
  #wait: Wait | undefined;

  constructor(database: Database) {
    this.#database = database;
    database.exec(schema);
    this.#reserved = this.#reserve();
    this.#last = this.#reserved - blockSize;
    this.gate.open(this.#last);
  }

  /** Shared by all logs of a database file: every service of a process opens its own log on it, and reads what the others append. */
  static of(database: Database): NotYetDurable {
    const notYetDurable = ofDatabase.get(database) ?? new NotYetDurable(database);
    ofDatabase.set(database, notYetDurable);
    return notYetDurable;
  }

  /** Runs an append with a number of its own. */
  append<Result>(work: (number: number) => Result): Result {
    if (this.#last === this.#reserved) this.#reserved = this.#reserve();
    this.#last += 1;
    const result = work(this.#last);
    this.#showOnceKept(this.#last);
    return result;
  }

  #reserve(): number {
    return Number(this.#database.prepare(reserve).get(blockSize)?.reserved);
  }

  /** A write to the disk keeps earlier appends as well, also those whose own write has failed. */
  #showOnceKept(number: number): void {
    const kept = this.#database.kept();
    if (this.#wait?.kept === kept) {
      this.#wait.to = number;
      return;
    }
    const wait = { kept, to: number };
    this.#wait = wait;
    // The appending caller gets the error of a disk that fails.
    kept.then(
      () => this.gate.open(Math.max(this.gate.to, wait.to)),
      () => "unseen",
    );
  }
}
