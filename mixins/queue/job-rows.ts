import type { Job, JobState } from "./queue.ts";
import type { Start } from "./run-job.ts";

/**
 * `at` (ms) is the time at which a delayed job may start, or at which an ended job ended. Among jobs of one priority the
 * smaller `n` goes first. `blames`: worker deaths that the job caused. `is_lone`: it is the suspect that runs now.
 */
export const schema = `
  CREATE TABLE IF NOT EXISTS queue_jobs (
    n INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL, id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'delayed', 'active', 'completed', 'failed')),
    payload TEXT NOT NULL, priority INTEGER NOT NULL, attempts INTEGER NOT NULL, backoff TEXT NOT NULL, at INTEGER,
    starts INTEGER NOT NULL DEFAULT 0, failures INTEGER NOT NULL DEFAULT 0, deaths INTEGER NOT NULL DEFAULT 0,
    blames INTEGER NOT NULL DEFAULT 0, is_lone INTEGER NOT NULL DEFAULT 0,
    is_cancelled INTEGER NOT NULL DEFAULT 0, progress TEXT, result TEXT, failure TEXT,
    UNIQUE (queue, id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS queue_jobs_by_priority ON queue_jobs (queue, state, priority);
  CREATE INDEX IF NOT EXISTS queue_jobs_by_time ON queue_jobs (queue, state, at);`;

/** A row as SQLite gives it. */
export type Row = Record<string, unknown>;

/** A start of a job, which `n` and the number of starts identify. */
export interface Claim<Payload, Result> extends Start<Payload, Result> {
  n: number;
}

export function byPriority(a: Row, b: Row): number {
  return Number(a.priority) - Number(b.priority) || Number(a.n) - Number(b.n);
}

export function claimOf<Payload, Result>(row: Row): Claim<Payload, Result> {
  return {
    n: Number(row.n),
    job: jobOf(row),
    deaths: Number(row.deaths),
    isBlamed: Number(row.blames) > 0,
    failures: Number(row.failures),
    attempts: Number(row.attempts),
    backoffMs: JSON.parse(String(row.backoff)),
  };
}

export function jobOf<Payload, Result>(row: Row): Job<Payload, Result> {
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

export function stateOf({ state }: Row): JobState {
  return state === "delayed" ? "waiting" : (state as JobState);
}

function parsed<Value>(text: unknown): Value | null {
  return text === null ? null : JSON.parse(String(text));
}

export function json(value: unknown): string {
  return JSON.stringify(value ?? null);
}
