import type { Bounds, Claim, Counts, Outcome, Settled } from "./frontier.ts";

/**
 * A crawl's `fence` is the fence of its driver; `finished` is the reason for its end. A page's `state` is `ready`,
 * `delayed`, `running`, the way it ended, or `alias` for a key that is no page of its own. Of the ready pages the one with
 * the lowest `place` goes first, and then the oldest; `place` is the depth, or -1 when an earlier driver had begun the
 * page. `seq` is the page's position among the ended ones.
 */
export const schema = `
  CREATE TABLE IF NOT EXISTS frontier_crawls (
    n INTEGER PRIMARY KEY, crawl_id TEXT NOT NULL UNIQUE, fence INTEGER NOT NULL, finished TEXT,
    page_limit INTEGER NOT NULL, max_discovered INTEGER NOT NULL, queued INTEGER NOT NULL DEFAULT 0,
    running INTEGER NOT NULL DEFAULT 0, completed INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0,
    skipped INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE IF NOT EXISTS frontier_pages (
    n INTEGER PRIMARY KEY, crawl INTEGER NOT NULL, key TEXT NOT NULL, url TEXT NOT NULL, depth INTEGER NOT NULL,
    hops INTEGER NOT NULL, origin TEXT, external INTEGER NOT NULL, tries INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL, place INTEGER NOT NULL, due INTEGER, seq INTEGER, reason TEXT, UNIQUE (crawl, key)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS frontier_ready ON frontier_pages (crawl, place, n) WHERE state = 'ready';
  CREATE INDEX IF NOT EXISTS frontier_delayed ON frontier_pages (crawl, due) WHERE state = 'delayed';
  CREATE INDEX IF NOT EXISTS frontier_running ON frontier_pages (crawl) WHERE state = 'running';
  CREATE INDEX IF NOT EXISTS frontier_ended ON frontier_pages (crawl, state, seq) WHERE seq IS NOT NULL;`;

/** States of a page that has not ended. */
export type OpenState = "ready" | "delayed" | "running";

/** Selects open pages in the order in which they start. A literal state lets SQLite use its partial index. */
export const openPages: Record<OpenState, string> = {
  running: "SELECT n FROM frontier_pages WHERE crawl = ? AND state = 'running' ORDER BY n LIMIT ?",
  ready: "SELECT n FROM frontier_pages WHERE crawl = ? AND state = 'ready' ORDER BY place, n LIMIT ?",
  delayed: "SELECT n FROM frontier_pages WHERE crawl = ? AND state = 'delayed' ORDER BY due, n LIMIT ?",
};

/** A row as SQLite gives it. */
export type Row = Record<string, unknown>;

/** A crawl's own row. */
export interface Crawl extends Counts, Bounds {
  n: number;
  fence: number;
  finished: string | null;
}

export function countsOf({
  queued,
  running,
  completed,
  failed,
  skipped,
}: Omit<Counts, "discovered">): Counts {
  const discovered = queued + running + completed + failed + skipped;
  return { discovered, queued, running, completed, failed, skipped };
}

export function crawlOf(row: Row): Crawl {
  const number = (name: string) => Number(row[name]);
  const [queued, running, completed] = [number("queued"), number("running"), number("completed")];
  return {
    ...countsOf({ queued, running, completed, failed: number("failed"), skipped: number("skipped") }),
    n: number("n"),
    fence: number("fence"),
    finished: textOf(row.finished),
    limit: number("page_limit"),
    maxDiscovered: number("max_discovered"),
  };
}

export function claimOf(row: Row): Claim {
  return {
    key: String(row.key),
    url: String(row.url),
    depth: Number(row.depth),
    hops: Number(row.hops),
    from: textOf(row.origin),
    external: row.external === 1,
    tries: Number(row.tries),
  };
}

export function settledOf(row: Row): Settled {
  return {
    seq: Number(row.seq),
    key: String(row.key),
    url: String(row.url),
    state: String(row.state) as Outcome["state"],
    reason: textOf(row.reason),
  };
}

function textOf(value: unknown): string | null {
  return value === null ? null : String(value);
}
