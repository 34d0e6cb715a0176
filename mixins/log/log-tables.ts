import type { EventType } from "../../services/contracts/events.ts";
import type { Database } from "../store/sqlite/database.ts";
import type { StoredBody } from "./event-of.ts";
import type { Bounds, NewEvent, Portion } from "./log.ts";
import { Unkept } from "./unkept.ts";

/** A place in a log together with the body that stands there. */
export interface Entry extends StoredBody {
  seq: number;
}

/**
 * A body is stored once, whoever gets it; an entry is a reference to it. `at` (ms) never falls within a log, even when
 * the clock does, so that what expires is always the beginning of a log.
 */
const schema = `
  CREATE TABLE IF NOT EXISTS log_bodies (
    n INTEGER PRIMARY KEY, body_id TEXT NOT NULL UNIQUE, type TEXT NOT NULL, timestamp TEXT NOT NULL, source TEXT,
    data TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS log_keys (
    key_id TEXT PRIMARY KEY, latest INTEGER NOT NULL, at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS log_entries (
    key_id TEXT NOT NULL, seq INTEGER NOT NULL, body INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (key_id, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX IF NOT EXISTS log_entries_by_body ON log_entries (body, key_id);
  CREATE INDEX IF NOT EXISTS log_entries_by_time ON log_entries (at);`;

/**
 * The tables of the embedded log. Every call is a transaction, or a part of the one that is under way. What was appended
 * is seen once it survives a loss of power.
 */
export class LogTables {
  readonly #database: Database;
  readonly #unkept: Unkept;

  constructor(database: Database) {
    this.#database = database;
    this.#unkept = Unkept.of(database);
    database.transaction(() => {
      database.exec(schema);
      this.#nameSources();
    });
  }

