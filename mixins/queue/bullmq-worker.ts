import { type Job as BullJob, Worker as BullWorker, DelayedError, UnrecoverableError } from "bullmq";
import { FairSemaphore } from "../async/fair-semaphore.ts";
import { settledWithin } from "../async/timeout.ts";
import type { RedisConnection } from "../cluster/redis.ts";
import { mapRedisErrors } from "../cluster/redis-errors.ts";
import { type BullmqScripts, jobOf, type StoredPayload } from "./bullmq-job.ts";
import { type JobFailure, type JobTools, Stop, type Worker } from "./queue.ts";
import {
  afterAbortMs,
  cancelledFailure,
  deathsOfSuspect,
  graceMsByDefault,
  type Outcome,
  runJob,
  type Start,
  type Work,
} from "./run-job.ts";

const lockMs = 5000;
/** A single node checks at a time, and the next check may be twice this long away: 5 s + 2 * 2 s are less than 10 s. */
const stalledCheckMs = 2000;
/** How soon a running job gets the signal that it was cancelled. */
const checkMs = 1000;
const keptSeconds = 24 * 3600;
/** Time for BullMQ to store what has ended, when Redis may be unavailable. */
const lastWritesMs = 5000;

/** Runs the suspects of all queues of this process, one at a time. */
const suspects = new FairSemaphore({ width: 1 });

/** Where a queue is kept. */
export interface BullmqWorkerOptions {
  queue: string;
  prefix: string;
  /** The worker's own connection, which it closes. */
  redis: RedisConnection;
  scripts: BullmqScripts;
  /** The scripts on `redis`. */
  workerScripts: BullmqScripts;
}

interface Run {
  id: string;
  token: string;
  controller: AbortController;
  ended: Promise<void>;
  /** Ends the run with this outcome, without waiting for the handler. */
  abandon(outcome: Outcome): void;
}

/** Asks BullMQ for another run after some time, as one more attempt. */
class RunAgain extends Error {
  readonly afterMs: number;

  constructor(afterMs: number) {
    super("The job is tried again");
    this.afterMs = afterMs;
  }
}

/** BullMQ's own `close` does not stop its timer when it has never reached Redis. */
class StoppableWorker<Data, Result> extends BullWorker<Data, Result> {
  async stopTimers(): Promise<void> {
    await this.lockManager.close();
  }
}

/** Runs the jobs of one queue with a BullMQ worker, and checks their locks and cancellations meanwhile. */
export class BullmqWorker<Payload, Result> implements Worker {
  readonly #options: BullmqWorkerOptions;
  readonly #work: Work<Payload, Result>;
  readonly #bull: StoppableWorker<StoredPayload<Payload>, string>;
  readonly #runs = new Set<Run>();
  #timer: NodeJS.Timeout | undefined;
  #isChecking = false;
  /** When the last successful check of the locks began, by the clock of `performance`. */
  #seenAt = 0;
  #closed: Promise<void> | undefined;

