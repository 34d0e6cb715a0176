import { setImmediate as nextTurn } from "node:timers/promises";
import { calm } from "./calm.ts";

/** What a scheduler needs: who is due, when the next one is, and how to do the work. */
export interface Work<Job> {
  /** Takes at most `max` jobs that are due. */
  take(max: number): Promise<Job[]>;
  /** Milliseconds; null when there is nothing to wait for. */
  nextAt(): Promise<number | null>;
  run(job: Job): Promise<unknown>;
  onError(error: unknown): void;
  now(): number;
}

/** Looks at least this often: another process may have left something, and a clock may be set back. */
const longestSleepMs = 5000;
/** After a look that failed, and after one that could take nothing of what was due. */
const inVainMs = 1000;
/** For which all that were taken in one go wait together, while the process has much to do. */
const patienceMs = 200;

/** Runs jobs when they are due, a bounded number at a time; sleeps on one timer between. */
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

  /** Looks at once: something may have become due earlier than was known. */
  wake(): void {
    if (this.#isStopped) return;
    this.#isAwake = true;
    this.#round ??= this.#look();
  }

  /** Takes no more jobs, and waits for those under way, at most `patienceMs`. */
  async stop(patienceMs: number): Promise<void> {
    this.#isStopped = true;
    await this.#round;
    clearTimeout(this.#timer);
    let patience: NodeJS.Timeout | undefined;
    const over = new Promise(resolve => {
      patience = setTimeout(resolve, patienceMs);
    });
    await Promise.race([Promise.all(this.#running), over]);
    clearTimeout(patience);
  }

  async #look(): Promise<void> {
    clearTimeout(this.#timer);
    let sleepMs = inVainMs;
    try {
      while (this.#isAwake && !this.#isStopped) {
        this.#isAwake = false;
        sleepMs = await this.#begin();
        // Jobs that wait for nothing outside would else keep timers and sockets waiting for ever.
        await nextTurn();
      }
    } catch (error) {
      this.#work.onError(error);
    }
    this.#round = undefined;
    this.#sleep(sleepMs);
  }

  /** Begins what is due; tells how long there is nothing to begin. */
  async #begin(): Promise<number> {
    const places = this.#concurrency - this.#running.size;
    if (places === 0) return longestSleepMs;
    const lookedAt = this.#work.now();
    const jobs = await this.#work.take(places);
    await this.#startAll(jobs);
    if (this.#running.size >= this.#concurrency) return longestSleepMs;
    const nextAt = await this.#work.nextAt();
    if (nextAt === null) return longestSleepMs;
    // This process may take nothing now, or others were before it.
    if (jobs.length === 0 && nextAt <= lookedAt) return inVainMs;
    return Math.min(nextAt - this.#work.now(), longestSleepMs);
  }

  /** What the jobs under way bring is dealt with before more is brought in, as long as those that are due can wait. */
  async #startAll(jobs: Job[]): Promise<void> {
    const lateAt = performance.now() + patienceMs;
    for (const job of jobs) {
      this.#start(job);
      const leftMs = lateAt - performance.now();
      if (leftMs > 0 && !this.#isStopped) await calm(leftMs);
    }
  }

  #start(job: Job): void {
    const run = this.#work
      .run(job)
      .catch(error => {
        // What a stop leaves behind ends without its store; whoever starts next does it again.
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
