import { type Job as BullJob, Worker as BullWorker, DelayedError, UnrecoverableError } from "bullmq";
import { answered } from "../redis/away.ts";
import type { RedisConnection } from "../redis/redis-connection.ts";
import { jobOf, type StoredPayload } from "./bullmq-job.ts";
import type { BullmqScripts } from "./bullmq-scripts.ts";
import { cancelled, type Outcome, outcomeOf, type Work } from "./outcome.ts";
import { type JobFailure, type JobTools, Stop, type Worker } from "./queue.ts";
import { afterAbortMs, graceMsByDefault, within } from "./within.ts";

const lockMs = 5000;
/** One node looks at a time, and then perhaps not again for twice this long: 5 s + 2 * 2 s are less than 10 s. */
const stalledCheckMs = 2000;
/** How soon a job at work hears that it was cancelled. */
const lookMs = 1000;
const keptSeconds = 24 * 3600;
/** For BullMQ to write what has ended, when Redis may be dead. */
const lastWritesMs = 5000;

/** Where a queue is kept. */
export interface Place {
  queue: string;
  prefix: string;
  /** The worker's own, which it ends. */
  redis: RedisConnection;
  scripts: BullmqScripts;
  /** The scripts on `redis`. */
  patient: BullmqScripts;
}

interface Run {
  id: string;
  token: string;
  controller: AbortController;
  ended: Promise<void>;
  /** Leaves the handler alone. */
  abandon(outcome: Outcome): void;
}

/** Asks BullMQ for another run, as one more attempt, after some time. */
class Again extends Error {
  readonly afterMs: number;

  constructor(afterMs: number) {
    super("The job is tried again");
    this.afterMs = afterMs;
  }
}

/** BullMQ's own close does not come as far as its timer when Redis was never reached. */
class StoppableWorker<Data, Result> extends BullWorker<Data, Result> {
  async stopTimers(): Promise<void> {
    await this.lockManager.close();
  }
}

/** Works one queue with a BullMQ worker; looks after its jobs meanwhile. */
export class BullmqWorker<Payload, Result> implements Worker {
  readonly #place: Place;
  readonly #work: Work<Payload, Result>;
  readonly #bull: StoppableWorker<StoredPayload<Payload>, string>;
  readonly #runs = new Set<Run>();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  /** When the locks were last seen to be held, by the clock of `performance`. */
  #seenAt = 0;
  #closed: Promise<void> | undefined;

  constructor(place: Place, work: Work<Payload, Result>) {
    this.#place = place;
    this.#work = work;
    this.#bull = new StoppableWorker(
      place.queue,
      async (job, token) => await this.#process(job, String(token)),
      {
        connection: place.redis,
        prefix: place.prefix,
        concurrency: work.options.concurrency,
        lockDuration: lockMs,
        stalledInterval: stalledCheckMs,
        // Counted here, where progress can be forgiving.
        maxStalledCount: Number.MAX_SAFE_INTEGER,
        removeOnComplete: { age: keptSeconds },
        removeOnFail: { age: keptSeconds },
        settings: {
          backoffStrategy: (_attempts, _type, error) => (error instanceof Again ? error.afterMs : 0),
        },
      },
    );
    this.#bull.on("error", work.onError);
  }

  close(graceMs = graceMsByDefault): Promise<void> {
    this.#closed ??= this.#close(graceMs);
    return this.#closed;
  }

  /** Resolves with the result; rejects in one of the ways by which BullMQ knows what becomes of the job. */
  async #process(job: BullJob<StoredPayload<Payload>, string>, token: string): Promise<string> {
    const { patient } = this.#place;
    const id = String(job.id);
    if (this.#closed) return await this.#handBack(job, token, 0);
    // The mark may stem from a run before this one.
    if (job.attemptsStarted > 1 && (await patient.isCancelled(id))) throw final(cancelled);
    const outcome = await this.#run(job, token);
    if ("result" in outcome) return outcome.result;
    if (await patient.isCancelled(id)) throw final(cancelled);
    if ("failure" in outcome) throw final(outcome.failure);
    if (outcome.isFailure) throw new Again(outcome.againAfterMs);
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
      progress: async value => {
        const isOurs = await answered(this.#place.scripts.progress(id, token, value));
        if (!isOurs) throw new Stop("lost");
      },
    };
    const { attempts = 1 } = job.opts;
    const { backoffMs } = job.data;
    const counted = { deaths: job.stalledCounter, failures: job.attemptsMade, attempts, backoffMs };
    const start = { ...counted, job: jobOf<Payload, Result>(job, "active") };
    const outcome = await Promise.race([outcomeOf(start, this.#work, tools), abandoned.promise]);
    this.#runs.delete(run);
    ended.resolve();
    return outcome;
  }

  #watch(run: Run): void {
    if (this.#runs.size === 0) this.#seenAt = performance.now();
    this.#runs.add(run);
    this.#timer ??= setTimeout(() => this.#tick(), lookMs);
  }

  #tick(): void {
    this.#timer = undefined;
    if (this.#runs.size === 0) return;
    this.#timer = setTimeout(() => this.#tick(), lookMs);
    // Whoever cannot tell whether the locks are held must take them for lost.
    if (performance.now() - this.#seenAt > lockMs) this.#stop([...this.#runs], "lost");
    else if (!this.#isLooking) void this.#look();
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    const asked = performance.now();
    const runs = [...this.#runs];
    try {
      const seen = await this.#place.scripts.look(runs);
      const those = (isSo: (look: { isLost: boolean; isCancelled: boolean }) => boolean) =>
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
      this.#isLooking = false;
    }
  }

  #stop(runs: Iterable<Run>, code: Stop["code"]): void {
    for (const { controller } of runs) controller.abort(new Stop(code));
  }

  async #close(graceMs: number): Promise<void> {
    const written = this.#bull.close();
    await within(graceMs, this.#ends());
    this.#stop(this.#runs, "closing");
    await within(afterAbortMs, this.#ends());
    for (const { abandon } of this.#runs) abandon({ againAfterMs: 0, isFailure: false });
    await within(lastWritesMs, [written]);
    // A command that still waits for Redis must not take a job for this worker later.
    this.#place.redis.disconnectAll();
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
