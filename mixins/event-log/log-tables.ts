import type { EventType } from "../../services/contracts/events.ts";
import { printableJson } from "../../services/domain/text/printable-json.ts";
import type { Database } from "../store/sqlite/database.ts";
import type { DurableGate } from "./durable-gate.ts";
import type { Bounds, EventsToErase, NewEvent, ReadBudget } from "./event-log.ts";
import { NotYetDurable } from "./not-yet-durable.ts";
import { erasedContent, isToErase, type StoredBody, subjectOf } from "./stored-event.ts";

/** An entry of a log together with its body. */
export interface Entry extends StoredBody {
  seq: number;
  /** When it was appended, in milliseconds. */
  at: number;
}

/** The end of a log that grows: its last position, and the time (ms) of the last entry. */
interface End {
  latest: number;
  at: number;
}

/**
 * A body is stored once for all keys; an entry refers to it. `at` (ms) never decreases within a log, even when the clock
 * is set back, so the entries that expire are always the first ones. `append` is the number of the append that added an entry.
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
    key_id TEXT NOT NULL, seq INTEGER NOT NULL, body INTEGER NOT NULL, at INTEGER NOT NULL,
    append INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (key_id, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX IF NOT EXISTS log_entries_by_body ON log_entries (body, key_id);
  CREATE INDEX IF NOT EXISTS log_entries_by_time ON log_entries (at);`;

/**
 * The tables of the embedded log. Every call is a transaction, or joins the current one. Readers see an event once it
 * survives a loss of power.
 */
export class LogTables {
  readonly #database: Database;
  readonly #gate: DurableGate;

  /** `gate`: of the thread that appends, in one that only reads. */
  constructor(database: Database, gate?: DurableGate) {
    this.#database = database;
    database.transaction(() => {
      database.exec(schema);
      this.#addAppend();
    });
    this.#gate = gate ?? NotYetDurable.of(database).gate;
  }

