import { availableParallelism } from "node:os";
import { openThreads, type Threads } from "../../../mixins/threads/threads.ts";
import type { ExtractionTasks } from "./extract.worker.ts";

/** Threads that read pages. */
export type ExtractionPool = Threads<ExtractionTasks>;

export function createExtractionPool(): ExtractionPool {
  return openThreads<ExtractionTasks>({
    program: new URL("extract.worker.ts", import.meta.url),
    maxThreads: Math.max(2, Math.min(8, availableParallelism())),
    maxWaiting: 256,
    // A page of 10^6 nodes fits.
    memoryMb: 1024,
    sentences: {
      tooLarge: "The page is too large to be read.",
      busy: "Too many pages are being read. Try again soon.",
    },
  });
}
