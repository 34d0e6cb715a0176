import { type SearchQuery, segmented, type Term } from "../../services/domain/history/search-query.ts";
import { GroupedWrites } from "../async/grouped-writes.ts";
import type { Database } from "../store/sqlite/database.ts";
import {
  type IndexedText,
  maxIndexed,
  type SearchPosition,
  type SearchScope,
  type WordIndex,
} from "./word-index.ts";

/**
 * The words are divided and folded before they come here, the same in both drivers, so the index only splits at blanks: for
 * the tokenizer `ascii` every character beyond ASCII is one of a word. It keeps no text of its own.
 */
const schema = `
  CREATE TABLE IF NOT EXISTS history_texts (
    n INTEGER PRIMARY KEY, source TEXT NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, at INTEGER NOT NULL,
    title TEXT NOT NULL, text TEXT NOT NULL, url TEXT, UNIQUE (source, id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS history_texts_of_events ON history_texts (at) WHERE kind = 'event';
  CREATE VIRTUAL TABLE IF NOT EXISTS history_words
    USING fts5(words, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'");`;

/** Texts that one search looks at, at most, the latest that were indexed: it blocks the process meanwhile, for some 50 ms. */
const maxSeen = 50_000;

type Row = Record<string, unknown>;
type Value = string | number | null;

/**
 * The new texts of each database file, shared by all who write to it: a write of the index costs several times what one more
 * text in it does.
 */
const newOnes = new WeakMap<Database, GroupedWrites<IndexedText>>();

/** The index of words in the database file of the embedded mode. Every call is a transaction, or joins the current one. */
export class SqliteWords implements WordIndex {
  readonly #database: Database;
  readonly #newOnes: GroupedWrites<IndexedText>;

