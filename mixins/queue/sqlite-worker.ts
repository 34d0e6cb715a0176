import { sleepUntilAborted } from "../async/sleep.ts";
import { settledWithin } from "../async/timeout.ts";
import type { GroupCommit } from "../store/sqlite/group-commit.ts";
import type { Claim } from "./job-rows.ts";
import type { JobTable } from "./job-table.ts";
import { type JobTools, Stop, type Worker } from "./queue.ts";
import {
  afterAbortMs,
  deathsOfSuspect,
  graceMsByDefault,
  type Outcome,
  runJob,
  type Work,
} from "./run-job.ts";

/** A delayed job waits no longer than this for its worker to check again, even if the clock is set back. */
const longestTimerMs = 30_000;
const writeAgainMs = 1000;

/** Where a queue is kept. */
export interface SqliteWorkerOptions {
  queue: string;
  tables: JobTable;
  groupCommit: GroupCommit;
  now: () => number;
  /** Wakes every worker of this queue in this process. */
  wakeWorkers: () => void;
  /** Wakes the workers of all queues in this process. */
  wakeAllWorkers: () => void;
}

interface Run<Payload, Result> {
  claim: Claim<Payload, Result>;
  controller: AbortController;
  /** Resolves when the end of the run is stored. */
  ended: Promise<void>;
}

/** Runs the jobs of one queue in this process. It does not poll: a signal wakes it, or a timer for the next delayed job. */
export class SqliteWorker<Payload, Result> implements Worker {
  readonly #options: SqliteWorkerOptions;
  readonly #work: Work<Payload, Result>;
  /** Jobs at work by id. */
  readonly #atWork = new Map<string, Run<Payload, Result>>();
  readonly #unended = new Set<Run<Payload, Result>>();
  readonly #closing = new AbortController();
  #claiming: Promise<void> | undefined;
  #isWoken = false;
  #timer: NodeJS.Timeout | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: SqliteWorkerOptions, work: Work<Payload, Result>) {
    this.#options = options;
    this.#work = work;
    this.wake();
  }

  /** Takes jobs while there are some and it has capacity; one claim at a time, since each claim counts the free places. */
  wake(): void {
    this.#isWoken = true;
    if (this.#claiming || this.#isClosing || this.#freePlaces <= 0) return;
    this.#isWoken = false;
    this.#claiming = this.#claim().finally(() => {
      this.#claiming = undefined;
      if (this.#isWoken) this.wake();
    });
  }

  /** Tells a job to stop if it runs here. */
  cancel(id: string): void {
    this.#atWork.get(id)?.controller.abort(new Stop("cancelled"));
  }

  close(graceMs = graceMsByDefault): Promise<void> {
    this.#closed ??= this.#close(graceMs);
    return this.#closed;
  }

  async #claim(): Promise<void> {
    const { queue, tables, groupCommit, now } = this.#options;
    try {
      const claims = await groupCommit.join(() =>
        this.#isClosing ? [] : tables.claim<Payload, Result>(queue, this.#freePlaces, now()),
      );
      for (const claim of claims) this.#start(claim);
      this.#setTimer(tables.nextDue(queue));
    } catch (error) {
      this.#work.onError(error);
      this.#setTimer(now() + writeAgainMs);
    }
  }

  #setTimer(due: number | null): void {
    clearTimeout(this.#timer);
    if (due === null || this.#isClosing) return;
    const ms = Math.min(Math.max(due - this.#options.now(), 1), longestTimerMs);
    this.#timer = setTimeout(() => this.wake(), ms);
  }

  #start(claim: Claim<Payload, Result>): void {
    const run = { claim, controller: new AbortController(), ended: Promise.resolve() };
    this.#atWork.set(claim.job.id, run);
    this.#unended.add(run);
    run.ended = this.#run(run).finally(() => this.#unended.delete(run));
  }

  async #run({ claim, controller }: Run<Payload, Result>): Promise<void> {
    const tools: JobTools = {
      signal: controller.signal,
      fence: claim.job.starts,
      isSuspect: claim.deaths >= deathsOfSuspect,
      progress: value => this.#progress(claim, value),
    };
    const outcome = await runJob(claim, this.#work, tools, isNamed => this.#blame(claim, isNamed));
    this.#atWork.delete(claim.job.id);
    const written = this.#end(claim, outcome);
    this.wake();
    await written;
    // A suspect of another queue may wait for this one.
    if (claim.deaths >= deathsOfSuspect) this.#options.wakeAllWorkers();
  }

  async #blame(claim: Claim<Payload, Result>, isNamed: boolean): Promise<void> {
    const { groupCommit, tables } = this.#options;
    await groupCommit.join(() => tables.blame(claim, isNamed));
  }

  async #progress(claim: Claim<Payload, Result>, value: unknown): Promise<void> {
    const { groupCommit, tables } = this.#options;
    if (!(await groupCommit.join(() => tables.progress(claim, value)))) throw new Stop("lost");
    if (claim.deaths >= deathsOfSuspect) this.#options.wakeAllWorkers();
  }

  /** Tries until the end is stored, or until the worker closes; then the next process takes the job back. */
  async #end(claim: Claim<Payload, Result>, outcome: Outcome): Promise<void> {
    const { queue, tables, groupCommit, now, wakeWorkers } = this.#options;
    for (;;) {
      try {
        await groupCommit.join(() => tables.end(queue, claim, outcome, now()));
        if ("againAfterMs" in outcome) wakeWorkers();
        return;
      } catch (error) {
        this.#work.onError(error);
        if (this.#isClosing) return;
        await sleepUntilAborted(writeAgainMs, this.#closing.signal);
      }
    }
  }

  async #close(graceMs: number): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#claiming;
    await settledWithin(graceMs, this.#ends());
    for (const { controller } of this.#unended) controller.abort(new Stop("closing"));
    await settledWithin(afterAbortMs, this.#ends());
    await Promise.all(
      [...this.#unended].map(({ claim }) => this.#end(claim, { againAfterMs: 0, isFailure: false })),
    );
    // Another worker of the process may have to set the timer for the next delayed job now.
    this.#options.wakeWorkers();
  }

  #ends(): Promise<void>[] {
    return [...this.#unended].map(({ ended }) => ended);
  }

  get #freePlaces(): number {
    return this.#work.options.concurrency - this.#atWork.size;
  }

  get #isClosing(): boolean {
    return this.#closing.signal.aborted;
  }
}
