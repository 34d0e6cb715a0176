import { setImmediate as yieldToLoop } from "node:timers/promises";
import { settledWithin } from "../../mixins/async/timeout.ts";

/** The work that a scheduler does. */
interface Work<Job> {
  /** Takes at most `max` jobs that are due. */
  take(max: number): Promise<Job[]>;
  /** Milliseconds; null when there is nothing to wait for. */
  nextAt(): Promise<number | null>;
  run(job: Job): Promise<unknown>;
  onError(error: unknown): void;
  now(): number;
}

/** Milliseconds between checks at most: another process may have left work, and a clock may be set back. */
const longestSleepMs = 5000;
/** Milliseconds before the next check after one that failed, or that could take nothing although something was due. */
const retryMs = 1000;
/** Milliseconds over which the starts of one batch are spread at most while the process is busy. */
const spreadStartsMs = 200;

/** Runs jobs when they are due, a bounded number at a time, with one timer. */
export class Scheduler<Job> {
  readonly #work: Work<Job>;
  readonly #concurrency: number;
  readonly #running = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #isAwake = false;
  #isStopped = false;

  constructor(work: Work<Job>, concurrency: number) {
    this.#work = work;
    this.#concurrency = concurrency;
  }

  /** Checks at once: something may be due earlier than was known. */
  wake(): void {
    if (this.#isStopped) return;
    this.#isAwake = true;
    this.#round ??= this.#check();
  }

  /** Takes no more jobs and waits for those under way, at most `timeoutMs`. */
  async stop(timeoutMs: number): Promise<void> {
    this.#isStopped = true;
    await this.#round;
    clearTimeout(this.#timer);
    await settledWithin(timeoutMs, this.#running);
  }

  async #check(): Promise<void> {
    clearTimeout(this.#timer);
    let sleepMs = retryMs;
    try {
      while (this.#isAwake && !this.#isStopped) {
        this.#isAwake = false;
        sleepMs = await this.#startDue();
        // Jobs that never wait would otherwise starve timers and sockets.
        await yieldToLoop();
      }
    } catch (error) {
      this.#work.onError(error);
    }
    this.#round = undefined;
    this.#sleep(sleepMs);
  }

  /** Starts what is due; returns how long there is nothing to start. */
  async #startDue(): Promise<number> {
    const free = this.#concurrency - this.#running.size;
    if (free === 0) return longestSleepMs;
    const checkedAt = this.#work.now();
    const jobs = await this.#work.take(free);
    await this.#startAll(jobs);
    if (this.#running.size >= this.#concurrency) return longestSleepMs;
    const nextAt = await this.#work.nextAt();
    if (nextAt === null) return longestSleepMs;
    // This process may take no leases now, or others were first.
    if (jobs.length === 0 && nextAt <= checkedAt) return retryMs;
    return Math.min(nextAt - this.#work.now(), longestSleepMs);
  }

  /** Starts jobs one by one while the event loop is busy, so that the results of earlier jobs are handled first. */
  async #startAll(jobs: Job[]): Promise<void> {
    const lateAt = performance.now() + spreadStartsMs;
    for (const job of jobs) {
      this.#start(job);
      const leftMs = lateAt - performance.now();
      if (leftMs > 0 && !this.#isStopped) await waitForIdleLoop(leftMs);
    }
  }

  #start(job: Job): void {
    const run = this.#work
      .run(job)
      .catch(error => {
        // A job that outlives the stop loses its store; the next process does it again.
        if (!this.#isStopped) this.#work.onError(error);
      })
      .then(() => {
        this.#running.delete(run);
        this.wake();
      });
    this.#running.add(run);
  }

  #sleep(ms: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => this.wake(), Math.max(ms, 0));
    this.#timer.unref();
  }
}

/** A tick of the event loop that takes less than this, in milliseconds, had little to do. */
const idleTickMs = 4;

/** Resolves after the first short tick of the event loop, or after `timeoutMs`. */
export async function waitForIdleLoop(timeoutMs: number): Promise<void> {
  const lateAt = performance.now() + timeoutMs;
  for (;;) {
    const began = performance.now();
    await yieldToLoop();
    const ended = performance.now();
    if (ended - began < idleTickMs || ended >= lateAt) return;
  }
}
