import type { Database } from "../store/sqlite/database.ts";
import { DurableGate } from "./durable-gate.ts";

/** Entries that wait for the same write to the disk, as the last position before them by key. */
interface Wait {
  kept: Promise<void>;
  before: Map<string, number>;
  /** When the first of them was appended, in milliseconds. */
  from: number;
}

const ofDatabase = new WeakMap<Database, NotYetDurable>();

/**
 * The entries of the logs in a database file that a loss of power would undo. Readers do not see them yet: their positions
 * would go to other events, which a reader that had read the first ones would never see.
 */
export class NotYetDurable {
  /** Hides them from other threads as well. */
  readonly gate = new DurableGate();
  readonly #database: Database;
  /** In the order of the writes to the disk: a later write also makes the entries of an earlier one durable. */
  readonly #waits: Wait[] = [];

  constructor(database: Database) {
    this.#database = database;
  }

  /** Shared by all logs of a database file: every service of a process opens its own log on it, and reads what the others append. */
  static of(database: Database): NotYetDurable {
    const notYetDurable = ofDatabase.get(database) ?? new NotYetDurable(database);
    ofDatabase.set(database, notYetDurable);
    return notYetDurable;
  }

  /** Runs an append at a time (ms), and takes the last positions before it, by key, from its result. */
  append<Result>(at: number, work: () => Result, beforeOf: (result: Result) => Map<string, number>): Result {
    this.gate.hideFrom(at);
    try {
      const result = work();
      const before = beforeOf(result);
      if (before.size > 0) this.#add(before, at);
      else this.#renewGate();
      return result;
    } catch (error) {
      this.#renewGate();
      throw error;
    }
  }

  #add(before: Map<string, number>, at: number): void {
    const wait = this.#nextWait(at);
    for (const [keyId, seq] of before) if (!wait.before.has(keyId)) wait.before.set(keyId, seq);
  }

  /** The last position of a key that readers may see; infinite when they may see all. */
  visibleTo(keyId: string): number {
    for (const { before } of this.#waits) {
      const seq = before.get(keyId);
      if (seq !== undefined) return seq;
    }
    return Number.POSITIVE_INFINITY;
  }

  #renewGate(): void {
    this.gate.set(this.#waits.map(({ from }) => from));
  }

  #nextWait(at: number): Wait {
    const kept = this.#database.kept();
    const last = this.#waits.at(-1);
    if (last?.kept === kept) {
      last.from = Math.min(last.from, at);
      return last;
    }
    const wait = { kept, before: new Map<string, number>(), from: at };
    this.#waits.push(wait);
    const show = () => {
      this.#waits.splice(0, this.#waits.indexOf(wait) + 1);
      this.#renewGate();
    };
    // The appending caller gets the error of a disk that fails; the entries stay hidden until a later write succeeds.
    kept.then(show, () => "unseen");
    return wait;
  }
}
