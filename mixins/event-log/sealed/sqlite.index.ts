import type { Database } from "../../store/sqlite/database.ts";
import type { Segment, SegmentIndex, Wanted } from "./segment-index.ts";

const schema = `
  CREATE TABLE IF NOT EXISTS log_segments (
    blob TEXT PRIMARY KEY, key_id TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
    first_at INTEGER NOT NULL, last_at INTEGER NOT NULL, bytes INTEGER NOT NULL, state TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS log_segments_by_position ON log_segments (key_id, last);
  CREATE INDEX IF NOT EXISTS log_segments_by_time ON log_segments (last_at);
  CREATE INDEX IF NOT EXISTS log_segments_unsealed ON log_segments (state) WHERE state <> 'sealed';`;

type Value = string | number;

/** The index of the embedded mode, in the database file of the log. */
export function sqliteIndex(database: Database): SegmentIndex {
  database.transaction(() => database.exec(schema));
  const all = (sql: string, ...values: Value[]) => database.prepare(sql).all(...values);
  const one = (sql: string, ...values: Value[]) => all(`${sql} LIMIT 1`, ...values).map(segmentOf)[0] ?? null;
  /** Durable before the next step, which relies on it. */
  const write = async (sql: string, ...values: Value[]) => {
    const changed = database.transaction(() => all(`${sql} RETURNING blob`, ...values).length);
    await database.kept();
    return changed;
  };
  const within = "blob IN (SELECT value FROM json_each(?))";
  const ofSealed = "SELECT * FROM log_segments WHERE state = 'sealed' AND key_id = ?";
  return {
    plan: async ({ blob, keyId, first, last, firstAt, lastAt, bytes }) => {
      const sql = "INSERT INTO log_segments VALUES (?, ?, ?, ?, ?, ?, ?, 'planned')";
      await write(sql, blob, keyId, first, last, firstAt, lastAt, bytes);
    },
    seal: async blob => {
      const sql = "UPDATE log_segments SET state = 'sealed' WHERE blob = ? AND state = 'planned'";
      return (await write(sql, blob)) > 0;
    },
    following: async (keyId, after) => one(`${ofSealed} AND last > ? ORDER BY last`, keyId, after),
    begunBefore: async (keyId, time) => one(`${ofSealed} AND first_at < ? ORDER BY last DESC`, keyId, time),
    find: async (wanted, limit) => {
      const [condition, ...values] = conditionOf(wanted);
      return all(`SELECT * FROM log_segments WHERE ${condition} LIMIT ?`, ...values, limit).map(segmentOf);
    },
    sealedAfter: async (blob, limit) => {
      const sql = "SELECT * FROM log_segments WHERE blob > ? AND state = 'sealed' ORDER BY blob LIMIT ?";
      return all(sql, blob, limit).map(segmentOf);
    },
    withPositionsOf: async ({ keyId, first, last }) =>
      all(`${ofSealed} AND last = ? AND first = ?`, keyId, last, first).map(segmentOf),
    withdraw: async (blobs, sealedToo) => {
      const which = sealedToo ? within : `${within} AND state <> 'sealed'`;
      await write(`UPDATE log_segments SET state = 'withdrawn' WHERE ${which}`, JSON.stringify(blobs));
      const sql = `SELECT blob FROM log_segments WHERE ${within} AND state = 'sealed'`;
      return all(sql, JSON.stringify(blobs)).map(({ blob }) => String(blob));
    },
    forget: async blobs => {
      const sql = `DELETE FROM log_segments WHERE state = 'withdrawn' AND ${within}`;
      await write(sql, JSON.stringify(blobs));
    },
  };
}

function conditionOf(wanted: Wanted): [string, ...Value[]] {
  if ("keyId" in wanted) return ["key_id = ?", wanted.keyId];
  if ("endedBefore" in wanted) return ["last_at < ?", wanted.endedBefore];
  return ["state <> 'sealed'"];
}

function segmentOf(row: Record<string, unknown>): Segment {
  const [first, last, bytes] = [Number(row.first), Number(row.last), Number(row.bytes)];
  const [firstAt, lastAt] = [Number(row.first_at), Number(row.last_at)];
  return { blob: String(row.blob), keyId: String(row.key_id), first, last, firstAt, lastAt, bytes };
}
