import type { Database } from "../store/sqlite/database.ts";
import { byPriority, type Claim, claimOf, jobOf, json, type Row, schema, stateOf } from "./job-rows.ts";
import type { Job, JobFailure, JobState, NewJob } from "./queue.ts";
import { cancelledFailure, deathsOfSuspect, type Outcome } from "./run-job.ts";

const keptMs = 24 * 3_600_000;
/** Ended jobs that go for each one that ends, so that their number cannot grow without bound. */
const sliceSize = 20;

/** A blamed job does not run again: it is about to fail. */
const isSuspect = `deaths >= ${deathsOfSuspect} AND blames = 0`;

/** The table of the embedded queues. Every call is a transaction, or a part of the current one. */
export class JobTable {
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

  /** Starts at most `count` jobs, in their order. */
  claim<Payload, Result>(queue: string, count: number, now: number): Claim<Payload, Result>[] {
    return this.#database.transaction(() => {
      this.#all(
        "UPDATE queue_jobs SET state = 'waiting' WHERE queue = ? AND state = 'delayed' AND at <= ?",
        queue,
        now,
      );
      const suspects = this.#claimSuspect(queue);
      const rows = this.#all(
        `UPDATE queue_jobs SET state = 'active', starts = starts + 1
         WHERE n IN (SELECT n FROM queue_jobs WHERE queue = ? AND state = 'waiting' AND NOT (${isSuspect})
                     ORDER BY priority, n LIMIT ?)
         RETURNING *`,
        queue,
        count - suspects.length,
      );
      rows.push(...suspects);
      return rows.sort(byPriority).map(row => claimOf<Payload, Result>(row));
    });
  }

  /** The first suspect of the queue, when no suspect runs in any queue of the process. */
  #claimSuspect(queue: string): Row[] {
    return this.#all(
      `UPDATE queue_jobs SET state = 'active', starts = starts + 1, is_lone = 1
       WHERE n = (SELECT n FROM queue_jobs WHERE queue = ? AND state = 'waiting' AND ${isSuspect}
                  ORDER BY priority, n LIMIT 1)
         AND NOT EXISTS (SELECT 1 FROM queue_jobs WHERE state = 'active' AND is_lone = 1)
       RETURNING *`,
      queue,
    );
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
      else if (row.is_cancelled === 1) this.#fail(claim.n, cancelledFailure, now);
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
        "UPDATE queue_jobs SET progress = ?, deaths = 0, blames = 0, is_lone = 0 WHERE n = ? AND starts = ? AND state = 'active'",
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
      this.#fail(Number(row.n), cancelledFailure, now);
      return "cancelled";
    });
  }

  /** False when the job is running. */
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

  /** Takes back every running job of all queues: their process has died. If a suspect was running, it alone is blamed. */
  recover(now: number): void {
    this.#database.transaction(() => {
      const atWork = this.#all("SELECT * FROM queue_jobs WHERE state = 'active'");
      const lone = atWork.filter(({ is_lone }) => is_lone === 1);
      for (const row of lone.length > 0 ? lone : atWork) this.#blame(Number(row.n), lone.length > 0);
      for (const row of atWork)
        this.end(String(row.queue), claimOf(row), { againAfterMs: 0, isFailure: false }, now);
    });
  }

  /** Counts a death of its process against a running job. A death that names no job counts against the suspect that runs. */
  blame({ n, job }: Claim<unknown, unknown>, isNamed: boolean): void {
    this.#database.transaction(() => {
      const [row] = this.#all(
        `SELECT is_lone, EXISTS (SELECT 1 FROM queue_jobs WHERE state = 'active' AND is_lone = 1) AS has_lone
         FROM queue_jobs WHERE n = ? AND starts = ? AND state = 'active'`,
        n,
        job.starts,
      );
      if (row && (isNamed || row.is_lone === row.has_lone)) this.#blame(n, isNamed || row.is_lone === 1);
    });
  }

  #blame(n: number, isNamed: boolean): void {
    this.#all(
      "UPDATE queue_jobs SET deaths = deaths + 1, blames = blames + ? WHERE n = ?",
      isNamed ? 1 : 0,
      n,
    );
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
    { againAfterMs, isFailure, isForgiven }: Extract<Outcome, { againAfterMs: number }>,
    now: number,
  ): void {
    if (isForgiven) this.#all("UPDATE queue_jobs SET deaths = 0, blames = 0 WHERE n = ?", n);
    this.#all(
      "UPDATE queue_jobs SET state = ?, at = ?, failures = failures + ?, is_lone = 0 WHERE n = ?",
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
