import { Piscina } from "piscina";
import { fail } from "../../services/contracts/errors.ts";
import { FairSemaphore } from "../async/fair-semaphore.ts";
import { withTimeout } from "../async/timeout.ts";
import { type Job, type TaskResult, type Tasks, unwrap } from "./thread-worker.ts";

/** Threads for work on foreign documents, which may take long: it can be stopped, and blocks nothing else. */
export interface Threads<Of extends Tasks> {
  /**
   * Runs one task when its group has a free thread. When the signal fires, the task's thread is ended and replaced, and
   * the signal's reason is thrown; after `maxMs` of work likewise, with a `TimeoutError`. Throws `overloaded` when too
   * many tasks of the group wait.
   */
  run<Name extends keyof Of & string>(
    task: Name,
    input: Parameters<Of[Name]>[0],
    options: TaskOptions,
  ): Promise<Awaited<ReturnType<Of[Name]>>>;
  /**
   * Starts a thread where none is open, so that the first task waits for none; it stays as the spare one. Resolves when
   * it has loaded all that it needs, or has failed to.
   */
  prepare(): Promise<void>;
  /** Idle threads that have loaded all that they need. */
  ready(): number;
  /** All threads. */
  open(): number;
  close(): Promise<void>;
}

/** The group of a task, and how long it may run. */
export interface TaskOptions {
  /** Tasks of one group (an API key, a host) wait for one another; groups share the threads fairly. */
  group: string;
  signal: AbortSignal;
  /** Milliseconds of work, waiting not counted; unbounded by default. */
  maxMs?: number;
}

export interface ThreadsOptions extends ThreadOptions {
  maxThreads: number;
  /** Threads that one group may hold; all by default. */
  maxPerGroup?: number;
  /** Tasks of one group that may wait for a thread. */
  maxWaiting: number;
  /**
   * Keeps one thread more than are busy, so that no task waits for a thread to start. Two threads stay until there has
   * been no task for this long, in milliseconds. `Infinity` keeps them always, and starts the first at once.
   */
  spareMs?: number;
  /** Milliseconds without a task after which other threads end; a minute by default. */
  restMs?: number;
  /** What the client reads when a task needs more memory, and when too many wait. */
  messages: { tooLarge: string; busy: string };
}

const usualRestMs = 60_000;
/** A client that asks for several pages at a time needs two warm threads; to start one takes a processor for a second. */
const keptThreads = 2;
/** To start a thread takes a processor for a second: the first of several tasks is over by then. */
const spareAfterMs = 250;

export function openThreads<Of extends Tasks>(options: ThreadsOptions): Threads<Of> {
  const { maxThreads, maxPerGroup, maxWaiting, messages } = options;
  const queue = new FairSemaphore({ width: maxThreads, perGroup: maxPerGroup });
  const crew = new ThreadPool(options);
  return {
    run: async (task, input, { group, signal, maxMs }) => {
      if (queue.waiting(group) >= maxWaiting) throw fail("overloaded", messages.busy, { retry_after: 2 });
      const work = (thread: Thread) => (stop: AbortSignal) => thread.run({ task, input }, stop);
      const run = (thread: Thread) =>
        maxMs === undefined ? work(thread)(signal) : withTimeout(maxMs, signal, work(thread));
      try {
        return (await queue.run(group, signal, () => crew.lend(group, run))) as never;
      } catch (error) {
        throw readableError(error, messages);
      }
    },
    prepare: () => crew.prepare(),
    ready: () => crew.ready(),
    open: () => crew.open(),
    close: () => crew.close(),
  };
}

interface Idle {
  thread: Thread;
  /** The group that used it last. */
  group: string | undefined;
  timer: NodeJS.Timeout;
}

/** The threads that are open. */
class ThreadPool {
  readonly #options: ThreadsOptions;
  readonly #open = new Set<Thread>();
  /** The next to be taken is first. */
  #idle: Idle[] = [];
  #lentAt = 0;
  #isClosed = false;

  constructor(options: ThreadsOptions) {
    this.#options = options;
    if (options.spareMs === Infinity) void this.prepare();
  }

