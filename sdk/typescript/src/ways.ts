import type { Client } from "openapi-fetch";
import { dataOf } from "./errors.ts";
import type { Job, JobWay } from "./job.ts";
import type { paths } from "./schema.ts";
import type {
  AcceptedBatch,
  AcceptedCrawl,
  Batch,
  BatchRequest,
  Crawl,
  CrawlError,
  CrawlRequest,
  Page,
} from "./types.ts";

/** A job that reads a site. */
export type CrawlJob = Job<Page, AcceptedCrawl, Crawl, CrawlError>;
/** A job that reads a list of pages. */
export type BatchJob = Job<Page, AcceptedBatch, Batch, CrawlError>;

/** The number of pages in an answer, at most. */
const limit = 100;

/** The requests of crawls. `body` is needed to start one. */
export function crawlWay(raw: Client<paths>, body?: CrawlRequest): JobWay<AcceptedCrawl, Crawl, CrawlError> {
  return {
    async start() {
      const accepted = dataOf(await raw.POST("/web/crawl", { body: given(body) }));
      return { id: accepted.crawl_id, accepted };
    },
    async read(crawl_id, cursor, signal) {
      const params = { path: { crawl_id }, query: { cursor, limit } };
      return dataOf(await raw.GET("/web/crawl/{crawl_id}", { params, signal }));
    },
    async errors(crawl_id, cursor, signal) {
      const params = { path: { crawl_id }, query: { cursor, limit } };
      return dataOf(await raw.GET("/web/crawl/{crawl_id}/errors", { params, signal }));
    },
    async cancel(crawl_id) {
      return dataOf(await raw.DELETE("/web/crawl/{crawl_id}", { params: { path: { crawl_id } } }));
    },
  };
}

/** The requests of batches. `body` is needed to start one. */
export function batchWay(raw: Client<paths>, body?: BatchRequest): JobWay<AcceptedBatch, Batch, CrawlError> {
  return {
    async start() {
      const accepted = dataOf(await raw.POST("/web/batch", { body: given(body) }));
      return { id: accepted.batch_id, accepted };
    },
    async read(batch_id, cursor, signal) {
      const params = { path: { batch_id }, query: { cursor, limit } };
      return dataOf(await raw.GET("/web/batch/{batch_id}", { params, signal }));
    },
    async errors(batch_id, cursor, signal) {
      const params = { path: { batch_id }, query: { cursor, limit } };
      return dataOf(await raw.GET("/web/batch/{batch_id}/errors", { params, signal }));
    },
    async cancel(batch_id) {
      return dataOf(await raw.DELETE("/web/batch/{batch_id}", { params: { path: { batch_id } } }));
    },
  };
}

/** Throws for a job that is resumed: it has no request, and is never started. */
function given<Request>(body: Request | undefined): Request {
  if (body === undefined) throw new TypeError("A job that is resumed has no request to start.");
  return body;
}
