import type { Database } from "../store/sqlite/database.ts";
import { type Base, type Link, type Packed, packNow, unpackNow } from "./contents.ts";

/** A content is stored once for all versions that refer to it by its number. */
const schema = `
  CREATE TABLE IF NOT EXISTS history_contents (
    n INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, base INTEGER, depth INTEGER NOT NULL, chain_bytes INTEGER NOT NULL,
    data BLOB NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS history_contents_by_base ON history_contents (base) WHERE base IS NOT NULL;`;

/** A content and those before it, as they are stored, the first one first. */
export interface Chain extends Link {
  n: number;
  data: Uint8Array[];
}

/** The contents of the embedded history. Every call is a transaction, or joins the current one. */
export class ContentTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
    database.transaction(() => database.exec(schema));
  }

  numberOf(hash: string): number | null {
    const [row] = this.#all("SELECT n FROM history_contents WHERE hash = ?", Buffer.from(hash, "hex"));
    return row ? Number(row.n) : null;
  }

  /** Null where there is no such content. */
  chainOf(n: number): Chain | null {
    const data: Uint8Array[] = [];
    let link: Link | undefined;
    for (let at: number | null = n; at !== null; ) {
      const sql = "SELECT base, depth, chain_bytes, data FROM history_contents WHERE n = ?";
      const [row] = this.#all(sql, at);
      if (!row) return null;
      link ??= { depth: Number(row.depth), chainBytes: Number(row.chain_bytes) };
      data.unshift(row.data as Uint8Array);
      at = row.base === null ? null : Number(row.base);
    }
    return link ? { n, data, ...link } : null;
  }

  /** Adds a content, whose base is `base`. */
  add(hash: string, { data, depth, chainBytes }: Packed, base: number | null): number {
    const insertion = this.#database.prepare(
      "INSERT INTO history_contents (hash, base, depth, chain_bytes, data) VALUES (?, ?, ?, ?, ?)",
    );
    return Number(insertion.run(Buffer.from(hash, "hex"), base, depth, chainBytes, data).lastInsertRowid);
  }

  bytesOf(n: number): number {
    const [row] = this.#all("SELECT length(data) AS bytes FROM history_contents WHERE n = ?", n);
    return Number(row?.bytes ?? 0);
  }

  /** Removes contents. Those that need one of them are packed anew; answers which, and what they take now. */
  remove(dead: ReadonlySet<number>): Map<number, number> {
    return this.#database.transaction(() => {
      const repacked = new Map<number, number>();
      for (const n of dead)
        for (const dependent of this.#dependentsOf(n))
          if (!dead.has(dependent)) repacked.set(dependent, this.#repack(dependent, n, dead));
      for (const n of dead) this.#all("DELETE FROM history_contents WHERE n = ?", n);
      return repacked;
    });
  }

  #dependentsOf(n: number): number[] {
    return this.#all("SELECT n FROM history_contents WHERE base = ?", n).map(row => Number(row.n));
  }

  /** Packs a content against the nearest one before it that stays. Answers its bytes. */
  #repack(n: number, base: number, dead: ReadonlySet<number>): number {
    const chain = this.chainOf(n);
    const content = chain && readable(chain);
    if (!chain || !content) return 0;
    const staying = this.#nearestAlive(base, dead);
    const { data, depth, chainBytes, base: used } = packNow(content, this.#baseAt(staying));
    this.#database
      .prepare("UPDATE history_contents SET base = ?, depth = ?, chain_bytes = ?, data = ? WHERE n = ?")
      .run(used === undefined ? null : staying, depth, chainBytes, data, n);
    return data.length;
  }

  #nearestAlive(from: number, dead: ReadonlySet<number>): number | null {
    let n: number | null = from;
    while (n !== null && dead.has(n)) {
      const [row] = this.#all("SELECT base FROM history_contents WHERE n = ?", n);
      n = row && row.base !== null ? Number(row.base) : null;
    }
    return n;
  }

  #baseAt(n: number | null): Base | null {
    const chain = n === null ? null : this.chainOf(n);
    const content = chain && readable(chain);
    return chain && content && { hash: "", content, ...chain };
  }

  #all(sql: string, ...values: (string | number | null | Uint8Array)[]) {
    return this.#database.prepare(sql).all(...values);
  }
}

/** Null for what is damaged: it stops nothing else. */
function readable({ data }: Chain): Buffer | null {
  try {
    return unpackNow(data);
  } catch {
    return null;
  }
}
