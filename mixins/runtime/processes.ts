import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { FairSemaphore } from "../async/fair-semaphore.ts";
import { within } from "../async/timeout.ts";

/**
 * Processes for work that may exhaust memory. V8 ends a whole process when a thread asks for one very large block, whatever
 * the thread's own limit is, so such work cannot have a thread of this one.
 */
export interface Processes<Job, Result> {
  /** Runs one job when its group has a free process. A job that takes longer than it may is killed with its process. */
  run(group: string, job: Job): Promise<Result | Killed>;
  /** The processes that are there. */
  readonly open: number;
  close(): Promise<void>;
}

/** Why a job has no result: it took too long, or its process has ended, mostly for want of memory. */
export interface Killed {
  killed: "time" | "memory";
}

export interface ProcessesOptions {
  /**
   * A program that answers each message with one, by the channel that `fork` gives it. Its first message, which is empty,
   * says that it is ready.
   */
  program: URL;
  /** Flags of Node. */
  flags: readonly string[];
  width: number;
  /** Milliseconds that a job may take, without the start of its process. */
  maxMs: number;
  /** Milliseconds without a job after which a process ends; a minute by default. */
  restMs?: number;
}

/** Even a machine that is very busy starts one in less. */
const startMs = 30_000;
const usualRestMs = 60_000;

export function openProcesses<Job, Result>(options: ProcessesOptions): Processes<Job, Result> {
  // A group has one: what it runs, others need not wait for.
  const queue = new FairSemaphore({ width: options.width, perGroup: 1 });
  const closing = new AbortController();
  const all = new Set<Child>();
  const idle: Child[] = [];
  const start = () => {
    const child = new Child(options);
    all.add(child);
    child.onEnd(() => all.delete(child));
    return child;
  };
  const take = () => {
    for (let child = idle.pop(); child; child = idle.pop()) if (child.isAlive) return child;
    return start();
  };
  const run = async (job: Job) => {
    closing.signal.throwIfAborted();
    const child = take();
    const result = await child.run(job);
    child.rest();
    if (child.isAlive) idle.push(child);
    return result as Result | Killed;
  };
  return {
    run: (group, job) => queue.run(group, closing.signal, () => run(job)),
    get open() {
      return all.size;
    },
    close: async () => {
      closing.abort(new Error("The service is stopping"));
      await Promise.all([...all].map(child => child.kill()));
    },
  };
}

/** A process, which runs one job at a time. */
class Child {
  readonly #process: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #ready: Promise<unknown>;
  readonly #options: ProcessesOptions;
  #resting: NodeJS.Timeout | undefined;

  constructor(options: ProcessesOptions) {
    this.#options = options;
    // Nothing of this process's environment: the keys of the service are in it.
    this.#process = fork(options.program, {
      ...{ execArgv: [...options.flags], env: {}, serialization: "json" },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.#ended = new Promise(resolve => {
      this.#process.once("exit", resolve);
      this.#process.once("error", resolve);
    });
    this.#ready = Promise.race([once(this.#process, "message"), this.#ended]);
    this.#ready.catch(() => undefined);
    // A program that is over does not wait for a process that rests.
    this.#process.unref();
    this.#process.channel?.unref();
  }

  get isAlive(): boolean {
    return this.#process.connected && this.#process.exitCode === null && this.#process.signalCode === null;
  }

  onEnd(action: () => void): void {
    void this.#ended.then(action);
  }

  async run(job: unknown): Promise<unknown> {
    clearTimeout(this.#resting);
    await within(startMs, this.#ready, () => undefined);
    if (!this.isAlive) return await this.#killed("memory");
    const answered = once(this.#process, "message").then(([answer]) => answer);
    answered.catch(() => undefined);
    this.#process.send(job as never, error => error && this.#process.kill("SIGKILL"));
    const memory = this.#ended.then((): Killed => ({ killed: "memory" }));
    const time = (): Killed => ({ killed: "time" });
    const result = await within(this.#options.maxMs, Promise.race([answered, memory]), time);
    return isKilled(result) ? await this.#killed(result.killed) : result;
  }

  /** Ends it when nothing comes for a while. */
  rest(): void {
    this.#resting = setTimeout(() => void this.kill(), this.#options.restMs ?? usualRestMs).unref();
  }

  async kill(): Promise<void> {
    clearTimeout(this.#resting);
    this.#process.kill("SIGKILL");
    await this.#ended;
  }

  async #killed(killed: Killed["killed"]): Promise<Killed> {
    await this.kill();
    return { killed };
  }
}

export function isKilled(result: unknown): result is Killed {
  return typeof result === "object" && result !== null && "killed" in result;
}
