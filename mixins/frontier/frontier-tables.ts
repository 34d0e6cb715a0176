import { fail } from "../../services/contracts/errors.ts";
import type { Database } from "../store/sqlite/database.ts";
import type { Bounds, Candidate, Claim, Counts, Outcome, Settled } from "./frontier.ts";
import {
  type Crawl,
  claimOf,
  countsOf,
  crawlOf,
  type OpenState,
  openPages,
  type Row,
  schema,
  settledOf,
} from "./frontier-rows.ts";

type Value = string | number | null;

/** The fence of a crawl that is being dropped: no driver has one as high. */
const dropped = Number.MAX_SAFE_INTEGER;

/** The tables of the embedded frontier. Every step is a transaction, or a part of the current one. */
export class FrontierTables {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
    database.transaction(() => database.exec(schema));
  }

  open(crawlId: string, fence: number, { limit, maxDiscovered }: Bounds): Counts {
    return this.#database.transaction(() => {
      const known = this.#find(crawlId);
      if (known?.fence === fence) return countsOf(known);
      this.#run(
        `INSERT INTO frontier_crawls (crawl_id, fence, page_limit, max_discovered) VALUES (?, ?, ?, ?)
         ON CONFLICT (crawl_id) DO UPDATE SET fence = excluded.fence, page_limit = excluded.page_limit,
         max_discovered = excluded.max_discovered WHERE excluded.fence > fence`,
        ...[crawlId, fence, limit, maxDiscovered],
      );
      return this.#step(crawlId, fence, crawl => this.#resume(crawl));
    });
  }

  offer(crawlId: string, fence: number, candidates: Candidate[]): number {
    if (candidates.length === 0) return this.#admit(this.#driven(crawlId, fence), []);
    return this.#step(crawlId, fence, crawl => this.#admit(crawl, candidates));
  }

  take(crawlId: string, fence: number, count: number, now: number): Claim[] {
    return this.#step(crawlId, fence, crawl => {
      const free = Math.min(count, crawl.limit - crawl.completed - crawl.failed - crawl.running);
      if (free <= 0 || crawl.finished !== null) return [];
      this.#run(
        "UPDATE frontier_pages SET state = 'ready' WHERE crawl = ? AND state = 'delayed' AND due <= ?",
        ...[crawl.n, now],
      );
      const rows = this.#all(
        `UPDATE frontier_pages SET state = 'running' WHERE n IN (
           SELECT n FROM frontier_pages WHERE crawl = ? AND state = 'ready' ORDER BY place, n LIMIT ?
         ) RETURNING n, place, key, url, depth, hops, origin, external, tries`,
        ...[crawl.n, free],
      );
      crawl.queued -= rows.length;
      crawl.running += rows.length;
      // RETURNING has no defined order.
      return rows.sort((a, b) => Number(a.place) - Number(b.place) || Number(a.n) - Number(b.n)).map(claimOf);
    });
  }

  postpone(crawlId: string, fence: number, key: string, until: number, isTry = true): void {
    this.#step(crawlId, fence, crawl => {
      const moved = this.#run(
        `UPDATE frontier_pages SET state = 'delayed', place = depth, due = ?, tries = tries + ?
         WHERE crawl = ? AND key = ? AND state = 'running'`,
        ...[until, Number(isTry), crawl.n, key],
      );
      crawl.running -= moved;
      crawl.queued += moved;
    });
  }

  settle(crawlId: string, fence: number, key: string, outcome: Outcome, links: Candidate[]): Counts {
    return this.#step(crawlId, fence, crawl => {
      if (!this.#endRunning(crawl, key, outcome)) return countsOf(crawl);
      for (const alias of outcome.aliases ?? []) this.#alias(crawl, alias);
      this.#admit(crawl, links);
      return countsOf(crawl);
    });
  }

  nextDue(crawlId: string): number | null {
    const crawl = this.#find(crawlId);
    if (!crawl || crawl.queued === 0) return null;
    const ready = this.#all(
      "SELECT 1 FROM frontier_pages WHERE crawl = ? AND state = 'ready' LIMIT 1",
      crawl.n,
    );
    if (ready.length > 0) return 0;
    const [first] = this.#all(
      "SELECT due FROM frontier_pages WHERE crawl = ? AND state = 'delayed' ORDER BY due LIMIT 1",
      crawl.n,
    );
    return first ? Number(first.due) : null;
  }

  /** Finishes the crawl: skips all running pages and at most `limit` waiting ones. Returns how many still wait. */
  finishSlice(crawlId: string, fence: number, reason: string, limit: number): number {
    return this.#step(crawlId, fence, crawl => {
      crawl.finished ??= reason;
      this.#skip(crawl, "running", crawl.running);
      this.#skip(crawl, "ready", limit);
      this.#skip(crawl, "delayed", limit);
      return crawl.queued;
    });
  }

  counts(crawlId: string): Counts {
    return countsOf(this.#find(crawlId) ?? none);
  }

  settled(crawlId: string, after: number, limit: number, states: Outcome["state"][]): Settled[] {
    const crawl = this.#find(crawlId);
    if (!crawl) return [];
    const rows = states.flatMap(state =>
      this.#all(
        `SELECT seq, key, url, state, reason FROM frontier_pages
         WHERE crawl = ? AND state = ? AND seq > ? ORDER BY seq LIMIT ?`,
        ...[crawl.n, state, after, limit],
      ),
    );
    return rows
      .map(settledOf)
      .sort((a, b) => a.seq - b.seq)
      .slice(0, limit);
  }

  /** Removes at most `limit` pages of a crawl, and the crawl with its last page. Returns how many pages went. */
  dropSlice(crawlId: string, limit: number): number {
    return this.#database.transaction(() => {
      const crawl = this.#find(crawlId);
      if (!crawl) return 0;
      this.#run("UPDATE frontier_crawls SET fence = ? WHERE n = ?", dropped, crawl.n);
      const removed = this.#run(
        "DELETE FROM frontier_pages WHERE n IN (SELECT n FROM frontier_pages WHERE crawl = ? LIMIT ?)",
        ...[crawl.n, limit],
      );
      if (removed < limit) this.#run("DELETE FROM frontier_crawls WHERE n = ?", crawl.n);
      return removed;
    });
  }

  /** Runs `work` on a crawl that this fence may drive, and stores the crawl's counts. */
  #step<Result>(crawlId: string, fence: number, work: (crawl: Crawl) => Result): Result {
    return this.#database.transaction(() => {
      const before = this.#driven(crawlId, fence);
      const crawl = { ...before };
      const result = work(crawl);
      if (!isAlike(before, crawl)) this.#keep(crawl);
      return result;
    });
  }

  #driven(crawlId: string, fence: number): Crawl {
    const crawl = this.#find(crawlId);
    if (!crawl || fence < crawl.fence) throw fail("conflict", "This crawl is driven by someone else.");
    return crawl;
  }

  #keep({ n, finished, queued, running, completed, failed, skipped }: Crawl): void {
    this.#run(
      `UPDATE frontier_crawls SET finished = ?, queued = ?, running = ?, completed = ?, failed = ?, skipped = ?
       WHERE n = ?`,
      ...[finished, queued, running, completed, failed, skipped, n],
    );
  }

  #resume(crawl: Crawl): Counts {
    const begun = this.#run(
      "UPDATE frontier_pages SET state = 'ready', place = -1 WHERE crawl = ? AND state = 'running'",
      crawl.n,
    );
    crawl.running -= begun;
    crawl.queued += begun;
    return countsOf(crawl);
  }

  #admit(crawl: Crawl, candidates: Candidate[]): number {
    if (crawl.finished !== null) return 0;
    let added = 0;
    for (const candidate of candidates) {
      const isNew =
        countsOf(crawl).discovered < crawl.maxDiscovered && this.#insert(crawl, candidate, "ready");
      if (!isNew) this.#moveForward(crawl, candidate);
      else {
        added += 1;
        crawl.queued += 1;
      }
    }
    return added;
  }

  #insert(
    crawl: Crawl,
    { key, url, depth, hops, from, external }: Candidate,
    state: "ready" | "alias",
  ): boolean {
    const inserted = this.#run(
      `INSERT INTO frontier_pages (crawl, key, url, depth, hops, origin, external, state, place)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (crawl, key) DO NOTHING`,
      ...[crawl.n, key, url, depth, hops, from, Number(external), state, depth],
    );
    return inserted === 1;
  }

  #moveForward(crawl: Crawl, { key, depth, hops, from }: Candidate): void {
    this.#run(
      `UPDATE frontier_pages SET depth = ?, hops = ?, origin = ?, place = min(place, ?)
       WHERE crawl = ? AND key = ? AND state IN ('ready', 'delayed') AND depth > ?`,
      ...[depth, hops, from, depth, crawl.n, key, depth],
    );
  }

  #alias(crawl: Crawl, key: string): void {
    const candidate = { key, url: "", depth: 0, hops: 0, from: null, external: false };
    if (this.#insert(crawl, candidate, "alias")) return;
    const page = this.#page(crawl, key);
    if (page?.state === "ready" || page?.state === "delayed")
      this.#end(crawl, Number(page.n), page.state, { state: "skipped", reason: "duplicate" });
  }

  #page(crawl: Crawl, key: string) {
    return this.#all("SELECT n, state FROM frontier_pages WHERE crawl = ? AND key = ?", crawl.n, key)[0];
  }

  #end(crawl: Crawl, page: number, before: OpenState, { state, reason = null }: EndedAs): void {
    crawl[before === "running" ? "running" : "queued"] -= 1;
    crawl[state] += 1;
    this.#run(
      "UPDATE frontier_pages SET state = ?, seq = ?, reason = ? WHERE n = ?",
      ...[state, crawl.completed + crawl.failed + crawl.skipped, reason, page],
    );
  }

  /** False for a page that is not running. */
  #endRunning(crawl: Crawl, key: string, { state, reason = null }: EndedAs): boolean {
    const ended = this.#run(
      `UPDATE frontier_pages SET state = ?, seq = ?, reason = ? WHERE crawl = ? AND key = ? AND state = 'running'`,
      ...[state, crawl.completed + crawl.failed + crawl.skipped + 1, reason, crawl.n, key],
    );
    crawl.running -= ended;
    crawl[state] += ended;
    return ended === 1;
  }

  #skip(crawl: Crawl, state: OpenState, limit: number): void {
    for (const { n } of this.#all(openPages[state], crawl.n, limit))
      this.#end(crawl, Number(n), state, { state: "skipped", reason: crawl.finished });
  }

  #find(crawlId: string): Crawl | null {
    const [row] = this.#all("SELECT * FROM frontier_crawls WHERE crawl_id = ?", crawlId);
    return row ? crawlOf(row) : null;
  }

  #all(sql: string, ...values: Value[]): Row[] {
    return this.#database.prepare(sql).all(...values);
  }

  #run(sql: string, ...values: Value[]): number {
    return Number(this.#database.prepare(sql).run(...values).changes);
  }
}

function isAlike(one: Crawl, other: Crawl): boolean {
  return changing.every(field => one[field] === other[field]);
}

const changing = ["finished", "queued", "running", "completed", "failed", "skipped"] as const;

type EndedAs = { state: Outcome["state"]; reason?: string | null };

const none = { queued: 0, running: 0, completed: 0, failed: 0, skipped: 0 };
