import type { Database } from "../store/sqlite/database.ts";
import type { CheckRun, ValueRun } from "./history.ts";

/** Times are milliseconds since the epoch. `value` is JSON. */
const schema = `
  CREATE TABLE IF NOT EXISTS history_checks (
    source INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, count INTEGER NOT NULL, outcome TEXT NOT NULL,
    reason TEXT NOT NULL, status INTEGER, engine TEXT, took INTEGER NOT NULL, version_id TEXT, event_id TEXT,
    event_at INTEGER,
    PRIMARY KEY (source, first)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS history_values (
    source INTEGER NOT NULL, field TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (source, field, first)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS history_values_by_time ON history_values (source, first);
  CREATE INDEX IF NOT EXISTS history_checks_by_end ON history_checks (source, last);
  CREATE INDEX IF NOT EXISTS history_values_by_end ON history_values (source, last);
  CREATE TRIGGER IF NOT EXISTS history_check_came AFTER INSERT ON history_checks BEGIN
    UPDATE history_sources SET checks = checks + 1 WHERE n = new.source;
  END;
  CREATE TRIGGER IF NOT EXISTS history_check_went AFTER DELETE ON history_checks BEGIN
    UPDATE history_sources SET checks = checks - 1 WHERE n = old.source;
  END;
  CREATE TRIGGER IF NOT EXISTS history_value_came AFTER INSERT ON history_values BEGIN
    UPDATE history_sources SET vals = vals + 1 WHERE n = new.source;
  END;
  CREATE TRIGGER IF NOT EXISTS history_value_went AFTER DELETE ON history_values BEGIN
    UPDATE history_sources SET vals = vals - 1 WHERE n = old.source;
  END;`;

type Row = Record<string, unknown>;

/** The runs of checks and of values of the embedded history, by the number of their source. */
export class RunTables {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
    database.transaction(() => database.exec(schema));
  }

  addCheck(source: number, run: CheckRun): void {
    this.#run("DELETE FROM history_checks WHERE source = ? AND first = ?", source, run.first);
    this.#run(
      "INSERT INTO history_checks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      ...[source, run.first, run.last, run.count, run.outcome, run.reason, run.status ?? null],
      ...[run.engine ?? null, run.tookMs, run.versionId ?? null, run.eventId ?? null, run.eventAt ?? null],
    );
  }

  checks(source: number, sourceId: string, before: number, limit: number): CheckRun[] {
    const sql = "SELECT * FROM history_checks WHERE source = ? AND first < ? ORDER BY first DESC LIMIT ?";
    return this.#all(sql, source, before, limit).map(row => checkOf(row, sourceId));
  }

  addValue(source: number, { field, first, last, value }: ValueRun): void {
    const former = "DELETE FROM history_values WHERE source = ? AND field = ? AND first = ?";
    this.#run(former, source, field, first);
    const sql = "INSERT INTO history_values VALUES (?, ?, ?, ?, ?)";
    this.#run(sql, source, field, first, last, JSON.stringify(value));
  }

  values(
    source: number,
    sourceId: string,
    { field, from = 0, to = Number.MAX_SAFE_INTEGER, limit, newest = false }: ValuesWanted,
  ): ValueRun[] {
    const [named, names] = field === undefined ? ["", []] : ["AND field = ?", [field]];
    const sql = `SELECT * FROM history_values WHERE source = ? ${named} AND last >= ? AND first < ? ORDER BY ${newest ? "first DESC, field DESC" : "first, field"} LIMIT ?`;
    const runs = this.#all(sql, source, ...names, from, to, limit).map(row => valueRunOf(row, sourceId));
    return newest ? runs.reverse() : runs;
  }

  /** Gives a source the runs of another one from `since` on, cut at `until`. */
  adopt(from: number, to: number, since: number, until: number): void {
    for (const [table, columns] of [
      ["history_checks", "count, outcome, reason, status, engine, took, version_id, event_id, event_at"],
      ["history_values", "field, value"],
    ])
      this.#run(
        `INSERT OR IGNORE INTO ${table} (source, first, last, ${columns})
         SELECT ?, first, min(last, ?), ${columns} FROM ${table} WHERE source = ? AND last >= ? AND first < ?`,
        ...[to, until - 1, from, since, until],
      );
  }

  /** Removes runs that ended before a time, the oldest first; answers how many went, of each kind `limit` at most. */
  removeOver(source: number, until: number, limit: number): number {
    const checks = this.#removeSome("checks", source, until, limit);
    return checks + this.#removeSome("values", source, until, limit);
  }

  /** Removes the oldest runs of a kind; answers how many went. */
  removeOldest(kind: "checks" | "values", source: number, limit: number): number {
    return this.#removeSome(kind, source, Number.MAX_SAFE_INTEGER, limit);
  }

  #removeSome(kind: "checks" | "values", source: number, until: number, limit: number): number {
    const key = kind === "checks" ? "source, first" : "source, field, first";
    const some = `SELECT ${key} FROM history_${kind} WHERE source = ? AND last < ? ORDER BY last LIMIT ?`;
    return this.#run(`DELETE FROM history_${kind} WHERE (${key}) IN (${some})`, source, until, limit);
  }

  isEmpty(source: number): boolean {
    return ["history_checks", "history_values"].every(
      table => this.#all(`SELECT 1 FROM ${table} WHERE source = ? LIMIT 1`, source).length === 0,
    );
  }

  #all(sql: string, ...values: (string | number | null)[]): Row[] {
    return this.#database.prepare(sql).all(...values);
  }

  #run(sql: string, ...values: (string | number | null)[]): number {
    return Number(this.#database.prepare(sql).run(...values).changes);
  }
}

interface ValuesWanted {
  field?: string;
  from?: number;
  to?: number;
  limit: number;
  newest?: boolean;
}

function checkOf(row: Row, sourceId: string): CheckRun {
  return {
    sourceId,
    first: Number(row.first),
    last: Number(row.last),
    count: Number(row.count),
    outcome: row.outcome as CheckRun["outcome"],
    reason: String(row.reason),
    ...(row.status !== null && { status: Number(row.status) }),
    ...(row.engine !== null && { engine: row.engine as "http" | "browser" }),
    tookMs: Number(row.took),
    ...(row.version_id !== null && { versionId: String(row.version_id) }),
    ...(row.event_id !== null && { eventId: String(row.event_id) }),
    ...(row.event_at !== null && { eventAt: Number(row.event_at) }),
  };
}

function valueRunOf(row: Row, sourceId: string): ValueRun {
  const { first, last } = row;
  const value = JSON.parse(String(row.value)) as ValueRun["value"];
  return { sourceId, field: String(row.field), value, first: Number(first), last: Number(last) };
}