  /** Lends a thread to a task of the group. */
  async lend<Result>(group: string, task: (thread: Thread) => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw fail("overloaded", "The service is stopping; try again.", { retry_after: 2 });
    const thread = this.#take(group);
    this.#lentAt = performance.now();
    setTimeout(() => this.#makeReady(), spareAfterMs).unref();
    try {
      return await task(thread);
    } finally {
      this.#shelve(thread, group);
    }
  }

  async prepare(): Promise<void> {
    if (this.#open.size > 0) return;
    this.#lentAt = performance.now();
    this.#makeReady();
    await Promise.all([...this.#open].map(({ warmed }) => warmed));
  }

  ready(): number {
    return this.#idle.filter(({ thread }) => thread.isWarm).length;
  }

  open(): number {
    return this.#open.size;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { timer } of this.#idle) clearTimeout(timer);
    await Promise.all([...this.#open].map(thread => thread.close()));
  }

  /**
   * The thread that the group used last, before others: a group whose tasks are stopped waits itself for the thread
   * that replaces the ended one.
   */
  #take(group: string): Thread {
    const mine = this.#idle.findIndex(each => each.group === group);
    const [idle] = this.#idle.splice(Math.max(mine, 0), 1);
    clearTimeout(idle?.timer);
    return idle?.thread ?? this.#add();
  }

  #shelve(thread: Thread, group?: string): void {
    const { restMs = usualRestMs, spareMs = restMs } = this.#options;
    const timer = this.#retireLater(thread, Math.min(restMs, spareMs));
    const idle = { thread, group, timer };
    if (thread.isWarm) this.#idle.unshift(idle);
    else this.#idle.push(idle);
  }

  #makeReady(): void {
    if (
      this.#isClosed ||
      !this.#options.spareMs ||
      this.#idle.length > 0 ||
      this.#open.size >= this.#options.maxThreads
    )
      return;
    this.#shelve(this.#add());
  }

  #add(): Thread {
    const thread = new Thread(this.#options);
    this.#open.add(thread);
    return thread;
  }

  #retireLater(thread: Thread, ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#retire(thread), ms).unref();
  }

  /** The last ones stay for their time. */
  #retire(thread: Thread): void {
    const { spareMs = 0 } = this.#options;
    const spareForMs = this.#open.size <= keptThreads ? this.#lentAt + spareMs - performance.now() : 0;
    if (spareForMs === Infinity) return;
    if (spareForMs > 0) {
      const mine = this.#idle.find(each => each.thread === thread);
      if (mine) mine.timer = this.#retireLater(thread, spareForMs);
      return;
    }
    this.#idle = this.#idle.filter(each => each.thread !== thread);
    this.#open.delete(thread);
    void thread.close();
  }
}

function readableError(error: unknown, { tooLarge }: ThreadsOptions["messages"]): unknown {
  const { code } = Object(error) as { code?: unknown };
  return code === "ERR_WORKER_OUT_OF_MEMORY" ? fail("upstream_error", tooLarge, {}, error) : error;
}

interface ThreadOptions {
  /** A worker file whose default export `serveTasks` made. */
  program: URL;
  /** Memory of the thread, in MB. */
  memoryMb: number;
  /** Gives a job that a new thread does first, to load what it needs. */
  warmUp?: () => Promise<Job>;
}

/**
 * For new objects, in MB, where the option of V8 that the launcher sets does not say it: with as much as V8 takes by itself, a
 * thread at its limit ends the process.
 */
const youngMemoryMb = 48;

/** A thread that is replaced when it is ended: a Piscina pool with a single worker. */
class Thread {
  readonly #pool: Piscina<Job, TaskResult<unknown>>;
  readonly #warmUp: ThreadOptions["warmUp"];
  /** Settles when a new thread has loaded what it needs, or has failed to. */
  readonly warmed: Promise<void>;
  #isWarm = false;
  #isClosed = false;

  /** The thread loads its program at once. */
  constructor({ program, memoryMb, warmUp }: ThreadOptions) {
    this.#pool = new Piscina({
      filename: program.href,
      minThreads: 1,
      maxThreads: 1,
      // Waiting by Atomics stops the thread's event loop: its timers would not fire until the next task.
      atomics: "disabled",
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: youngMemoryMb },
    });
    // Piscina reports here the last answer of a thread that has been ended; a task's error goes to its caller.
    this.#pool.on("error", () => undefined);
    this.#warmUp = warmUp;
    this.warmed = this.#warm();
  }

  /** Whether it has loaded what it needs, and has not been ended since. */
  get isWarm(): boolean {
    return this.#isWarm;
  }

  /** Runs one job at a time. When the signal fires the thread is ended and replaced, and the reason thrown. */
  async run(job: Job, signal: AbortSignal): Promise<unknown> {
    const answer = await this.#pool.run(job, { signal }).catch(error => {
      void this.#warm();
      throw signal.aborted ? signal.reason : error;
    });
    this.#isWarm = true;
    return unwrap(answer);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#pool.destroy();
  }

  /** A thread that fails to warm up fails again with its first job, which reports why. */
  async #warm(): Promise<void> {
    this.#isWarm = false;
    const job = await this.#warmUp?.().catch(() => undefined);
    if (job === undefined || this.#isClosed) return;
    this.#isWarm = await this.#pool.run(job).then(
      ({ ok }) => ok,
      () => false,
    );
  }
}
