import { periodic } from "../../../mixins/async/periodic.ts";
import { settledWithin } from "../../../mixins/async/timeout.ts";
import { Later } from "../../../mixins/queue/queue.ts";
import type { ScraperContext } from "../context.ts";
import {
  keepNodeAlive,
  pruneScrapes,
  reconcileOverdueScrapes,
  requeueScrapesOfDeadNodes,
} from "./maintenance.ts";
import { handedOver, type Run } from "./runs.ts";
import { failStalledScrape, nextPriority, queueScrape, runQueuedScrape } from "./scrape-async.ts";

const reconcileEveryMs = 10_000;
const pruneEveryMs = 10 * 60_000;
/** For running scrapes when the service stops. Unfinished ones start over on another node where possible. */
const graceMs = 5000;

/** Runs the queued scrapes and the maintenance of this node. */
export interface ScrapeWorker {
  /** Takes no more jobs and hands running ones over where it can; resolves when none is running. */
  drain(): Promise<void>;
  /** Stops all scrapes of this process. */
  stop(): Promise<void>;
}

export async function startScrapeWorker(context: ScraperContext, concurrency: number): Promise<ScrapeWorker> {
  const dying = new AbortController();
  await keepNodeAlive(context, dying.signal);
  await requeueScrapesOfDeadNodes(context);
  const worker = context.queue.work(
    { concurrency, onStalled: (job, tools) => failStalledScrape(context, job, tools) },
    (job, tools) =>
      runQueuedScrape(context, job, tools).catch(error => {
        if (!tools.signal.aborted && !(error instanceof Later)) context.onError("scrape_run.failed", error);
        throw error;
      }),
  );
  const reconcile = async () => {
    await reconcileOverdueScrapes(context);
    await requeueScrapesOfDeadNodes(context);
  };
  const onError = (error: unknown) => context.onError("scrape_maintenance.failed", error);
  const reconciling = periodic(reconcile, { everyMs: reconcileEveryMs, onError, startsAtOnce: true });
  const pruning = periodic(() => prune(context), {
    everyMs: pruneEveryMs,
    onError,
    startsAtOnce: true,
  });
  return {
    drain: async () => {
      await Promise.all([worker.close(graceMs), handBackScrapes(context, graceMs)]);
    },
    stop: async () => {
      context.runs.handOverAll();
      await Promise.all([worker.close(graceMs), reconciling.stop(), pruning.stop()]);
      dying.abort();
    },
  };
}

async function prune(context: ScraperContext): Promise<void> {
  await pruneScrapes(context);
  await context.tools.sessions?.prune();
}

/**
 * Hands over the synchronous scrapes that have not ended within the grace time and that another node has time to
 * repeat: their callers repeat the call. The others may end here, or write their record after their timeout.
 */
export async function handBackScrapes(context: ScraperContext, graceMs: number): Promise<void> {
  if (!context.hasOtherNodes()) return;
  const runs = context.runs.all().filter(({ restartBy }) => restartBy !== undefined);
  await settledWithin(
    graceMs,
    runs.map(({ outcome }) => outcome),
  );
  for (const run of runs.filter(run => fitsElsewhere(context, run))) {
    // The repeated request has the same key and waits for the queued run.
    if (run.recorded) await queueScrape(context, { _id: run.id }, await nextPriority(context, run.keyId));
    run.stop(handedOver);
  }
}

function fitsElsewhere({ runs, now }: ScraperContext, { id, isAnswered, restartBy = 0 }: Run): boolean {
  return runs.get(id) !== undefined && !isAnswered && now() < restartBy;
}
