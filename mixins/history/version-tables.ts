import type { Database } from "../store/sqlite/database.ts";
import { ContentTable } from "./content-table.ts";
import { bytesOfWords, bytesWith, type Held } from "./cost.ts";
import type { Kept, NewVersion, Said, Version, VersionsWanted } from "./history.ts";
import type { Aged } from "./what-goes.ts";

/**
 * A source has a number here, since its id would be most of a row. A page has the empty item. What is kept of a source is
 * counted as it comes and goes: nobody has to add it up.
 */
const schema = `
  CREATE TABLE IF NOT EXISTS history_sources (
    n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, versions INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0,
    checks INTEGER NOT NULL DEFAULT 0, vals INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE IF NOT EXISTS history_versions (
    source INTEGER NOT NULL, id TEXT NOT NULL, item TEXT NOT NULL, at INTEGER NOT NULL, content INTEGER NOT NULL,
    title TEXT NOT NULL, outcome TEXT NOT NULL, reason TEXT NOT NULL, event_id TEXT, event_at INTEGER, previous_id TEXT, picture TEXT,
    added INTEGER, removed INTEGER, bytes INTEGER NOT NULL, word_bytes INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (source, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS history_versions_by_item ON history_versions (source, item, id);
  CREATE INDEX IF NOT EXISTS history_versions_by_content ON history_versions (content);
  CREATE INDEX IF NOT EXISTS history_versions_with_words ON history_versions (source, id) WHERE word_bytes > 0;
  CREATE INDEX IF NOT EXISTS history_versions_compared ON history_versions (source, coalesce(event_at, at), previous_id)
    WHERE previous_id IS NOT NULL;
  CREATE TRIGGER IF NOT EXISTS history_version_came AFTER INSERT ON history_versions BEGIN
    UPDATE history_sources SET versions = versions + 1, bytes = bytes + new.bytes + new.word_bytes WHERE n = new.source;
  END;
  CREATE TRIGGER IF NOT EXISTS history_version_went AFTER DELETE ON history_versions BEGIN
    UPDATE history_sources SET versions = versions - 1, bytes = bytes - old.bytes - old.word_bytes WHERE n = old.source;
  END;
  CREATE TRIGGER IF NOT EXISTS history_version_resized AFTER UPDATE OF bytes, word_bytes ON history_versions BEGIN
    UPDATE history_sources SET bytes = bytes + new.bytes + new.word_bytes - old.bytes - old.word_bytes
    WHERE n = new.source;
  END;`;

type Row = Record<string, unknown>;
type Value = string | number | null;

const selected = `SELECT v.*, hex(c.hash) AS hash FROM history_versions v JOIN history_contents c ON c.n = v.content`;

const aged = `SELECT id, item, at, event_id, event_at, previous_id, bytes, word_bytes FROM history_versions`;

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
    const source = this.madeSource(sourceId);
    this.#all("DELETE FROM history_versions WHERE source = ? AND id = ?", source, id);
    this.#all(
      "INSERT INTO history_versions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      ...[source, id, item, at, content, title, outcome, reason],
      ...saidValues(version),
      ...[this.contents.bytesOf(content), bytesOfWords(version.words)],
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

  /** Gives a source some versions of another one, the oldest of a range; answers which, and where the next ones begin. */
  adopt(
    from: number,
    to: number,
    { first, end, limit }: { first: string; end: string; limit: number },
  ): { ids: string[]; next?: string } {
    const sql = "SELECT id FROM history_versions WHERE source = ? AND id >= ? AND id < ? ORDER BY id LIMIT ?";
    const found = this.#all(sql, from, first, end, limit + 1).map(({ id }) => String(id));
    const [ids, next] = [found.slice(0, limit), found[limit]];
    const columns =
      "id, item, at, content, title, outcome, reason, event_id, event_at, previous_id, picture, added, removed, bytes, word_bytes";
    this.#all(
      `INSERT OR IGNORE INTO history_versions (source, ${columns})
       SELECT ?, ${columns} FROM history_versions WHERE source = ? AND id IN (SELECT value FROM json_each(?))`,
      ...[to, from, JSON.stringify(ids)],
    );
    return { ids, ...(next !== undefined && { next }) };
  }

  /** What is kept of these sources. */
  heldOf(sourceIds: string[]): Map<string, Held> {
    const sql = `SELECT id, versions, bytes, checks, vals FROM history_sources
      WHERE id IN (SELECT value FROM json_each(?))`;
    return new Map(
      this.#all(sql, JSON.stringify(sourceIds)).map(({ id, versions, bytes, checks, vals }) => [
        String(id),
        {
          versions: Number(versions),
          bytes: Number(bytes),
          checks: Number(checks),
          values: Number(vals),
        },
      ]),
    );
  }

  newestIds(sourceId: string, limit: number): string[] {
    const source = this.sourceOf(sourceId);
    if (source === null) return [];
    const sql = "SELECT id FROM history_versions WHERE source = ? ORDER BY id DESC LIMIT ?";
    return this.#all(sql, source, limit).map(({ id }) => String(id));
  }

  /** What retention looks at: versions after an id, the oldest first. */
  aged(source: number, after: string, limit: number): Aged[] {
    return this.#all(`${aged} WHERE source = ? AND id > ? ORDER BY id LIMIT ?`, source, after, limit).map(
      agedOf,
    );
  }

  /** The first version after an id, of each of these items. */
  agedAfterOf(source: number, id: string, items: Aged["item"][]): Map<Aged["item"], Aged> {
    const sql = `${aged} WHERE source = ? AND item = ? AND id > ? ORDER BY id LIMIT 1`;
    const found = new Map<Aged["item"], Aged>();
    for (const item of items) {
      const [row] = this.#all(sql, source, item ?? "", id);
      if (row) found.set(item, agedOf(row));
    }
    return found;
  }

  /** The versions with which events were compared that are not older than a time (ms). */
  comparedFrom(source: number, eventsFrom: number): Set<string> {
    const sql = `SELECT previous_id FROM history_versions
      WHERE source = ? AND coalesce(event_at, at) >= ? AND previous_id IS NOT NULL`;
    return new Set(this.#all(sql, source, eventsFrom).map(row => String(row.previous_id)));
  }

  /** The oldest versions of which words are in the index, and the bytes of these. */
  withWords(source: number, limit: number): { id: string; bytes: number }[] {
    const sql = `SELECT id, word_bytes FROM history_versions INDEXED BY history_versions_with_words
      WHERE source = ? AND word_bytes > 0 ORDER BY id LIMIT ?`;
    return this.#all(sql, source, limit).map(row => ({ id: String(row.id), bytes: Number(row.word_bytes) }));
  }

  forgetWords(source: number, ids: string[]): void {
    const sql =
      "UPDATE history_versions SET word_bytes = 0 WHERE source = ? AND id IN (SELECT value FROM json_each(?))";
    this.#all(sql, source, JSON.stringify(ids));
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

function agedOf(row: Row): Aged {
  const { id, item, at, event_id, event_at, previous_id, bytes, word_bytes } = row;
  return {
    id: String(id),
    at: Number(at),
    ...(item !== "" && { item: String(item) }),
    ...(event_id !== null && { eventId: String(event_id) }),
    ...(event_at !== null && { eventAt: Number(event_at) }),
    ...(previous_id !== null && { previousId: String(previous_id) }),
    bytes: bytesWith(Number(bytes), Number(word_bytes)),
  };
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
