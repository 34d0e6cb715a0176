import type { Database } from "../store/sqlite/database.ts";
import { ContentTable } from "./content-table.ts";
import type { Kept, NewVersion, Said, Version, VersionsWanted } from "./history.ts";

/** A source has a number here, since its id would be most of a row. A page has the empty item. */
const schema = `
  CREATE TABLE IF NOT EXISTS history_sources (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE IF NOT EXISTS history_versions (
    source INTEGER NOT NULL, id TEXT NOT NULL, item TEXT NOT NULL, at INTEGER NOT NULL, content INTEGER NOT NULL,
    title TEXT NOT NULL, outcome TEXT NOT NULL, reason TEXT NOT NULL, event_id TEXT, event_at INTEGER, previous_id TEXT, picture TEXT,
    added INTEGER, removed INTEGER, bytes INTEGER NOT NULL, PRIMARY KEY (source, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS history_versions_by_item ON history_versions (source, item, id);
  CREATE INDEX IF NOT EXISTS history_versions_by_content ON history_versions (content);`;

type Row = Record<string, unknown>;
type Value = string | number | null;

const selected = `SELECT v.*, hex(c.hash) AS hash FROM history_versions v JOIN history_contents c ON c.n = v.content`;

/** The versions of the embedded history. Every call is a transaction, or joins the current one. */
export class VersionTables {
  readonly #database: Database;
  readonly contents: ContentTable;

  constructor(database: Database) {
    this.#database = database;
    this.contents = new ContentTable(database);
    database.transaction(() => database.exec(schema));
  }

  /** The number of a source; null for one of which nothing is kept. */
  sourceOf(id: string): number | null {
    const [row] = this.#all("SELECT n FROM history_sources WHERE id = ?", id);
    return row ? Number(row.n) : null;
  }

  madeSource(id: string): number {
    const known = this.sourceOf(id);
    if (known !== null) return known;
    return Number(
      this.#database.prepare("INSERT INTO history_sources (id) VALUES (?)").run(id).lastInsertRowid,
    );
  }

  sourceIds(after: string, limit: number): string[] {
    const sql = "SELECT id FROM history_sources WHERE id > ? ORDER BY id LIMIT ?";
    return this.#all(sql, after, limit).map(row => String(row.id));
  }

  removeSource(source: number): void {
    this.#all("DELETE FROM history_sources WHERE n = ?", source);
  }

  list(
    sourceId: string,
    { before = "~", after = "", item, hash, outcomes, oldestFirst, limit }: VersionsWanted,
  ): Version[] {
    const source = this.sourceOf(sourceId);
    if (source === null) return [];
    const [ofItem, items] = item === undefined ? ["", []] : ["AND v.item = ?", [item]];
    const [withHash, hashes] = hash === undefined ? ["", []] : ["AND c.hash = unhex(?)", [hash]];
    const [withOutcome, some] = outcomes
      ? ["AND v.outcome IN (SELECT value FROM json_each(?))", [JSON.stringify(outcomes)]]
      : ["", []];
    const sql = `${selected} WHERE v.source = ? ${ofItem} AND v.id < ? AND v.id > ? ${withHash} ${withOutcome} ORDER BY v.id ${oldestFirst ? "ASC" : "DESC"} LIMIT ?`;
    const rows = this.#all(sql, source, ...items, before, after, ...hashes, ...some, limit);
    return rows.map(row => versionOf(row, sourceId));
  }

  /** The newest version of a source and item, with the number of its content. */
  newest(sourceId: string, item: string): { version: Version; content: number } | null {
    const source = this.sourceOf(sourceId);
    const sql = `${selected} WHERE v.source = ? AND v.item = ? ORDER BY v.id DESC LIMIT 1`;
    const [row] = source === null ? [] : this.#all(sql, source, item);
    return row ? { version: versionOf(row, sourceId), content: Number(row.content) } : null;
  }

  one(sourceId: string, id: string): Version | null {
    const source = this.sourceOf(sourceId);
    const [row] = source === null ? [] : this.#all(`${selected} WHERE v.source = ? AND v.id = ?`, source, id);
    return row ? versionOf(row, sourceId) : null;
  }

