import { availableParallelism } from "node:os";
import { Piscina } from "piscina";
import { fail } from "../../contracts/errors.ts";
import { type Answer, unwrap } from "./answer.ts";
import type { Tasks } from "./extract.worker.ts";

type Output<Name extends keyof Tasks> = Awaited<ReturnType<Tasks[Name]>> extends Answer<infer T> ? T : never;

/** Threads that read pages. */
export interface ExtractionPool {
  /** Runs one task; when the signal fires its thread is ended, whatever it computes, and the reason is thrown. */
  run<Name extends keyof Tasks>(
    task: Name,
    input: Parameters<Tasks[Name]>[0],
    signal: AbortSignal,
  ): Promise<Output<Name>>;
  close(): Promise<void>;
}

/** Memory of one thread, in MB: a page of 10^6 nodes fits. */
const threadMemoryMb = 1024;
/** Of which for what was just made. V8 takes 48 unless told, and the threads' memory settles at twice as much. */
const youngMemoryMb = 24;
const waitingTasks = 256;

export function createExtractionPool(): ExtractionPool {
  const threads = Math.max(2, Math.min(8, availableParallelism()));
  const pool = new Piscina({
    filename: new URL("extract.worker.ts", import.meta.url).href,
    minThreads: 1,
    maxThreads: threads,
    idleTimeout: 60_000,
    maxQueue: waitingTasks,
    resourceLimits: { maxOldGenerationSizeMb: threadMemoryMb, maxYoungGenerationSizeMb: youngMemoryMb },
  });
  return {
    run: async (task, input, signal) => {
      const answer = await pool.run({ task, input }, { signal }).catch(error => {
        throw signal.aborted ? signal.reason : poolError(error);
      });
      return unwrap(answer);
    },
    close: () => pool.destroy(),
  };
}

function poolError(error: Error & { code?: string }): Error {
  if (error.code === "ERR_WORKER_OUT_OF_MEMORY")
    return fail("upstream_error", "The page is too large to be read.", {}, error);
  if (/queue/i.test(error.message))
    return fail("overloaded", "Too many pages are being read. Try again soon.", { retry_after: 2 }, error);
  return error;
}
