import type { Database } from "../store/sqlite/database.ts";
import { countsOf, endOf, inTurns, stateNumber, stateOf } from "./page-states.ts";
import type { ListedPage, PageNews, PageRange, SiteCounts, SitePage } from "./site-pages.ts";
import { listedOf, pageOf, type Row, siteOf, type Value } from "./site-rows.ts";

const columns =
  "p.n, p.key, p.url, p.depth, p.origin, p.lastmod, p.found, p.due, p.state, p.title, p.content, p.visited, p.changed, p.moved_to";
/** Pages with what they remember. */
const whole = `SELECT ${columns}, m.memory FROM site_pages p LEFT JOIN site_page_memories m ON m.page = p.n`;
const [there, missing] = [stateNumber("there"), stateNumber("missing")];
const isTold = "NOT EXISTS (SELECT 1 FROM site_news w WHERE w.page = p.n)";
const mostAlike = 10;

/** What is read of the sites of the embedded mode. Every query follows an index. */
export class SiteViews {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  due(siteId: string, now: number, count: number): SitePage[] {
    const sql = `${whole} WHERE p.site = ? AND p.due <= ? AND ${isTold} ORDER BY p.due LIMIT ?`;
    return this.#pages(sql, this.#numberOf(siteId), now, count);
  }

  nextDue(siteId: string): number | null {
    const sql = `SELECT p.due FROM site_pages p WHERE p.site = ? AND p.due IS NOT NULL AND ${isTold} ORDER BY p.due LIMIT 1`;
    const [row] = this.#all(sql, this.#numberOf(siteId));
    return row ? Number(row.due) : null;
  }

  get(siteId: string, keys: string[]): SitePage[] {
    const sql = `${whole} WHERE p.site = ? AND p.key IN (SELECT value FROM json_each(?))`;
    return this.#pages(sql, this.#numberOf(siteId), JSON.stringify(keys));
  }

  withContent(siteId: string, content: string): SitePage[] {
    const hash = Buffer.from(content, "hex");
    const sql = `${whole} WHERE p.site = ? AND substr(p.content, 1, 8) = ? AND p.content = ? AND p.state IN (?, ?) LIMIT ?`;
    return this.#pages(
      sql,
      ...[this.#numberOf(siteId), hash.subarray(0, 8), hash, there, missing, mostAlike],
    );
  }

  near(siteId: string, key: string, count: number): SitePage[] {
    const site = this.#numberOf(siteId);
    const of = `${whole} WHERE p.site = ? AND p.state = ? AND`;
    const after = this.#pages(`${of} p.key > ? ORDER BY p.key LIMIT ?`, site, there, key, count);
    const before = this.#pages(`${of} p.key < ? ORDER BY p.key DESC LIMIT ?`, site, there, key, count);
    return inTurns(after, before, count);
  }

  news(siteId: string, after: number, limit: number): (PageNews & { key: string })[] {
    const sql = `SELECT w.seq, w.post, p.key FROM site_news w JOIN site_pages p ON p.n = w.page
      WHERE w.site = ? AND w.seq > ? ORDER BY w.seq LIMIT ?`;
    const rows = this.#all(sql, this.#numberOf(siteId), after, limit);
    return rows.map(row => ({ ...newsOf(row), key: String(row.key) }));
  }

  counts(siteId: string): SiteCounts {
    const [row] = this.#all("SELECT * FROM tracked_sites WHERE id = ?", siteId);
    return countsOf(row ? siteOf(row).counts : []);
  }

  list(siteId: string, range: PageRange): ListedPage[] {
    const wanted = range.states?.map(stateNumber);
    if (range.changedSince !== undefined)
      return this.#listed(siteId, range, "site_pages_by_change", wanted, range.changedSince);
    if (!wanted || wanted.includes(there)) return this.#listed(siteId, range, "site_pages_by_key", wanted);
    // A state at a time follows the index of those that are not there, in the order of keys.
    const found = wanted.flatMap(state => this.#listed(siteId, range, "site_pages_by_state", [state]));
    return found.sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key))).slice(0, range.limit);
  }

  listed(siteId: string, after: string, limit: number): Pick<SitePage, "key" | "listed" | "state">[] {
    const sql = "SELECT key, lastmod, state FROM site_pages WHERE site = ? AND key > ? ORDER BY key LIMIT ?";
    return this.#all(sql, this.#numberOf(siteId), after, limit).map(({ key, lastmod, state }) => ({
      key: String(key),
      ...listedOf(lastmod),
      state: stateOf(state),
    }));
  }

  #listed(
    siteId: string,
    { prefix = "", after = "", limit }: PageRange,
    index: string,
    wanted?: number[],
    changedSince?: number,
  ): ListedPage[] {
    const conditions: [string, Value[]][] = [
      ["p.site = ?", [this.#numberOf(siteId)]],
      ["p.key > ? AND p.key >= ?", [after, prefix]],
    ];
    if (prefix !== "") conditions.push(["p.key < ?", [endOf(prefix)]]);
    if (index === "site_pages_by_state") conditions.push(["p.state > 0 AND p.state = ?", wanted ?? []]);
    else if (wanted)
      conditions.push(["p.state IN (SELECT value FROM json_each(?))", [JSON.stringify(wanted)]]);
    if (changedSince !== undefined) conditions.push(["p.changed >= ?", [changedSince]]);
    const where = conditions.map(([sql]) => sql).join(" AND ");
    const values = conditions.flatMap(([, each]) => each);
    const sql = `SELECT ${columns} FROM site_pages p INDEXED BY ${index} WHERE ${where} ORDER BY p.key LIMIT ?`;
    return this.#all(sql, ...values, limit).map(pageOf);
  }

  /** No site has the number 0. */
  #numberOf(siteId: string): number {
    return Number(this.#all("SELECT n FROM tracked_sites WHERE id = ?", siteId)[0]?.n ?? 0);
  }

  #pages(sql: string, ...values: Value[]): SitePage[] {
    return this.#all(sql, ...values).map(row => {
      const waiting = this.#all("SELECT seq, post FROM site_news WHERE page = ? ORDER BY seq", Number(row.n));
      return {
        ...pageOf(row),
        ...(row.memory instanceof Uint8Array && { memory: row.memory }),
        ...(waiting.length > 0 && { news: waiting.map(newsOf) }),
      };
    });
  }

  #all(sql: string, ...values: Value[]): Row[] {
    return this.#database.prepare(sql).all(...values);
  }
}

function newsOf({ seq, post }: Row): PageNews {
  return { seq: Number(seq), post: String(post) };
}