  constructor(database: Database) {
    this.#database = database;
    database.transaction(() => database.exec(schema));
    this.#newOnes = newOnes.get(database) ?? new GroupedWrites(texts => this.#putUnknown(texts));
    newOnes.set(database, this.#newOnes);
  }

  async put(texts: IndexedText[]): Promise<void> {
    this.putNow(texts);
    await this.#database.kept();
  }

  putNew(texts: IndexedText[]): Promise<void> {
    return this.#newOnes.add(texts);
  }

  /** Resolves when nothing waits to be written. */
  done(): Promise<void> {
    return this.#newOnes.done();
  }

  /** Resolves when the texts that wait now are written, and can be removed. */
  written(): Promise<void> {
    return this.#newOnes.add([]);
  }

  async #putUnknown(texts: readonly IndexedText[]): Promise<void> {
    this.#database.transaction(() => {
      for (const text of texts) if (!this.#has(text)) this.#insert(text);
    });
    await this.#database.kept();
  }

  #has({ sourceId, id }: IndexedText): boolean {
    return this.#all("SELECT 1 FROM history_texts WHERE source = ? AND id = ?", sourceId, id).length > 0;
  }

  /** Indexes within the caller's transaction, or in its own. */
  putNow(texts: readonly IndexedText[]): void {
    this.#database.transaction(() => {
      for (const text of texts) {
        this.removeNow(text.sourceId, [text.id]);
        this.#insert(text);
      }
    });
  }

  async find(
    query: SearchQuery,
    scopes: readonly SearchScope[],
    { after, limit }: { after?: SearchPosition; limit: number },
  ): Promise<IndexedText[]> {
    const { at, id } = after ?? { at: Number.MAX_SAFE_INTEGER, id: "" };
    const sources = JSON.stringify(Object.fromEntries(scopes.map(({ sourceId, from }) => [sourceId, from])));
    const rows = this.#all(
      `WITH scope(source, since) AS MATERIALIZED (SELECT key, value FROM json_each(?))
       SELECT t.* FROM (SELECT rowid AS n FROM history_words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ${maxSeen}) w
       JOIN history_texts t ON t.n = w.n JOIN scope s ON s.source = t.source WHERE t.at >= s.since AND t.at >= ? AND t.at < ?
       AND (t.at < ? OR (t.at = ? AND t.id < ?)) ORDER BY t.at DESC, t.id DESC LIMIT ?`,
      ...[sources, matchOf(query, scopes), query.after ?? 0, query.before ?? Number.MAX_SAFE_INTEGER],
      ...[at, at, id, limit],
    );
    return rows.map(textOf);
  }

  async remove(sourceId: string, ids: readonly string[]): Promise<void> {
    this.removeNow(sourceId, ids);
  }

  removeNow(sourceId: string, ids: readonly string[]): void {
    this.#removeWhere("source = ? AND id IN (SELECT value FROM json_each(?))", sourceId, JSON.stringify(ids));
  }

  async removeSome(sourceId: string, limit: number): Promise<number> {
    return this.#removeWhere("n IN (SELECT n FROM history_texts WHERE source = ? LIMIT ?)", sourceId, limit);
  }

  async copy(from: string, to: string, ids: readonly string[]): Promise<void> {
    this.copyNow(from, to, ids);
  }

  copyNow(from: string, to: string, ids: readonly string[]): void {
    const sql = `SELECT * FROM history_texts WHERE source = ? AND kind = 'version'
      AND id IN (SELECT value FROM json_each(?))`;
    const texts = this.#all(sql, from, JSON.stringify(ids)).map(textOf);
    this.putNow(texts.map(text => ({ ...text, sourceId: to })));
  }

  async removeEvents(before: number, limit: number): Promise<number> {
    return this.#removeWhere(
      "n IN (SELECT n FROM history_texts WHERE kind = 'event' AND at < ? LIMIT ?)",
      before,
      limit,
    );
  }

  #insert({ id, kind, sourceId, at, title, text, url }: IndexedText): void {
    const kept = text.slice(0, maxIndexed);
    const words = segmented(kept).join(" ");
    if (words === "") return;
    const { lastInsertRowid } = this.#database
      .prepare(
        "INSERT INTO history_texts (source, id, kind, at, title, text, url) VALUES (?, ?, ?, ?, ?, ?, ?)",
      )
      .run(sourceId, id, kind, at, title, kept, url ?? null);
    const indexed = `${tokenOf(sourceId)} ${words}`;
    this.#all("INSERT INTO history_words (rowid, words) VALUES (?, ?)", Number(lastInsertRowid), indexed);
  }

  #removeWhere(condition: string, ...values: Value[]): number {
    return this.#database.transaction(() => {
      const gone = this.#all(`DELETE FROM history_texts WHERE ${condition} RETURNING n`, ...values);
      for (const { n } of gone) this.#all("DELETE FROM history_words WHERE rowid = ?", Number(n));
      return gone.length;
    });
  }

  #all(sql: string, ...values: Value[]): Row[] {
    return this.#database.prepare(sql).all(...values);
  }
}

/** Sources that a query of the index names; the texts of more are found among those of all keys. */
const mostNamed = 500;

/**
 * The query in the language of FTS5. The words are letters and digits alone, so nothing in them can be an operator. The
 * sources are a part of it: what others say must not fill the bound of a search.
 */
function matchOf({ wanted, unwanted }: SearchQuery, scopes: readonly SearchScope[]): string {
  const words = wanted.map(phrase).join(" AND ");
  const named = scopes.map(({ sourceId }) => `"${tokenOf(sourceId)}"`).join(" OR ");
  const all = scopes.length > 0 && scopes.length <= mostNamed ? `(${named}) AND ${words}` : words;
  return unwanted.length === 0 ? all : `(${all}) NOT (${unwanted.map(phrase).join(" OR ")})`;
}

/** The word by which the texts of a source are found. No word, and no beginning of one, is it: it begins with "_". */
function tokenOf(sourceId: string): string {
  return `_${Buffer.from(sourceId).toString("hex")}`;
}

function phrase({ words, isPrefix }: Term): string {
  return `"${words.join(" ")}"${isPrefix ? " *" : ""}`;
}

function textOf(row: Row): IndexedText {
  return {
    id: String(row.id),
    kind: row.kind as IndexedText["kind"],
    sourceId: String(row.source),
    at: Number(row.at),
    title: String(row.title),
    text: String(row.text),
    ...(row.url !== null && { url: String(row.url) }),
  };
}
