import { fail } from "../../services/contracts/errors.ts";
import type { Database } from "../store/sqlite/database.ts";
import { countsOf, stateNumber } from "./page-states.ts";
import type { FoundPage, PageMark, SettledPage } from "./site-pages.ts";
import {
  foundColumns,
  foundValues,
  lastmodValue,
  type Row,
  type Site,
  schema,
  settledColumns,
  settledValues,
  siteOf,
  type Value,
} from "./site-rows.ts";

/** The fence of a site that is being dropped: no driver has one as high. */
const dropped = Number.MAX_SAFE_INTEGER;
const isNew = stateNumber("new");

/** What is written of the sites of the embedded mode. Every step is a transaction, or a part of the current one. */
export class SiteTables {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
    database.transaction(() => database.exec(schema));
  }

  open(siteId: string, fence: number): string | null {
    return this.#database.transaction(() => {
      this.#run(
        `INSERT INTO tracked_sites (id, fence) VALUES (?, ?)
         ON CONFLICT (id) DO UPDATE SET fence = excluded.fence WHERE excluded.fence > fence`,
        ...[siteId, fence],
      );
      const site = this.#checked(siteId, fence);
      const [row] = this.#all("SELECT memory FROM site_memories WHERE site = ?", site.n);
      return row ? String(row.memory) : null;
    });
  }

  offer(siteId: string, fence: number, found: FoundPage[], limit: number): number {
    return this.#step(siteId, fence, site => {
      let room = limit - countsOf(site.counts).pages;
      let added = 0;
      for (const page of found) {
        if (room <= 0) break;
        const inserted = this.#run(
          `INSERT INTO site_pages (site, ${foundColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (site, key) DO NOTHING`,
          ...[site.n, ...foundValues(page)],
        );
        room -= inserted;
        added += inserted;
      }
      count(site, isNew, added);
      return added;
    });
  }

  settle(siteId: string, fence: number, pages: SettledPage[], memory?: string): void {
    this.#step(siteId, fence, site => {
      for (const page of pages) this.#replace(site, page);
      if (memory !== undefined)
        this.#run("INSERT OR REPLACE INTO site_memories (site, memory) VALUES (?, ?)", site.n, memory);
    });
  }

  mark(siteId: string, fence: number, marks: PageMark[]): void {
    this.#step(siteId, fence, site => {
      for (const { key, listed, dueBy } of marks) {
        if (listed !== undefined)
          this.#run(
            "UPDATE site_pages SET lastmod = ? WHERE site = ? AND key = ?",
            ...[lastmodValue(listed), site.n, key],
          );
        if (dueBy !== undefined)
          this.#run(
            "UPDATE site_pages SET due = ? WHERE site = ? AND key = ? AND (due IS NULL OR due > ?)",
            ...[dueBy, site.n, key, dueBy],
          );
      }
    });
  }

  acknowledge(siteId: string, fence: number, seq: number): void {
    this.#step(siteId, fence, site => {
      this.#run("DELETE FROM site_news WHERE site = ? AND seq <= ?", site.n, seq);
    });
  }

  /** Removes at most `limit` pages of a site, and the site with its last page. Returns how many pages went. */
  dropSlice(siteId: string, limit: number): number {
    return this.#database.transaction(() => {
      const [site] = this.#all(
        "UPDATE tracked_sites SET fence = ? WHERE id = ? RETURNING n",
        dropped,
        siteId,
      );
      if (!site) return 0;
      const n = Number(site.n);
      const pages = JSON.stringify(
        this.#all("SELECT n FROM site_pages WHERE site = ? LIMIT ?", n, limit).map(row => row.n),
      );
      for (const [table, column] of [
        ["site_news", "page"],
        ["site_page_memories", "page"],
        ["site_pages", "n"],
      ])
        this.#run(`DELETE FROM ${table} WHERE ${column} IN (SELECT value FROM json_each(?))`, pages);
      const removed: number = JSON.parse(pages).length;
      if (removed < limit) {
        this.#run("DELETE FROM site_memories WHERE site = ?", n);
        this.#run("DELETE FROM tracked_sites WHERE n = ?", n);
      }
      return removed;
    });
  }

  /** Runs `work` on a site that this fence may drive, and stores the site's numbers. */
  #step<Result>(siteId: string, fence: number, work: (site: Site) => Result): Result {
    return this.#database.transaction(() => {
      const site = this.#checked(siteId, fence);
      const before = JSON.stringify(site);
      const result = work(site);
      if (JSON.stringify(site) !== before)
        this.#run(
          "UPDATE tracked_sites SET seq = ?, counts = ? WHERE n = ?",
          ...[site.seq, JSON.stringify(site.counts), site.n],
        );
      return result;
    });
  }

  #checked(siteId: string, fence: number): Site {
    const [row] = this.#all("SELECT * FROM tracked_sites WHERE id = ?", siteId);
    const site = row && siteOf(row);
    if (!site || fence < site.fence) throw fail("conflict", "This site is worked by someone else.");
    return site;
  }

  #replace(site: Site, page: SettledPage): void {
    const n = this.#write(site, page);
    if (page.memory)
      this.#run("INSERT OR REPLACE INTO site_page_memories (page, memory) VALUES (?, ?)", n, page.memory);
    else this.#run("DELETE FROM site_page_memories WHERE page = ?", n);
    for (const post of page.news ?? []) {
      site.seq += 1;
      this.#run(
        "INSERT INTO site_news (site, seq, page, post) VALUES (?, ?, ?, ?)",
        site.n,
        site.seq,
        n,
        post,
      );
    }
  }

  /** Answers the number of the page. */
  #write(site: Site, page: SettledPage): number {
    const [known] = this.#all("SELECT n, state FROM site_pages WHERE site = ? AND key = ?", site.n, page.key);
    count(site, stateNumber(page.state), 1);
    if (known) {
      count(site, Number(known.state), -1);
      const sets = settledColumns.map(column => `${column} = ?`).join(", ");
      this.#run(`UPDATE site_pages SET ${sets} WHERE n = ?`, ...settledValues(page), Number(known.n));
      return Number(known.n);
    }
    const places = settledColumns.map(() => "?").join(", ");
    const sql = `INSERT INTO site_pages (site, key, ${settledColumns.join(", ")}) VALUES (?, ?, ${places}) RETURNING n`;
    return Number(this.#all(sql, site.n, page.key, ...settledValues(page))[0]?.n);
  }

  #all(sql: string, ...values: Value[]): Row[] {
    return this.#database.prepare(sql).all(...values);
  }

  #run(sql: string, ...values: Value[]): number {
    return Number(this.#database.prepare(sql).run(...values).changes);
  }
}

function count({ counts }: Site, state: number, more: number): void {
  for (let at = counts.length; at <= state; at += 1) counts[at] = 0;
  counts[state] = (counts[state] ?? 0) + more;
}
