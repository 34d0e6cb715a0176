import { handBack } from "./hand-back.ts";
import { live } from "./living.ts";
import { mendScrapes, requeueHeld } from "./mend-scrapes.ts";
import { pruneScrapes } from "./prune-scrapes.ts";
import type { JobsRoom } from "./room.ts";
import { giveUpScrape, workScrape } from "./work-scrape.ts";

const mendEveryMs = 10_000;
const pruneEveryMs = 10 * 60_000;
/** For what is at work when the room stops; what is not done by then, and can, begins anew elsewhere. */
const graceMs = 5000;

/** Works the queue, and sees to what lies about. */
export interface JobsKeeper {
  /** Takes no more jobs, and hands back what it can; resolves when no job is at work. */
  drain(): Promise<void>;
  /** Ends all work of this process on scrapes. */
  stop(): Promise<void>;
}

export async function keepJobs(jobs: JobsRoom, concurrency: number): Promise<JobsKeeper> {
  const dying = new AbortController();
  await live(jobs, dying.signal);
  await requeueHeld(jobs);
  const worker = jobs.queue.work(
    { concurrency, onStalled: (job, tools) => giveUpScrape(jobs, job, tools) },
    (job, tools) =>
      workScrape(jobs, job, tools).catch(error => {
        if (!tools.signal.aborted) jobs.onError("scrape.hindered", error);
        throw error;
      }),
  );
  const mend = async () => {
    await mendScrapes(jobs);
    await requeueHeld(jobs);
  };
  const stopMending = every(mendEveryMs, mend, jobs.onError);
  const stopPruning = every(pruneEveryMs, () => pruneScrapes(jobs), jobs.onError);
  return {
    drain: async () => {
      await Promise.all([worker.close(graceMs), handBack(jobs, graceMs)]);
    },
    stop: async () => {
      jobs.runs.handOver();
      await Promise.all([worker.close(graceMs), stopMending(), stopPruning()]);
      dying.abort();
    },
  };
}

/** Does the work now and again, never twice at a time; gives the function that ends it, and waits for what is under way. */
function every(ms: number, work: () => Promise<void>, onError: JobsRoom["onError"]): () => Promise<void> {
  let round: Promise<void> | undefined;
  const begin = () => {
    round ??= work()
      .catch(error => onError("scrape.not_kept", error))
      .finally(() => {
        round = undefined;
      });
  };
  begin();
  const timer = setInterval(begin, ms);
  return async () => {
    clearInterval(timer);
    await round;
  };
}
