import type { Action } from "../../contracts/action.ts";
import { batchErrors, batchStatus, cancelBatch } from "../../contracts/batch.contract.ts";
import {
  type CrawlError,
  type CrawlStatus,
  cancelCrawl,
  crawlErrors,
  crawlStatus,
} from "../../contracts/crawler.contract.ts";
import type { Rule } from "../../contracts/schema.ts";
import { type Document, documentOf, type PageData } from "../../domain/firecrawl/document.ts";
import { type Asked, answerWith, ask, picturesOf } from "./ask.ts";
import type { Version } from "./options.ts";

/** Pages in an answer; clients follow `next` for the rest. */
export const pagesAtATime = 100;
/** Entries of a list of errors, at most: clients cannot ask for more of them. */
const maxErrors = 10_000;

/** What the states of crawls and batches have in common. */
type JobStatus = Omit<CrawlStatus, "crawl_id" | "status" | "url" | "stop_reason"> & { status: string };
type JobErrors = { data: CrawlError[]; next_cursor: string | null };

/** A crawl or a batch: the operations are the same, and so are their answers. */
export interface JobKind {
  path: string;
  status: Action<unknown, JobStatus>;
  errors: Action<unknown, JobErrors>;
  cancel: Action<unknown, unknown>;
  /** The parameter that takes its id. */
  idOf(id: string): object;
}

export const crawls: JobKind = {
  path: "crawl",
  status: crawlStatus,
  errors: crawlErrors,
  cancel: cancelCrawl,
  idOf: id => ({ crawl_id: id }),
};

export const batches: JobKind = {
  path: "batch/scrape",
  status: batchStatus,
  errors: batchErrors,
  cancel: cancelBatch,
  idOf: id => ({ batch_id: id }),
};

const id = { type: "string", min: 1, max: 64 } as const satisfies Rule;
const place = {
  type: "number",
  integer: true,
  min: 0,
  max: 1_000_000_000,
  optional: true,
  convert: true,
} as const;
const few = { ...place, min: 1, max: pagesAtATime };

interface PageOfJob {
  id: string;
  skip?: number;
  limit?: number;
}

/** `GET /crawl/{id}`: the state, and the pages that have ended. */
export const statusOf = (kind: JobKind, version: Version) =>
  answerWith<PageOfJob>(
    { id, skip: place, limit: few },
    async (asked, { id, skip, limit = pagesAtATime }) => {
      const cursor = skip === undefined ? {} : { cursor: String(skip) };
      const job = await ask(asked, kind.status, { ...kind.idOf(id), ...cursor, limit });
      const pages = job.data as PageData[];
      const pictures = await picturesOf(asked, pages);
      const self = `${asked.origin}/${version}/${kind.path}/${encodeURIComponent(id)}`;
      return {
        ...stateOf(job, asked),
        ...nextOf(job, self, limit),
        data: documentsOf(pages, pictures),
      };
    },
  );

export function documentsOf(pages: PageData[], pictures: ReadonlyMap<string, string>): Document[] {
  return pages.map(page => documentOf(page, { pictures }));
}

/** The state of a job without its pages. What was skipped, as by robots.txt, is not among the pages that clients count. */
export function stateOf(
  { status, progress, started_at, expires_at, error }: Omit<JobStatus, "data" | "next_cursor">,
  asked: Retention,
) {
  const { queued, running, completed, failed } = progress;
  return {
    success: true,
    status: stateNames[status] ?? status,
    total: queued + running + completed + failed,
    completed,
    creditsUsed: completed,
    expiresAt: expires_at ?? keptUntil(asked, started_at),
    ...(error && { error: error.message }),
  };
}

type Retention = { context: Pick<Asked["context"], "resultRetentionMs"> };

/** When results go at the earliest: they are kept after the end, so at least as long after the start. */
export function keptUntil({ context }: Retention, since: string): string {
  return new Date(Date.parse(since) + context.resultRetentionMs).toISOString();
}

const stateNames: Record<string, string> = { crawling: "scraping" };

/**
 * Where the list of pages continues. While a job runs its list never ends here, but clients follow `next` until it is absent, within
 * one read of the state: it is absent where no page has ended since.
 */
export function nextOf(
  { next_cursor, data }: Pick<JobStatus, "next_cursor" | "data">,
  self: string,
  limit: number,
) {
  if (next_cursor === null || data.length === 0) return {};
  const query = new URLSearchParams({
    skip: next_cursor,
    ...(limit < pagesAtATime && { limit: String(limit) }),
  });
  return { next: `${self}?${query}` };
}

/** Answers `GET /crawl/{id}/errors`. */
export const errorsOf = (kind: JobKind) =>
  answerWith<{ id: string }>({ id }, async (asked, { id }) => {
    const listed = await allErrors(asked, kind, id);
    return errorListOf(listed);
  });

async function allErrors(asked: Asked, kind: JobKind, id: string): Promise<CrawlError[]> {
  const found: CrawlError[] = [];
  for (let cursor: string | null = "0"; cursor !== null && found.length < maxErrors; ) {
    const page: JobErrors = await ask(asked, kind.errors, {
      ...kind.idOf(id),
      limit: 100,
      ...(cursor !== "0" && { cursor }),
    });
    found.push(...page.data);
    // While a job runs, the list grows when more pages fail.
    cursor = page.data.length > 0 ? page.next_cursor : null;
  }
  return found;
}

/** Failed pages, and apart from them what robots.txt forbids. What was skipped otherwise is no error there. */
export function errorListOf(listed: CrawlError[]) {
  return {
    success: true,
    errors: listed
      .filter(({ status }) => status === "failed")
      .map(({ url, code, message }) => ({ id: url, url, code: code.toUpperCase(), error: message })),
    robotsBlocked: listed.filter(({ code }) => code === "robots").map(({ url }) => url),
  };
}

/** Answers `DELETE /crawl/{id}`. */
export const cancelOf = (kind: JobKind) =>
  answerWith<{ id: string }>({ id }, async (asked, { id }) => {
    await ask(asked, kind.cancel, kind.idOf(id));
    return { success: true, status: "cancelled" };
  });