  /** Appends to all logs or to none; tells the keys whose logs grew. */
  append(events: NewEvent[], now: number): string[] {
    const before = this.#database.transaction(() => {
      const before = new Map<string, number>();
      for (const event of events)
        for (const { keyId, seq } of this.#appendOne(event, now))
          if (!before.has(keyId)) before.set(keyId, seq - 1);
      return before;
    });
    if (before.size > 0) this.#unkept.add(before);
    return [...before.keys()];
  }

  /** Entries after a position. `more` when the portion was full, so that others may follow. */
  read(keyId: string, after: number, { events, bytes }: Portion): { entries: Entry[]; more: boolean } {
    const rows = this.#database.prepare(
      `SELECT seq, body_id, type, timestamp, source, data FROM log_entries JOIN log_bodies ON n = body
       WHERE key_id = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?`,
    );
    const entries: Entry[] = [];
    let size = 0;
    for (const row of rows.iterate(keyId, after, this.#unkept.seenTo(keyId), events)) {
      const entry = entryOf(row);
      if (entries.length > 0 && size + entry.data.length > bytes) return { entries, more: true };
      size += entry.data.length;
      entries.push(entry);
    }
    return { entries, more: entries.length === events };
  }

  bounds(keyId: string): Bounds {
    const [log] = this.#all("SELECT latest FROM log_keys WHERE key_id = ?", keyId);
    if (!log) return { oldest: 0, latest: 0 };
    const latest = Math.min(Number(log.latest), this.#unkept.seenTo(keyId));
    if (latest === 0) return { oldest: 0, latest };
    const [first] = this.#all("SELECT seq FROM log_entries WHERE key_id = ? ORDER BY seq LIMIT 1", keyId);
    return { oldest: first ? Number(first.seq) : latest + 1, latest };
  }

  /** The last position whose entry is older than `since` (ms), by bisection: times rise with positions. */
  positionAt(keyId: string, since: number): number {
    const { oldest, latest } = this.bounds(keyId);
    let [before, after] = [Math.max(oldest - 1, 0), latest + 1];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (this.#timeOf(keyId, middle) < since) before = middle;
      else after = middle;
    }
    return before;
  }

  /** Removes at most `limit` references that are older than `before` (ms); tells how many went. */
  pruneSlice(before: number, limit: number): number {
    return this.#remove(
      `SELECT key_id, seq FROM log_entries WHERE at < ? ORDER BY at, key_id, seq LIMIT ?`,
      before,
      limit,
    );
  }

  /** Removes at most `limit` references of a key, and with the last one its counter; tells how many went. */
  dropSlice(keyId: string, limit: number): number {
    return this.#database.transaction(() => {
      const removed = this.#remove(
        "SELECT key_id, seq FROM log_entries WHERE key_id = ? ORDER BY seq LIMIT ?",
        keyId,
        limit,
      );
      if (removed < limit) this.#all("DELETE FROM log_keys WHERE key_id = ?", keyId);
      return removed;
    });
  }

  /** In a data folder that is older than the column. */
  #nameSources(): void {
    if (this.#all("SELECT 1 FROM pragma_table_info('log_bodies') WHERE name = 'source'").length > 0) return;
    this.#database.exec(`
      ALTER TABLE log_bodies ADD COLUMN source TEXT;
      UPDATE log_bodies SET source = data ->> '$.source.id';`);
  }

  #appendOne(event: NewEvent, now: number): { keyId: string; seq: number }[] {
    if (event.keyIds.length === 0) return [];
    const body = this.#bodyOf(event);
    const fresh = this.#count(JSON.stringify(event.keyIds), body, now);
    this.#refer(JSON.stringify(fresh.map(({ keyId }) => keyId)), body);
    return fresh;
  }

  /** The number of the body, which is stored unless it was before: the first timestamp stands. */
  #bodyOf({ bodyId, type, timestamp, data }: NewEvent): number {
    const [known] = this.#all("SELECT n FROM log_bodies WHERE body_id = ?", bodyId);
    const [row] = known
      ? [known]
      : this.#all(
          "INSERT INTO log_bodies (body_id, type, timestamp, source, data) VALUES (?, ?, ?, ?, ?) RETURNING n",
          bodyId,
          type,
          timestamp,
          data.source?.id ?? null,
          JSON.stringify(data),
        );
    return Number(row?.n);
  }

  /** The next position in the logs of those keys whose logs have the body not yet. */
  #count(keyIds: string, body: number, now: number): { keyId: string; seq: number }[] {
    return this.#all(
      `INSERT INTO log_keys (key_id, latest, at) SELECT DISTINCT value, 1, ? FROM json_each(?)
       WHERE value NOT IN (SELECT key_id FROM log_entries WHERE body = ?)
       ON CONFLICT (key_id) DO UPDATE SET latest = latest + 1, at = max(at, excluded.at)
       RETURNING key_id, latest`,
      now,
      keyIds,
      body,
    ).map(row => ({ keyId: String(row.key_id), seq: Number(row.latest) }));
  }

  #refer(keyIds: string, body: number): void {
    this.#all(
      `INSERT INTO log_entries (key_id, seq, body, at)
       SELECT key_id, latest, ?, at FROM json_each(?) JOIN log_keys ON key_id = value`,
      body,
      keyIds,
    );
  }

  #timeOf(keyId: string, seq: number): number {
    const [row] = this.#all("SELECT at FROM log_entries WHERE key_id = ? AND seq = ?", keyId, seq);
    return Number(row?.at);
  }

  /** Removes the references that `chosen` selects, and the bodies that were theirs alone. */
  #remove(chosen: string, ...values: (string | number)[]): number {
    return this.#database.transaction(() => {
      const removed = this.#all(
        `DELETE FROM log_entries WHERE (key_id, seq) IN (${chosen}) RETURNING body`,
        ...values,
      );
      this.#all(
        `DELETE FROM log_bodies WHERE n IN (SELECT value FROM json_each(?))
         AND NOT EXISTS (SELECT 1 FROM log_entries WHERE body = n)`,
        JSON.stringify([...new Set(removed.map(row => Number(row.body)))]),
      );
      return removed.length;
    });
  }

  #all(sql: string, ...values: (string | number | null)[]) {
    return this.#database.prepare(sql).all(...values);
  }
}

function entryOf(row: Record<string, unknown>): Entry {
  return {
    seq: Number(row.seq),
    bodyId: String(row.body_id),
    type: String(row.type) as EventType,
    timestamp: String(row.timestamp),
    source: row.source === null ? null : String(row.source),
    data: String(row.data),
  };
}
