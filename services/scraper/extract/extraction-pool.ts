import { availableParallelism } from "node:os";
import { withAny } from "../../../mixins/async/timeout.ts";
import { openThreads, type Threads } from "../../../mixins/runtime/threads.ts";
import { fail } from "../../contracts/errors.ts";
import type { ExtractionTasks } from "./extract.worker.ts";

/** The caller for whom a page is read. */
export interface Job {
  /** Pages of one group queue for one another: those of a key, or of one tracked host. */
  group: string;
  /** Ends the reading, with its reason. */
  signal: AbortSignal;
  /** Fires when the request was answered; the page is still read for the record. */
  answered?: AbortSignal;
  /** Size of the page, if known. */
  bytes?: number;
}

/** Threads that read pages. */
export interface ExtractionPool extends Pick<Threads<ExtractionTasks>, "prepare" | "ready" | "close"> {
  /**
   * Runs a task in a thread, which is ended when the signal fires. Large pages go to threads of lower priority. A page
   * that takes longer than most, or whose request was answered, loses its thread and is read again from the start in a
   * thread of lower priority. Errors: `upstream_error` for a page that takes more than a minute there, or too much
   * memory; `overloaded`.
   */
  run<Name extends keyof ExtractionTasks & string>(
    task: Name,
    input: Parameters<ExtractionTasks[Name]>[0],
    reader: Job,
  ): Promise<Awaited<ReturnType<ExtractionTasks[Name]>>>;
}

/** There is one thread more than a group may hold, so the pages of another group need not wait. */
const cores = Math.max(2, Math.min(8, availableParallelism()));
/** Most pages take milliseconds, one of 16 MB takes seconds. */
const usualMs = 5000;
const longestMs = 60_000;
/** A page above this size takes as long as hundreds of usual ones. */
const largeBytes = 512 * 1024;

/**
 * `compiledAds`: filter lists, which each new thread opens before its first page. The last thread ends when it has had
 * no page for `idleMs`; with `Infinity` the first starts at once, and one always waits for work. `onBroken` gets the errors
 * of pages that could not be read whose cause may be on our side.
 */
export function createExtractionPool(
  compiledAds: () => Promise<Uint8Array | undefined>,
  idleMs: number,
  onBroken: (error: Error) => void,
  promptMs = usualMs,
): ExtractionPool {
  const warmUp = async () => ({ task: "warmUp", input: { ads: await compiledAds() } });
  const prompt = openThreads<ExtractionTasks>({
    ...common,
    maxThreads: cores + 1,
    maxPerGroup: cores,
    spareMs: idleMs,
    warmUp,
  });
  const background = openThreads<ExtractionTasks>({
    ...common,
    maxThreads: cores,
    maxPerGroup: cores - 1,
    warmUp: async () => ({ task: "giveWay", input: null }),
  });
  return {
    run: (task, input, { group, signal, answered, bytes = 0 }) => {
      const pool = bytes > largeBytes ? background : prompt;
      const readFor = (isWaitedFor: AbortSignal) =>
        pool.run(task, input, { group, signal: isWaitedFor, maxMs: promptMs });
      const first = answered ? withAny([signal, answered], readFor) : readFor(signal);
      return first.catch(error => {
        if (error.cause !== undefined) onBroken(error);
        if (signal.aborted || !(answered?.aborted || isTimeout(error))) throw error;
        return background.run(task, input, { group, signal, maxMs: longestMs }).catch(late => {
          throw signal.aborted || !isTimeout(late) ? late : tooSlow(late);
        });
      });
    },
    prepare: () => prompt.prepare(),
    ready: () => prompt.ready(),
    close: async () => {
      await Promise.all([prompt.close(), background.close()]);
    },
  };
}

const common = {
  program: new URL("./extract.worker.ts", import.meta.url),
  maxWaiting: 256,
  // A page of 10^6 nodes fits.
  memoryMb: 1024,
  messages: {
    tooLarge: "The page is too large to be read.",
    busy: "Too many pages are being read. Try again soon.",
  },
};

function isTimeout(error: unknown): boolean {
  return (Object(error) as { name?: unknown }).name === "TimeoutError";
}

function tooSlow(cause: unknown): Error {
  return fail("upstream_error", "The page takes too long to be read.", {}, cause);
}
