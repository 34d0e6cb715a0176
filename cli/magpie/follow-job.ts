import { setTimeout as sleep } from "node:timers/promises";
import type { CrawlProgress, CrawlStatus } from "../../services/contracts/crawler.contract.ts";
import { Progress } from "./screen.ts";
import { ask, type CommandError, exitCodes, type Server } from "./server.ts";

const pollEveryMs = 500;

/** What crawls and batches say of themselves. */
export type JobStatus = Pick<CrawlStatus, "status" | "data" | "next_cursor" | "progress" | "error"> & {
  stop_reason?: string | null;
};

/** Receives the results of a job. */
interface Follower {
  onPage(page: JobStatus["data"][number]): Promise<void> | void;
  onProgress(job: JobStatus): void;
}

/** Reads the pages of a crawl or a batch as they arrive. Resolves with the final status after the last page. */
async function followJob(server: Server, path: string, follower: Follower): Promise<JobStatus> {
  for (let cursor = ""; ; ) {
    const job = await askAgain<JobStatus>(server, `${path}?limit=100${cursor}`);
    for (const page of job.data) await follower.onPage(page);
    follower.onProgress(job);
    if (job.next_cursor === null) return job;
    if (job.data.length === 0) await sleep(pollEveryMs);
    cursor = `&cursor=${job.next_cursor}`;
  }
}

const patienceTries = 60;
const againMs = 1_000;

/** A job survives a restart of the service, so its reader does too. */
async function askAgain<Body>(server: Server, path: string): Promise<Body> {
  for (let tries = 1; ; tries += 1)
    try {
      return await ask<Body>(server, "GET", path);
    } catch (error) {
      const isPassing = (error as CommandError).exitCode === exitCodes.unreachable;
      if (!isPassing || tries === patienceTries) throw error;
      await sleep(againMs);
    }
}

/** Follows a job with a bar. Ctrl-C cancels it, and its pages so far are kept; a second one ends the process. */
export async function watchJob(
  server: Server,
  path: string,
  { limit, onPage }: { limit: number; onPage: Follower["onPage"] },
): Promise<JobStatus> {
  const progress = new Progress();
  const cancel = () => {
    // It may have ended meanwhile: then its status says so.
    ask(server, "DELETE", path).catch(() => undefined);
  };
  process.once("SIGINT", cancel);
  try {
    return await followJob(server, path, {
      onPage,
      onProgress: job => progress.show(describe(job.progress), shareOf(job.progress, limit)),
    });
  } finally {
    process.off("SIGINT", cancel);
    progress.end();
  }
}

/** Of what is found so far, since nobody knows how large a site is. */
export function shareOf({ discovered, completed, failed, skipped }: CrawlProgress, limit: number): number {
  const all = Math.min(discovered, limit + failed + skipped);
  return all === 0 ? 0 : (completed + failed + skipped) / all;
}

export function describe({ discovered, completed, failed, skipped }: CrawlProgress): string {
  return `${discovered} found, ${completed} read, ${failed} failed, ${skipped} skipped`;
}

/** The line that a job ends with. */
export function summary({ status, stop_reason, progress, error }: JobStatus, ms: number): string {
  const reason = error ? `${error.code}: ${error.message}` : stop_reason;
  const why = reason ? ` (${reason})` : "";
  return `${status}${why} after ${(ms / 1000).toFixed(1)} s: ${describe(progress)}.`;
}
