import {
  type Batch,
  type BatchJob,
  type Crawl,
  type CrawlJob,
  JobFailedError,
  type Page,
  type ResumeOptions,
} from "../../sdk/typescript/src/index.ts";
import { Progress } from "./screen.ts";

/** The fields of a status that crawls and batches have in common. */
export type JobStatus = Pick<Crawl | Batch, "status" | "progress" | "error"> & {
  stop_reason?: string | null;
};

const pollMs = 500;

export interface Watch {
  /** Continues the job with these options of the client. */
  resume(options: ResumeOptions<JobStatus>): CrawlJob | BatchJob;
  /** The number of pages that the job reads at most. */
  limit: number;
  onPage(page: Page): Promise<void> | void;
}

/**
 * Reads the pages of a job, shows its progress, and resolves to its last status. Ctrl-C cancels the job and keeps the pages
 * that were read; a second Ctrl-C ends the process.
 */
export async function watchJob({ resume, limit, onPage }: Watch): Promise<JobStatus> {
  const progress = new Progress();
  let last: JobStatus | undefined;
  const onState = (state: JobStatus) => {
    last = state;
    progress.show(describe(state.progress), shareOf(state.progress, limit));
  };
  const job = resume({ keep: true, pollMs, onState });
  // The job may have ended meanwhile: then its status says so.
  const cancel = () => void job.cancel().catch(() => undefined);
  process.once("SIGINT", cancel);
  try {
    for await (const page of job) await onPage(page);
  } catch (error) {
    // The summary of the job says why it failed.
    if (!(error instanceof JobFailedError)) throw error;
  } finally {
    process.off("SIGINT", cancel);
    progress.end();
  }
  if (last === undefined) throw new TypeError("A job ends with a status.");
  return last;
}

/** The part of the discovered pages that has ended, from 0 to 1. The size of a site is not known. */
export function shareOf(
  { discovered, completed, failed, skipped }: JobStatus["progress"],
  limit: number,
): number {
  const all = Math.min(discovered, limit + failed + skipped);
  return all === 0 ? 0 : (completed + failed + skipped) / all;
}

function describe({ discovered, completed, failed, skipped }: JobStatus["progress"]): string {
  return `${discovered} found, ${completed} read, ${failed} failed, ${skipped} skipped`;
}

/** Describes how a job ended, in a line. */
export function summary({ status, stop_reason, progress, error }: JobStatus, ms: number): string {
  const reason = error ? `${error.code}: ${error.message}` : stop_reason;
  const why = reason ? ` (${reason})` : "";
  return `${status}${why} after ${(ms / 1000).toFixed(1)} s: ${describe(progress)}.`;
}
