import { codeOf, type ErrorCode, type ErrorExtras, fail } from "../../services/contracts/errors.ts";
import { GarbageCollector } from "./garbage.ts";

/** Functions by name. Each takes one argument; argument and result can be cloned. */
export type Tasks = Record<string, (input: never) => unknown>;

export interface Job {
  task: string;
  input: unknown;
}

/** The default export of a worker file: runs the task that a job names. */
export function serveTasks(tasks: Tasks): (job: Job) => Promise<TaskResult<unknown>> {
  const collector = new IdleCollector();
  return async ({ task, input }) => {
    collector.busy();
    const answer = await resultOf(() => tasks[task]?.(input as never));
    collector.idle();
    return answer;
  };
}

/** What a thread returns. An error loses its fields between threads, so it travels as data, and its cause as a text. */
export type TaskResult<T> =
  | { ok: true; value: T }
  | { ok: false; code: ErrorCode; message: string; extras: ErrorExtras; cause?: string };

/** For the thread: turns expected errors into data; others end the task as they are. */
async function resultOf<T>(work: () => T | Promise<T>): Promise<TaskResult<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    const { message, data, cause } = error as Error & { data?: ErrorExtras };
    return {
      ok: false,
      code,
      message,
      extras: data ?? {},
      ...(cause !== undefined && { cause: textOf(cause) }),
    };
  }
}

const maxCause = 2000;

function textOf(cause: unknown): string {
  const { stack } = Object(cause) as { stack?: unknown };
  return String(stack ?? cause).slice(0, maxCause);
}

/** For the caller: returns the value, or throws the error again. */
export function unwrap<T>(answer: TaskResult<T>): T {
  if (answer.ok) return answer.value;
  throw fail(answer.code, answer.message, answer.extras, answer.cause);
}

const idleMs = 1000;

/**
 * Collects a thread's garbage when it has had no task for a second. V8 collects when something is allocated, so an idle
 * thread would keep the garbage of its last task, up to its whole heap, for as long as it waits.
 */
class IdleCollector {
  #timer: NodeJS.Timeout | undefined;
  readonly #collector = new GarbageCollector();

  /** A task begins. */
  busy(): void {
    clearTimeout(this.#timer);
  }

  /** A task has ended. */
  idle(): void {
    this.#timer = setTimeout(() => this.#collector.collectIfWorthIt(), idleMs).unref();
  }
}
