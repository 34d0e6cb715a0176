/** As the interface names them; a delayed job is `waiting`. */
export type JobState = "waiting" | "active" | "completed" | "failed";

/** Work to be done. */
export interface NewJob<Payload> {
  /** Identity: a job that the queue knows, in whatever state, is not added again. No colons. */
  id: string;
  payload: Payload;
  /** Milliseconds before it may start; 0 unless told. */
  delayMs?: number;
  /** From 0, the first, which is the default, to 2^20. Jobs of one priority start in the order in which they came. */
  priority?: number;
  /** Runs that it may take, failed ones and the first included; 1 unless told. */
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
  /** What its handler last told; null before that. */
  progress: unknown;
  /** Only when `completed`. */
  result: Result | null;
  /** Only when `failed`. */
  failure: JobFailure | null;
  /** How often it was started. */
  starts: number;
}

/**
 * Why a job at work has to stop. `cancelled`: it fails so, whatever its handler throws. `lost`: it is another worker's.
 * `closing`: it runs again elsewhere.
 */
export class Stop extends Error {
  readonly code: "cancelled" | "lost" | "closing";

  constructor(code: Stop["code"]) {
    super(`The job has to stop: ${code}`);
    this.code = code;
  }
}

/** What a handler has beside its job. */
export interface JobTools {
  /** Fires when the job is cancelled, when its lease is lost, and when the worker closes; its reason is a `Stop`. */
  signal: AbortSignal;
  /** Grows with every start of the job: whoever holds a lower one has lost the job, and must not write for it. */
  fence: number;
  /**
   * Tells how far it has come; any JSON. A job that comes on does not end its workers: what it did to them before is
   * forgiven. Rejects when the job is lost.
   */
  progress(value: unknown): Promise<void>;
}

export type JobHandler<Payload, Result> = (job: Job<Payload, Result>, tools: JobTools) => Promise<Result>;

/** Thrown by a handler whose job must not be run again, however many attempts are left. */
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
   * Called in place of the handler for a job that is about to fail as `stalled`, so that its records can say so; called
   * again when it rejects or does not end.
   */
  onStalled?: (job: Job<Payload, Result>, tools: JobTools) => Promise<void>;
}

export interface Worker {
  /**
   * Takes no more jobs, lets those at work end for `graceMs` (3 s unless told), then aborts them and waits a second for
   * their handlers; what was aborted runs again elsewhere.
   */
  close(graceMs?: number): Promise<void>;
}

/**
 * Work that must not be lost. A resolved `add` survives the death of any process. A job runs under a lease that its
 * worker renews; when a worker dies, the job starts again elsewhere within 10 s. A job that has ended its worker twice,
 * with no progress told in between, has failed, with the code `stalled`. A run that lost its lease cannot end the job.
 * Jobs that ended are known for 24 h.
 */
export interface Queue<Payload, Result = null> {
  /** False when the id is known already. */
  add(job: NewJob<Payload>): Promise<boolean>;
  get(id: string): Promise<Job<Payload, Result> | null>;
  /**
   * A waiting job fails at once, with the code `cancelled`; one at work is asked to stop through its signal and then
   * fails so, unless it completes first.
   */
  cancel(id: string): Promise<"cancelled" | "stopping" | "finished" | "unknown">;
  /** Forgets a job that is not at work, so that its id can be added anew; false when it is at work. */
  remove(id: string): Promise<boolean>;
  counts(): Promise<Record<JobState, number>>;
  /** Jobs that more workers would start now: those that wait and are due. */
  waiting(): Promise<number>;
  /** Begins to take jobs. */
  work(options: WorkOptions<Payload, Result>, handler: JobHandler<Payload, Result>): Worker;
}

/** The queues of an installation. */
export interface Queues {
  /** The queue of this name (letters, digits, hyphens); the same one every time. */
  queue<Payload, Result = null>(name: string): Queue<Payload, Result>;
  /** Closes every worker and connection. */
  close(): Promise<void>;
}