  put(version: NewVersion, content: number): void {
    const { sourceId, id, item = "", at, title, outcome, reason } = version;
    const bytes = this.contents.bytesOf(content);
    this.#all(
      "INSERT OR REPLACE INTO history_versions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      ...[this.madeSource(sourceId), id, item, at, content, title, outcome, reason],
      ...saidValues(version),
      bytes,
    );
  }

  /** Replaces what is said of a version; an event keeps its time. */
  restate(sourceId: string, id: string, said: Said, title?: string): Kept {
    const former = this.one(sourceId, id);
    const isKnown = said.eventId !== undefined && former?.eventId === said.eventId;
    const eventAt = (isKnown ? former.eventAt : undefined) ?? said.eventAt;
    this.#all(
      `UPDATE history_versions SET title = coalesce(?, title), outcome = ?, reason = ?, event_id = ?, event_at = ?,
       previous_id = ?, picture = ?, added = ?, removed = ? WHERE source = ? AND id = ?`,
      ...[
        title ?? null,
        said.outcome,
        said.reason,
        ...saidValues({ ...said, ...(eventAt !== undefined && { eventAt }) }),
      ],
      ...[this.sourceOf(sourceId), id],
    );
    return { id, ...(eventAt !== undefined && { eventAt }) };
  }

  /** Gives a source the versions of another one from `first` on, and before `end`; answers which. */
  adopt(from: number, to: number, first: string, end: string): string[] {
    const columns =
      "id, item, at, content, title, outcome, reason, event_id, event_at, previous_id, picture, added, removed, bytes";
    const adopted = this.#all(
      `INSERT OR IGNORE INTO history_versions (source, ${columns})
       SELECT ?, ${columns} FROM history_versions WHERE source = ? AND id >= ? AND id < ? RETURNING id`,
      ...[to, from, first, end],
    );
    return adopted.map(({ id }) => String(id));
  }

  size(source: number): { versions: number; bytes: number } {
    const sql = "SELECT count(*) AS versions, sum(bytes) AS bytes FROM history_versions WHERE source = ?";
    const [row] = this.#all(sql, source);
    return { versions: Number(row?.versions ?? 0), bytes: Number(row?.bytes ?? 0) };
  }

  bytesOf(sourceIds: string[]): Map<string, number> {
    const sql = `SELECT s.id, sum(v.bytes) AS bytes FROM history_sources s JOIN history_versions v ON v.source = s.n
      WHERE s.id IN (SELECT value FROM json_each(?)) GROUP BY s.id`;
    return new Map(
      this.#all(sql, JSON.stringify(sourceIds)).map(({ id, bytes }) => [String(id), Number(bytes)]),
    );
  }

  /** Removes versions, and the contents that no other one refers to. */
  remove(source: number, ids: string[]): void {
    this.#database.transaction(() => {
      const gone = this.#all(
        `DELETE FROM history_versions WHERE source = ? AND id IN (SELECT value FROM json_each(?)) RETURNING content`,
        source,
        JSON.stringify(ids),
      );
      const repacked = this.contents.remove(this.#unreferenced(gone.map(row => Number(row.content))));
      for (const [content, bytes] of repacked)
        this.#all("UPDATE history_versions SET bytes = ? WHERE content = ?", bytes, content);
    });
  }

  #unreferenced(contents: number[]): Set<number> {
    const isUsed = (n: number) =>
      this.#all("SELECT 1 FROM history_versions WHERE content = ? LIMIT 1", n).length > 0;
    return new Set([...new Set(contents)].filter(n => !isUsed(n)));
  }

  #all(sql: string, ...values: Value[]): Row[] {
    return this.#database.prepare(sql).all(...values);
  }
}

function saidValues({ eventId, eventAt, previousId, picture, added, removed }: Said): Value[] {
  return [
    eventId ?? null,
    eventAt ?? null,
    previousId ?? null,
    picture ?? null,
    added ?? null,
    removed ?? null,
  ];
}

function versionOf(row: Row, sourceId: string): Version {
  return {
    id: String(row.id),
    sourceId,
    ...(row.item !== "" && { item: String(row.item) }),
    at: Number(row.at),
    hash: String(row.hash).toLowerCase(),
    title: String(row.title),
    outcome: row.outcome as Version["outcome"],
    reason: String(row.reason),
    ...(row.event_id !== null && { eventId: String(row.event_id) }),
    ...(row.event_at !== null && { eventAt: Number(row.event_at) }),
    ...(row.previous_id !== null && { previousId: String(row.previous_id) }),
    ...(row.picture !== null && { picture: String(row.picture) }),
    ...(row.added !== null && { added: Number(row.added) }),
    ...(row.removed !== null && { removed: Number(row.removed) }),
    bytes: Number(row.bytes),
  };
}
