/** As the interface names them; a delayed job is `waiting`. */
export type JobState = "waiting" | "active" | "completed" | "failed";

/** Work to be done. */
export interface NewJob<Payload> {
  /** Identity: the queue does not add a job that it knows, in any state. No colons. */
  id: string;
  payload: Payload;
  /** Milliseconds before it may start; 0 by default. */
  delayMs?: number;
  /** From 0 (first, the default) to 2^20. Jobs of one priority start in the order in which they were added. */
  priority?: number;
  /** Runs that it may take, including the first one and failed ones; 1 by default. */
  attempts?: number;
  /** Milliseconds before the second, third, … run; the last one repeats. */
  backoffMs?: number[];
}

export interface JobFailure {
  code: string;
  message: string;
}

export interface Job<Payload, Result> {
  id: string;
  payload: Payload;
  state: JobState;
  /** What its handler last reported; null before that. */
  progress: unknown;
  /** Only when `completed`. */
  result: Result | null;
  /** Only when `failed`. */
  failure: JobFailure | null;
  /** How often it was started. */
  starts: number;
}

/**
 * Why a running job has to stop. `cancelled`: it fails with this code, whatever its handler throws. `lost`: another worker
 * has it now. `closing`: it runs again elsewhere.
 */
export class Stop extends Error {
  readonly code: "cancelled" | "lost" | "closing";

  constructor(code: Stop["code"]) {
    super(`The job has to stop: ${code}`);
    this.code = code;
  }
}

/** What a handler gets beside its job. */
export interface JobTools {
  /** Fires when the job is cancelled, when the worker loses its lease, and when the worker closes; its reason is a `Stop`. */
  signal: AbortSignal;
  /** Grows with every start of the job: a handler with a lower fence has lost the job and must not write for it. */
  fence: number;
  /** The job was running when workers died, and runs apart from other suspects. It should do one thing at a time. */
  isSuspect: boolean;
  /**
   * Records how far the job has come; any JSON. A job that makes progress does not end its workers, so the queue clears the
   * deaths that it counted against the job. Rejects when the job is lost.
   */
  progress(value: unknown): Promise<void>;
}

export type JobHandler<Payload, Result> = (job: Job<Payload, Result>, tools: JobTools) => Promise<Result>;

/** A handler throws it when the job cannot run yet: the job waits for `afterMs`, and the run does not count as an attempt. */
export class Later extends Error {
  readonly afterMs: number;

  constructor(afterMs: number) {
    super(`The job can run in ${afterMs} ms at the earliest`);
    this.afterMs = afterMs;
  }
}

/** A handler throws it when the job must not run again, however many attempts are left. */
export class FinalFailure extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export interface WorkOptions<Payload, Result> {
  /** Jobs at a time. */
  concurrency: number;
  /**
   * Called in place of the handler for a job that is about to fail as `stalled`, so that the service can update its own
   * records. Called again when it rejects or does not finish.
   */
  onStalled?: (job: Job<Payload, Result>, tools: JobTools) => Promise<Stalled> | Promise<void>;
}

/** `again`: the cause of the deaths is known and avoided from now on, so the job runs again and its deaths are cleared. */
export type Stalled = "again" | undefined;

export interface Worker {
  /**
   * Takes no more jobs, gives running ones `graceMs` (3 s by default) to end, then aborts them and waits a second for
   * their handlers. Aborted jobs run again elsewhere.
   */
  close(graceMs?: number): Promise<void>;
}

/**
 * Work that must not be lost. A resolved `add` survives the death of any process. A job runs under a lease that its
 * worker renews; when a worker dies, the job starts again elsewhere within 10 s. Jobs that were running at two deaths, with
 * no progress in between, are suspects: a process runs one of them at a time. A suspect whose worker dies, or a job that an
 * unhandled error named at one of two deaths, fails with the code `stalled`. A run that has lost its lease cannot end the
 * job. The queue remembers ended jobs for 24 h.
 */
export interface Queue<Payload, Result = null> {
  /** False when the queue already knows the id. */
  add(job: NewJob<Payload>): Promise<boolean>;
  get(id: string): Promise<Job<Payload, Result> | null>;
  /**
   * A waiting job fails at once with the code `cancelled`. A running job gets the signal to stop and then fails with that
   * code, unless it completes first.
   */
  cancel(id: string): Promise<"cancelled" | "stopping" | "finished" | "unknown">;
  /** Deletes a job that is not running, so that its id can be added again; false when it is running. */
  remove(id: string): Promise<boolean>;
  counts(): Promise<Record<JobState, number>>;
  /** Waiting jobs that are due: what more workers would start now. */
  waiting(): Promise<number>;
  /** Starts to take jobs. */
  work(options: WorkOptions<Payload, Result>, handler: JobHandler<Payload, Result>): Worker;
}

/** The queues of an installation. */
export interface Queues {
  /** The queue of this name (letters, digits, hyphens); the same one every time. */
  queue<Payload, Result = null>(name: string): Queue<Payload, Result>;
  /** Closes every worker and connection. */
  close(): Promise<void>;
}

const highestPriority = 2 ** 20;

/** Rejects jobs that one of the drivers could not take, so that no code works with one driver only. */
export function checkJob({
  id,
  delayMs = 0,
  priority = 0,
  attempts = 1,
  backoffMs = [],
}: NewJob<unknown>): void {
  // BullMQ joins keys with colons, and counts for itself with whole numbers.
  if (!/^[^:]*[^:\d][^:]*$/.test(id)) throw new TypeError(`Not the id of a job: ${JSON.stringify(id)}`);
  const isWhole = (value: number, least: number, most = Number.MAX_SAFE_INTEGER) =>
    Number.isInteger(value) && value >= least && value <= most;
  if (!isWhole(priority, 0, highestPriority)) throw new TypeError(`Not a priority: ${priority}`);
  if (!isWhole(attempts, 1)) throw new TypeError(`Not a number of attempts: ${attempts}`);
  if (![delayMs, ...backoffMs].every(ms => isWhole(ms, 0)))
    throw new TypeError("Delays are whole milliseconds");
}

export function checkName(name: string): void {
  if (!/^[A-Za-z0-9-]+$/.test(name)) throw new TypeError(`Not the name of a queue: ${JSON.stringify(name)}`);
}
