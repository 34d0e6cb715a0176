import type { Database } from "../store/sqlite/database.ts";
import { cancelled, type Outcome, type Start } from "./outcome.ts";
import type { Job, JobFailure, JobState, NewJob } from "./queue.ts";

const keptMs = 24 * 3_600_000;
/** Jobs that go for each one that ends, so that what is kept cannot grow. */
const sliceSize = 20;

/**
 * `at` (ms) is when a delayed job may start, and when one that ended did. Among jobs of one priority the smaller `n`
 * goes first.
 */
const schema = `
  CREATE TABLE IF NOT EXISTS queue_jobs (
    n INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL, id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'delayed', 'active', 'completed', 'failed')),
    payload TEXT NOT NULL, priority INTEGER NOT NULL, attempts INTEGER NOT NULL, backoff TEXT NOT NULL, at INTEGER,
    starts INTEGER NOT NULL DEFAULT 0, failures INTEGER NOT NULL DEFAULT 0, deaths INTEGER NOT NULL DEFAULT 0,
    is_cancelled INTEGER NOT NULL DEFAULT 0, progress TEXT, result TEXT, failure TEXT,
    UNIQUE (queue, id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS queue_jobs_by_priority ON queue_jobs (queue, state, priority);
  CREATE INDEX IF NOT EXISTS queue_jobs_by_time ON queue_jobs (queue, state, at);`;

type Row = Record<string, unknown>;

/** A start that can be told from every other one. */
export interface Claim<Payload, Result> extends Start<Payload, Result> {
  n: number;
}

