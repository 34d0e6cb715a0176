import type { Bounds, Claim, Counts, Outcome, Settled } from "./frontier.ts";

/** A row as SQLite gives it. */
export type Row = Record<string, unknown>;

/** What stands of a crawl in its own row. */
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