  constructor(options: BullmqWorkerOptions, work: Work<Payload, Result>) {
    this.#options = options;
    this.#work = work;
    this.#bull = new StoppableWorker(
      options.queue,
      async (job, token) => await this.#process(job, String(token)),
      {
        connection: options.redis,
        prefix: options.prefix,
        concurrency: work.options.concurrency,
        lockDuration: lockMs,
        stalledInterval: stalledCheckMs,
        // `runJob` counts the deaths itself, since progress clears them.
        maxStalledCount: Number.MAX_SAFE_INTEGER,
        removeOnComplete: { age: keptSeconds },
        removeOnFail: { age: keptSeconds },
        settings: {
          backoffStrategy: (_attempts, _type, error) => (error instanceof RunAgain ? error.afterMs : 0),
        },
      },
    );
    this.#bull.on("error", work.onError);
  }

  close(graceMs = graceMsByDefault): Promise<void> {
    this.#closed ??= this.#close(graceMs);
    return this.#closed;
  }

  /** Resolves with the result, or rejects with the error that makes BullMQ do the right thing with the job. */
  async #process(job: BullJob<StoredPayload<Payload>, string>, token: string): Promise<string> {
    const { workerScripts } = this.#options;
    const id = String(job.id);
    if (this.#closed) return await this.#handBack(job, token, 0);
    // An earlier run may have left the mark.
    if (job.attemptsStarted > 1 && (await workerScripts.isCancelled(id))) throw final(cancelledFailure);
    const outcome = await this.#run(job, token);
    if ("result" in outcome) return outcome.result;
    if (await workerScripts.isCancelled(id)) throw final(cancelledFailure);
    if ("failure" in outcome) throw final(outcome.failure);
    if (outcome.isFailure) throw new RunAgain(outcome.againAfterMs);
    return await this.#handBack(job, token, outcome.againAfterMs);
  }

  async #handBack(job: BullJob, token: string, againAfterMs: number): Promise<never> {
    await job.moveToDelayed(Date.now() + againAfterMs, token);
    throw new DelayedError();
  }

  async #run(job: BullJob<StoredPayload<Payload>, string>, token: string): Promise<Outcome> {
    const id = String(job.id);
    const controller = new AbortController();
    const abandoned = Promise.withResolvers<Outcome>();
    const ended = Promise.withResolvers<void>();
    const run: Run = { id, token, controller, ended: ended.promise, abandon: abandoned.resolve };
    this.#watch(run);
    const tools: JobTools = {
      signal: controller.signal,
      fence: job.attemptsStarted,
      isSuspect: job.stalledCounter >= deathsOfSuspect,
      progress: async value => {
        const isOurs = await mapRedisErrors(this.#options.scripts.progress(id, token, value));
        if (!isOurs) throw new Stop("lost");
      },
    };
    const { attempts = 1 } = job.opts;
    const { backoffMs } = job.data;
    const isBlamed = job.attemptsStarted > 1 && (await this.#options.workerScripts.isBlamed(id));
    const counted = { deaths: job.stalledCounter, isBlamed, failures: job.attemptsMade, attempts, backoffMs };
    const start = { ...counted, job: jobOf<Payload, Result>(job, "active") };
    const outcome = await Promise.race([this.#outcomeOf(start, tools), abandoned.promise]);
    if (tools.isSuspect && !isBlamed) await this.#options.workerScripts.endAlone(id);
    if ("isForgiven" in outcome) await this.#options.workerScripts.forgive(id);
    this.#runs.delete(run);
    ended.resolve();
    return outcome;
  }

  /** A suspect waits until no other suspect runs in this process. */
  async #outcomeOf(start: Start<Payload, Result>, tools: JobTools): Promise<Outcome> {
    const { workerScripts } = this.#options;
    const { id } = start.job;
    const run = () => runJob(start, this.#work, tools, isNamed => workerScripts.blame(id, isNamed));
    if (start.deaths < deathsOfSuspect || start.isBlamed) return await run();
    try {
      return await suspects.run(this.#options.queue, tools.signal, async () => {
        await workerScripts.runAlone(id);
        return await run();
      });
    } catch (error) {
      if (!tools.signal.aborted) this.#work.onError(error);
      return { againAfterMs: 0, isFailure: false };
    }
  }

  #watch(run: Run): void {
    if (this.#runs.size === 0) this.#seenAt = performance.now();
    this.#runs.add(run);
    this.#timer ??= setTimeout(() => this.#tick(), checkMs);
  }

  #tick(): void {
    this.#timer = undefined;
    if (this.#runs.size === 0) return;
    this.#timer = setTimeout(() => this.#tick(), checkMs);
    // A worker that cannot check its locks must treat them as lost.
    if (performance.now() - this.#seenAt > lockMs) this.#stop([...this.#runs], "lost");
    else if (!this.#isChecking) void this.#check();
  }

  async #check(): Promise<void> {
    this.#isChecking = true;
    const asked = performance.now();
    const runs = [...this.#runs];
    try {
      const seen = await this.#options.scripts.check(runs);
      const those = (isSo: (check: { isLost: boolean; isCancelled: boolean }) => boolean) =>
        runs.filter((run, n) => this.#runs.has(run) && seen[n] && isSo(seen[n]));
      this.#stop(
        those(({ isLost }) => isLost),
        "lost",
      );
      this.#stop(
        those(({ isCancelled }) => isCancelled),
        "cancelled",
      );
      this.#seenAt = asked;
    } catch (error) {
      this.#work.onError(error);
    } finally {
      this.#isChecking = false;
    }
  }

  #stop(runs: Iterable<Run>, code: Stop["code"]): void {
    for (const { controller } of runs) controller.abort(new Stop(code));
  }

  async #close(graceMs: number): Promise<void> {
    const written = this.#bull.close();
    await settledWithin(graceMs, this.#ends());
    this.#stop(this.#runs, "closing");
    await settledWithin(afterAbortMs, this.#ends());
    for (const { abandon } of this.#runs) abandon({ againAfterMs: 0, isFailure: false });
    await settledWithin(lastWritesMs, [written]);
    // A command that still waits for Redis must not take a job for this worker later on.
    this.#options.redis.disconnectAll();
    await this.#bull.stopTimers();
    clearTimeout(this.#timer);
  }

  #ends(): Promise<void>[] {
    return [...this.#runs].map(({ ended }) => ended);
  }
}

function final(failure: JobFailure): UnrecoverableError {
  return new UnrecoverableError(JSON.stringify(failure));
}
