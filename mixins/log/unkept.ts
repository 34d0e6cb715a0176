import type { Database } from "../store/sqlite/database.ts";

/** Entries that wait for the same write to the disk: the last position before them, by key. */
interface Wait {
  kept: Promise<void>;
  before: Map<string, number>;
}

const ofDatabase = new WeakMap<Database, Unkept>();

/**
 * What a loss of power would still undo of the logs in a database file. Nobody gets to see it: the positions that were
 * its would go to other events, which whoever had read so far would never see.
 */
export class Unkept {
  readonly #database: Database;
  /** In the order of their writes to the disk: what waits for one survives by a later one too. */
  readonly #waits: Wait[] = [];

  constructor(database: Database) {
    this.#database = database;
  }

  /** The one of a file, whose logs are many: each room of a process has its own, and reads what the others append. */
  static of(database: Database): Unkept {
    const unkept = ofDatabase.get(database) ?? new Unkept(database);
    ofDatabase.set(database, unkept);
    return unkept;
  }

  /** Takes the last positions before what is being appended, by key, in the transaction of that or right after it. */
  add(before: Map<string, number>): void {
    const wait = this.#nextWait();
    for (const [keyId, seq] of before) if (!wait.before.has(keyId)) wait.before.set(keyId, seq);
  }

  /** The last position of a key that may be seen; infinite when all may. */
  seenTo(keyId: string): number {
    for (const { before } of this.#waits) {
      const seq = before.get(keyId);
      if (seq !== undefined) return seq;
    }
    return Number.POSITIVE_INFINITY;
  }

  #nextWait(): Wait {
    const kept = this.#database.kept();
    const last = this.#waits.at(-1);
    if (last?.kept === kept) return last;
    const wait = { kept, before: new Map<string, number>() };
    this.#waits.push(wait);
    const show = () => this.#waits.splice(0, this.#waits.indexOf(wait) + 1);
    // Of a disk that fails whoever appended hears; what it did not take stays unseen until it takes the next.
    kept.then(show, () => "unseen");
    return wait;
  }
}
