import { Piscina } from "piscina";
import { fail } from "../../services/contracts/errors.ts";
import { type Answer, unwrap } from "./answer.ts";
import type { Job, Tasks } from "./serve-tasks.ts";

/** Threads for work whose time a stranger's document decides: it can be stopped, and holds up nothing else. */
export interface Threads<Of extends Tasks> {
  /** Runs one task; when the signal fires its thread is ended, whatever it computes, and the reason is thrown. */
  run<Name extends keyof Of & string>(
    task: Name,
    input: Parameters<Of[Name]>[0],
    signal: AbortSignal,
  ): Promise<Awaited<ReturnType<Of[Name]>>>;
  close(): Promise<void>;
}

export interface ThreadsOptions {
  /** A worker file whose default export `serveTasks` made. */
  program: URL;
  maxThreads: number;
  /** Tasks that may wait for a thread. */
  maxWaiting: number;
  /** Memory of one thread, in MB. */
  memoryMb: number;
  /** What the client reads: of a task that needs more memory, and when too many wait. */
  sentences: { tooLarge: string; busy: string };
}

/** Of a thread's memory, in MB, for what was just made. V8 takes 48 unless told, and twice as much settles. */
const youngMemoryMb = 24;
const idleTimeoutMs = 60_000;

export function openThreads<Of extends Tasks>(options: ThreadsOptions): Threads<Of> {
  const { program, maxThreads, maxWaiting, memoryMb, sentences } = options;
  const pool = new Piscina<Job, Answer<unknown>>({
    filename: program.href,
    // One stays: Piscina replaces a thread that it ended up to its minimum only, and tasks would wait for ever.
    minThreads: 1,
    maxThreads,
    idleTimeout: idleTimeoutMs,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: youngMemoryMb },
  });
  // Piscina's own bound does not count tasks that have a signal.
  let underWay = 0;
  return {
    run: async (task, input, signal) => {
      if (underWay >= maxThreads + maxWaiting) throw fail("overloaded", sentences.busy, { retry_after: 2 });
      underWay += 1;
      try {
        return unwrap(await pool.run({ task, input }, { signal })) as never;
      } catch (error) {
        throw signal.aborted ? signal.reason : readable(error, sentences);
      } finally {
        underWay -= 1;
      }
    },
    close: () => pool.destroy(),
  };
}

function readable(error: unknown, { tooLarge }: ThreadsOptions["sentences"]): unknown {
  const { code } = Object(error) as { code?: unknown };
  return code === "ERR_WORKER_OUT_OF_MEMORY" ? fail("upstream_error", tooLarge, {}, error) : error;
}
