import { type ErrorCode, JobFailedError, MagpieError } from "./errors.ts";
import { pause } from "./pause.ts";

/** The status of a job that yields pages while it runs. */
export interface JobState<Page> {
  status: string;
  data: Page[];
  next_cursor: string | null;
  error?: { code: string; message: string };
}

interface JobErrors<Failure> {
  data: Failure[];
  next_cursor: string | null;
}

/** The requests of one kind of job. */
export interface JobWay<Accepted, State, Failure> {
  /** Starts the job. It takes no signal: a job whose id is not known could not be cancelled. */
  start(): Promise<{ id: string; accepted: Accepted }>;
  read(id: string, cursor: string | undefined, signal?: AbortSignal): Promise<State>;
  errors(id: string, cursor: string | undefined, signal?: AbortSignal): Promise<JobErrors<Failure>>;
  cancel(id: string): Promise<unknown>;
}

export interface JobOptions<State = unknown> {
  /** Ends the iteration with the signal's reason, and cancels the job. */
  signal?: AbortSignal | undefined;
  /** Leaves the job running when the iteration ends early. False by default. */
  keep?: boolean | undefined;
  /** Milliseconds until a job that has no new page is asked again. 1,000 by default. */
  pollMs?: number | undefined;
  /** Called with each answer of the service, after its pages were taken: its status and its progress. */
  onState?(state: State): void;
}

/** Continues a job that this or another process has started. */
export interface ResumeOptions<State = unknown> extends JobOptions<State> {
  /** The `cursor` of the job that is continued. Without it, the pages begin with the first. */
  cursor?: string | undefined;
}

/**
 * A crawl or a batch. Iterate over it for its pages, each as soon as it is read; the first iteration starts the job. Leaving
 * the loop by `break`, an error of its own or the signal cancels the job; a lost connection does not. A job that fails
 * throws a JobFailedError after its last page.
 */
export class Job<Page, Accepted, State extends JobState<unknown>, Failure> implements AsyncIterable<Page> {
  readonly #way: JobWay<Accepted, State, Failure>;
  readonly #options: ResumeOptions<State>;
  #started: Promise<{ id: string; accepted?: Accepted }> | undefined;
  #cursor: string | undefined;
  #id: string | undefined;

  constructor(way: JobWay<Accepted, State, Failure>, options: ResumeOptions<State> = {}, id?: string) {
    this.#way = way;
    this.#options = options;
    this.#cursor = options.cursor;
    this.#id = id;
    if (id !== undefined) this.#started = Promise.resolve({ id });
  }

  /** The job's id; undefined until it has started. */
  get id(): string | undefined {
    return this.#id;
  }

  /** The position to resume at: after the last answer all of whose pages were taken. Pages of one answer may come again. */
  get cursor(): string | undefined {
    return this.#cursor;
  }

  /** Starts the job unless it has started, and resolves to what the service answered; to undefined for a resumed job. */
  async start(): Promise<Accepted | undefined> {
    return (await this.#start()).accepted;
  }

  /** The job's present state, with its first pages. */
  async status(): Promise<State> {
    const { id } = await this.#start();
    return this.#way.read(id, undefined, this.#options.signal);
  }

  /** The pages that failed or were skipped, so far. */
  async *errors(): AsyncGenerator<Failure, void, void> {
    const { id } = await this.#start();
    let cursor: string | undefined;
    do {
      const { data, next_cursor } = await this.#way.errors(id, cursor, this.#options.signal);
      yield* data;
      // A running job always names a next page, which may still be empty.
      cursor = data.length > 0 ? (next_cursor ?? undefined) : undefined;
    } while (cursor !== undefined);
  }

  /** Cancels the job. What it has read stays. Does nothing when it has ended. */
  async cancel(): Promise<void> {
    if (!this.#started) return;
    const { id } = await this.#started;
    await this.#way.cancel(id).catch((error: unknown) => {
      if (!(error instanceof MagpieError && hasEnded(error.code))) throw error;
    });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Page, void, void> {
    const { signal, keep = false, pollMs = 1000, onState } = this.#options;
    signal?.throwIfAborted();
    const { id } = await this.#start();
    let over = false;
    try {
      for (;;) {
        const state = await this.#way.read(id, this.#cursor, signal);
        const { data, next_cursor, status, error } = state;
        for (const page of data) {
          signal?.throwIfAborted();
          yield page as Page;
        }
        onState?.(state);
        if (next_cursor === null) {
          over = true;
          if (status === "failed") throw new JobFailedError(id, error);
          return;
        }
        this.#cursor = next_cursor;
        if (data.length === 0) await pause(pollMs, signal);
      }
    } catch (error) {
      // The job is not cancelled when the service cannot be reached: it can be resumed.
      over ||= !signal?.aborted;
      throw error;
    } finally {
      // An error here must not hide the one that ended the loop.
      if (!over && !keep) await this.cancel().catch(() => undefined);
    }
  }

  #start(): Promise<{ id: string; accepted?: Accepted }> {
    this.#started ??= this.#way.start().then(started => {
      this.#id = started.id;
      return started;
    });
    return this.#started;
  }
}

function hasEnded(code: ErrorCode): boolean {
  return code === "already_finished" || code === "expired" || code === "not_found";
}
