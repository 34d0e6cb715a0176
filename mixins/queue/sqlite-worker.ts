import type { Batch } from "./batch.ts";
import type { Claim, JobTables } from "./job-tables.ts";
import { type Outcome, outcomeOf, type Work } from "./outcome.ts";
import { type JobTools, Stop, type Worker } from "./queue.ts";
import { afterAbortMs, graceMsByDefault, pause, within } from "./within.ts";

/** A clock that was set back must not let a delayed job wait for longer than this. */
const longestTimerMs = 30_000;
const writeAgainMs = 1000;

/** Where a queue is kept. */
export interface Place {
  queue: string;
  tables: JobTables;
  batch: Batch;
  now: () => number;
  /** Wakes every worker of the queue in this process. */
  ring: () => void;
}

interface Run<Payload, Result> {
  claim: Claim<Payload, Result>;
  controller: AbortController;
  /** Resolves when its end is written. */
  ended: Promise<void>;
}

/** Works one queue in this process. Idle it does nothing: it is woken, or knows when the next job is due. */
export class SqliteWorker<Payload, Result> implements Worker {
  readonly #place: Place;
  readonly #work: Work<Payload, Result>;
  /** Jobs at work by id. */
  readonly #atWork = new Map<string, Run<Payload, Result>>();
  readonly #unended = new Set<Run<Payload, Result>>();
  readonly #closing = new AbortController();
  #claiming: Promise<void> | undefined;
  #isWoken = false;
  #timer: NodeJS.Timeout | undefined;
  #closed: Promise<void> | undefined;

  constructor(place: Place, work: Work<Payload, Result>) {
    this.#place = place;
    this.#work = work;
    this.wake();
  }

  /** Takes jobs while there are some and room is left; one claim at a time, since each counts the room. */
  wake(): void {
    this.#isWoken = true;
    if (this.#claiming || this.#isClosing || this.#room <= 0) return;
    this.#isWoken = false;
    this.#claiming = this.#claim().finally(() => {
      this.#claiming = undefined;
      if (this.#isWoken) this.wake();
    });
  }

  /** Asks a job to stop if it is at work here. */
  cancel(id: string): void {
    this.#atWork.get(id)?.controller.abort(new Stop("cancelled"));
  }

  close(graceMs = graceMsByDefault): Promise<void> {
    this.#closed ??= this.#close(graceMs);
    return this.#closed;
  }

  async #claim(): Promise<void> {
    const { queue, tables, batch, now } = this.#place;
    try {
      const claims = await batch.join(() =>
        this.#isClosing ? [] : tables.claim<Payload, Result>(queue, this.#room, now()),
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
    const ms = Math.min(Math.max(due - this.#place.now(), 1), longestTimerMs);
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
      progress: value => this.#progress(claim, value),
    };
    const outcome = await outcomeOf(claim, this.#work, tools);
    this.#atWork.delete(claim.job.id);
    const written = this.#end(claim, outcome);
    this.wake();
    await written;
  }

  async #progress(claim: Claim<Payload, Result>, value: unknown): Promise<void> {
    const { batch, tables } = this.#place;
    if (!(await batch.join(() => tables.progress(claim, value)))) throw new Stop("lost");
  }

  /** Tries until it is written, or until the worker closes: then the next process takes the job back. */
  async #end(claim: Claim<Payload, Result>, outcome: Outcome): Promise<void> {
    const { queue, tables, batch, now, ring } = this.#place;
    for (;;) {
      try {
        await batch.join(() => tables.end(queue, claim, outcome, now()));
        if ("againAfterMs" in outcome) ring();
        return;
      } catch (error) {
        this.#work.onError(error);
        if (this.#isClosing) return;
        await pause(writeAgainMs, this.#closing.signal);
      }
    }
  }

  async #close(graceMs: number): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#claiming;
    await within(graceMs, this.#ends());
    for (const { controller } of this.#unended) controller.abort(new Stop("closing"));
    await within(afterAbortMs, this.#ends());
    await Promise.all(
      [...this.#unended].map(({ claim }) => this.#end(claim, { againAfterMs: 0, isFailure: false })),
    );
    // Another worker of the process may have to mind the next delayed job now.
    this.#place.ring();
  }

  #ends(): Promise<void>[] {
    return [...this.#unended].map(({ ended }) => ended);
  }

  get #room(): number {
    return this.#work.options.concurrency - this.#atWork.size;
  }

  get #isClosing(): boolean {
    return this.#closing.signal.aborted;
  }
}