  /** Appends to all logs or to none. Returns the keys whose logs grew, and how many of them each event was appended to. */
  append(events: NewEvent[], now: number): { keyIds: string[]; entries: number[] } {
    return NotYetDurable.of(this.#database).append(number =>
      this.#database.transaction(() => {
        const ends = new Map<string, End>();
        const entries = events.map(event => this.#appendOne(event, number, now, ends));
        this.#setEnds(ends);
        return { keyIds: [...ends.keys()], entries };
      }),
    );
  }

  /** The keys whose logs have a body. */
  holders(bodyId: string): string[] {
    const [known] = this.#all("SELECT n FROM log_bodies WHERE body_id = ?", bodyId);
    return known ? this.#havingBody(Number(known.n)) : [];
  }

  /** Entries after a position; `more` when the budget was used up, so that others may follow. */
  read(keyId: string, after: number, { events, bytes }: ReadBudget): { entries: Entry[]; more: boolean } {
    const rows = this.#database.prepare(
      `SELECT seq, at, body_id, type, timestamp, source, data FROM log_entries JOIN log_bodies ON n = body
       WHERE key_id = ? AND seq > ? AND append <= ? ORDER BY seq LIMIT ?`,
    );
    const entries: Entry[] = [];
    let size = 0;
    for (const row of rows.iterate(keyId, after, this.#gate.to, events)) {
      const entry = entryOf(row);
      if (entries.length > 0 && size + entry.data.length > bytes) return { entries, more: true };
      size += entry.data.length;
      entries.push(entry);
    }
    return { entries, more: entries.length === events };
  }

  bounds(keyId: string): Bounds {
    const { to } = this.#gate;
    const [last] = this.#all(
      "SELECT seq FROM log_entries WHERE key_id = ? AND append <= ? ORDER BY seq DESC LIMIT 1",
      keyId,
      to,
    );
    const first = this.first(keyId);
    if (first && last) return { oldest: first.seq, latest: Number(last.seq) };
    const latest = first ? first.seq - 1 : this.#endOf(keyId).latest;
    return { oldest: latest === 0 ? 0 : latest + 1, latest };
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

  /** Keys in their order, from after `after` on. */
  keyIds(after: string, limit: number): string[] {
    const rows = this.#all(
      "SELECT key_id FROM log_keys WHERE key_id > ? ORDER BY key_id LIMIT ?",
      after,
      limit,
    );
    return rows.map(row => String(row.key_id));
  }

  /** The keys whose logs grew last, the latest first. */
  grownLast(limit: number): string[] {
    const rows = this.#all("SELECT key_id FROM log_keys ORDER BY at DESC, key_id LIMIT ?", limit);
    return rows.map(row => String(row.key_id));
  }

  first(keyId: string): { seq: number; at: number } | null {
    const [row] = this.#all("SELECT seq, at FROM log_entries WHERE key_id = ? ORDER BY seq LIMIT 1", keyId);
    return row ? { seq: Number(row.seq), at: Number(row.at) } : null;
  }

  /** Removes at most `limit` references of a key up to a position, none of them younger than `at` (ms). */
  cutSlice(keyId: string, to: number, at: number, limit: number): number {
    return this.#remove(
      "SELECT key_id, seq FROM log_entries WHERE key_id = ? AND seq <= ? AND at <= ? ORDER BY seq LIMIT ?",
      ...[keyId, to, at, limit],
    );
  }

  /** Removes at most `limit` references older than `before` (ms). Returns how many were removed. */
  pruneSlice(before: number, limit: number): number {
    return this.#remove(
      `SELECT key_id, seq FROM log_entries WHERE at < ? ORDER BY at, key_id, seq LIMIT ?`,
      before,
      limit,
    );
  }

  /** Removes at most `limit` references of a key, and with the last one its counter. Returns how many were removed. */
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

  /** Erases, or counts, among `limit` bodies after a number. Returns how many, and the last number; null at the end. */
  eraseSlice(wanted: EventsToErase, after: number, limit: number, dry: boolean) {
    return this.#database.transaction(() => {
      const [last] = this.#all(
        "SELECT n FROM log_bodies WHERE n > ? ORDER BY n LIMIT 1 OFFSET ?",
        after,
        limit - 1,
      );
      const to = last ? Number(last.n) : Number.MAX_SAFE_INTEGER;
      const rows = this.#all(
        `SELECT n, source, data FROM log_bodies WHERE n > ? AND n <= ?
         AND (source IN (SELECT value FROM json_each(?)) OR instr(data, ?) > 0)`,
        ...[after, to, JSON.stringify(wanted.sourceIds), wanted.text],
      );
      const found = rows.filter(({ source, data }) => isToErase(wanted, String(source ?? ""), String(data)));
      const { type, data } = erasedContent;
      const erase = this.#database.prepare(
        "UPDATE log_bodies SET type = ?, source = NULL, data = ? WHERE n = ?",
      );
      if (!dry) for (const { n } of found) erase.run(type, data, Number(n));
      return { found: found.length, last: last ? to : null };
    });
  }

  /** Appends to the logs that do not have the event yet, and returns their number; `ends` holds the ends of all logs that have grown. */
  #appendOne(event: NewEvent, number: number, now: number, ends: Map<string, End>): number {
    if (event.keyIds.length === 0) return 0;
    const [known] = this.#all("SELECT n FROM log_bodies WHERE body_id = ?", event.bodyId);
    const body = known ? Number(known.n) : this.#addBody(event);
    const keyIds = new Set(event.keyIds);
    if (known) for (const keyId of this.#havingBody(body)) keyIds.delete(keyId);
    // Row by row: one statement for all of them takes twice as long, because it keeps a journal of its own.
    const entry = this.#database.prepare(
      "INSERT INTO log_entries (key_id, seq, body, at, append) VALUES (?, ?, ?, ?, ?)",
    );
    for (const keyId of keyIds) {
      const end = ends.get(keyId) ?? this.#endOf(keyId);
      ends.set(keyId, end);
      end.latest += 1;
      end.at = Math.max(end.at, now);
      entry.run(keyId, end.latest, body, end.at, number);
    }
    return keyIds.size;
  }

  /** Stores a body, whose timestamp stays from then on. Returns its number. */
  #addBody({ bodyId, type, timestamp, data }: NewEvent): number {
    const body = this.#database.prepare(
      "INSERT INTO log_bodies (body_id, type, timestamp, source, data) VALUES (?, ?, ?, ?, ?)",
    );
    const source = subjectOf(data);
    return Number(body.run(bodyId, type, timestamp, source, printableJson(data)).lastInsertRowid);
  }

  #havingBody(body: number): string[] {
    return this.#all("SELECT key_id FROM log_entries WHERE body = ?", body).map(row => String(row.key_id));
  }

  #endOf(keyId: string): End {
    const [row] = this.#all("SELECT latest, at FROM log_keys WHERE key_id = ?", keyId);
    return { latest: Number(row?.latest ?? 0), at: Number(row?.at ?? 0) };
  }

  #setEnds(ends: Map<string, End>): void {
    const end = this.#database.prepare(
      `INSERT INTO log_keys (key_id, latest, at) VALUES (?, ?, ?)
       ON CONFLICT (key_id) DO UPDATE SET latest = excluded.latest, at = excluded.at`,
    );
    for (const [keyId, { latest, at }] of ends) end.run(keyId, latest, at);
  }

  /** A restored log has left out numbers: there it is the time of the entry that follows. */
  #timeOf(keyId: string, seq: number): number {
    const [row] = this.#all(
      "SELECT at FROM log_entries WHERE key_id = ? AND seq >= ? ORDER BY seq LIMIT 1",
      keyId,
      seq,
    );
    return Number(row?.at);
  }

  /** Removes the references that `chosen` selects, and the bodies that no other reference needs. */
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

  /** A file that an earlier release has made has no such column. */
  #addAppend(): void {
    const columns = this.#all("SELECT name FROM pragma_table_info('log_entries')");
    if (!columns.some(({ name }) => name === "append"))
      this.#database.exec("ALTER TABLE log_entries ADD COLUMN append INTEGER NOT NULL DEFAULT 0");
  }

  #all(sql: string, ...values: (string | number | null)[]) {
    return this.#database.prepare(sql).all(...values);
  }
}

function entryOf(row: Record<string, unknown>): Entry {
  return {
    seq: Number(row.seq),
    at: Number(row.at),
    bodyId: String(row.body_id),
    type: String(row.type) as EventType,
    timestamp: String(row.timestamp),
    source: row.source === null ? null : String(row.source),
    data: String(row.data),
  };
}