/** The table of the embedded queues. Every call is a transaction, or a part of the one that is under way. */
export class JobTables {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
    database.transaction(() => database.exec(schema));
  }

  add(
    queue: string,
    { id, payload, delayMs = 0, priority = 0, attempts = 1, backoffMs = [] }: NewJob<unknown>,
    now: number,
  ) {
    const { changes } = this.#database
      .prepare(
        `INSERT INTO queue_jobs (queue, id, state, payload, priority, attempts, backoff, at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      )
      .run(
        queue,
        id,
        delayMs > 0 ? "delayed" : "waiting",
        json(payload),
        priority,
        attempts,
        json(backoffMs),
        now + delayMs,
      );
    return changes > 0;
  }

  get<Payload, Result>(queue: string, id: string): Job<Payload, Result> | null {
    const [row] = this.#all("SELECT * FROM queue_jobs WHERE queue = ? AND id = ?", queue, id);
    return row ? jobOf(row) : null;
  }

  /** Puts at most `count` jobs to work, the first ones first. */
  claim<Payload, Result>(queue: string, count: number, now: number): Claim<Payload, Result>[] {
    return this.#database.transaction(() => {
      this.#all(
        "UPDATE queue_jobs SET state = 'waiting' WHERE queue = ? AND state = 'delayed' AND at <= ?",
        queue,
        now,
      );
      const rows = this.#all(
        `UPDATE queue_jobs SET state = 'active', starts = starts + 1
         WHERE n IN (SELECT n FROM queue_jobs WHERE queue = ? AND state = 'waiting' ORDER BY priority, n LIMIT ?)
         RETURNING *`,
        queue,
        count,
      );
      return rows.sort(byPriority).map(row => claimOf<Payload, Result>(row));
    });
  }

  /** When the next delayed job may start (Unix milliseconds); null when there is none. */
  nextDue(queue: string): number | null {
    const [row] = this.#all(
      "SELECT at FROM queue_jobs WHERE queue = ? AND state = 'delayed' ORDER BY at LIMIT 1",
      queue,
    );
    return row ? Number(row.at) : null;
  }

  /** Ends a run; false when the run has lost its job. */
  end(queue: string, claim: Claim<unknown, unknown>, outcome: Outcome, now: number): boolean {
    return this.#database.transaction(() => {
      const [row] = this.#all(
        "SELECT is_cancelled FROM queue_jobs WHERE n = ? AND starts = ? AND state = 'active'",
        claim.n,
        claim.job.starts,
      );
      if (!row) return false;
      if ("result" in outcome) this.#complete(claim.n, outcome.result, now);
      else if (row.is_cancelled === 1) this.#fail(claim.n, cancelled, now);
      else if ("failure" in outcome) this.#fail(claim.n, outcome.failure, now);
      else this.#wait(claim.n, outcome, now);
      this.#prune(queue, now - keptMs);
      return true;
    });
  }

  /** False when the run has lost its job. */
  progress({ n, job }: Claim<unknown, unknown>, value: unknown): boolean {
    const { changes } = this.#database
      .prepare(
        "UPDATE queue_jobs SET progress = ?, deaths = 0 WHERE n = ? AND starts = ? AND state = 'active'",
      )
      .run(json(value), n, job.starts);
    return changes > 0;
  }

  cancel(queue: string, id: string, now: number): "cancelled" | "stopping" | "finished" | "unknown" {
    return this.#database.transaction(() => {
      const [row] = this.#all("SELECT n, state FROM queue_jobs WHERE queue = ? AND id = ?", queue, id);
      if (!row) return "unknown";
      if (row.state === "completed" || row.state === "failed") return "finished";
      if (row.state === "active") {
        this.#all("UPDATE queue_jobs SET is_cancelled = 1 WHERE n = ?", Number(row.n));
        return "stopping";
      }
      this.#fail(Number(row.n), cancelled, now);
      return "cancelled";
    });
  }

  /** False when the job is at work. */
  remove(queue: string, id: string): boolean {
    return this.#database.transaction(() => {
      this.#all("DELETE FROM queue_jobs WHERE queue = ? AND id = ? AND state <> 'active'", queue, id);
      return this.get(queue, id) === null;
    });
  }

  counts(queue: string): Record<JobState, number> {
    const counts = { waiting: 0, active: 0, completed: 0, failed: 0 };
    const rows = this.#all(
      "SELECT state, count(*) AS n FROM queue_jobs WHERE queue = ? GROUP BY state",
      queue,
    );
    for (const row of rows) counts[stateOf(row)] += Number(row.n);
    return counts;
  }

  due(queue: string, now: number): number {
    const [row] = this.#all(
      `SELECT (SELECT count(*) FROM queue_jobs WHERE queue = ? AND state = 'waiting')
         + (SELECT count(*) FROM queue_jobs WHERE queue = ? AND state = 'delayed' AND at <= ?) AS n`,
      queue,
      queue,
      now,
    );
    return Number(row?.n);
  }

  /** Takes back every job at work: their workers have died. */
  recover(queue: string, now: number): void {
    this.#database.transaction(() => {
      const atWork = this.#all("SELECT * FROM queue_jobs WHERE queue = ? AND state = 'active'", queue);
      for (const row of atWork) {
        this.#all("UPDATE queue_jobs SET deaths = deaths + 1 WHERE n = ?", Number(row.n));
        this.end(queue, claimOf(row), { againAfterMs: 0, isFailure: false }, now);
      }
    });
  }

  #complete(n: number, result: string, now: number): void {
    this.#all("UPDATE queue_jobs SET state = 'completed', result = ?, at = ? WHERE n = ?", result, now, n);
  }

  #fail(n: number, failure: JobFailure, now: number): void {
    this.#all(
      "UPDATE queue_jobs SET state = 'failed', failure = ?, at = ? WHERE n = ?",
      json(failure),
      now,
      n,
    );
  }

  #wait(
    n: number,
    { againAfterMs, isFailure }: { againAfterMs: number; isFailure: boolean },
    now: number,
  ): void {
    this.#all(
      "UPDATE queue_jobs SET state = ?, at = ?, failures = failures + ? WHERE n = ?",
      againAfterMs > 0 ? "delayed" : "waiting",
      now + againAfterMs,
      isFailure ? 1 : 0,
      n,
    );
  }

  #prune(queue: string, before: number): void {
    for (const state of ["completed", "failed"])
      this.#all(
        `DELETE FROM queue_jobs WHERE n IN
         (SELECT n FROM queue_jobs WHERE queue = ? AND state = ? AND at < ? ORDER BY at LIMIT ?)`,
        queue,
        state,
        before,
        sliceSize,
      );
  }

  #all(sql: string, ...values: (string | number)[]): Row[] {
    return this.#database.prepare(sql).all(...values);
  }
}

function byPriority(a: Row, b: Row): number {
  return Number(a.priority) - Number(b.priority) || Number(a.n) - Number(b.n);
}

function claimOf<Payload, Result>(row: Row): Claim<Payload, Result> {
  return {
    n: Number(row.n),
    job: jobOf(row),
    deaths: Number(row.deaths),
    failures: Number(row.failures),
    attempts: Number(row.attempts),
    backoffMs: JSON.parse(String(row.backoff)),
  };
}

function jobOf<Payload, Result>(row: Row): Job<Payload, Result> {
  return {
    id: String(row.id),
    payload: JSON.parse(String(row.payload)),
    state: stateOf(row),
    progress: parsed(row.progress),
    result: parsed(row.result),
    failure: parsed(row.failure),
    starts: Number(row.starts),
  };
}

function stateOf({ state }: Row): JobState {
  return state === "delayed" ? "waiting" : (state as JobState);
}

function parsed<Value>(text: unknown): Value | null {
  return text === null ? null : JSON.parse(String(text));
}

function json(value: unknown): string {
  return JSON.stringify(value ?? null);
}
