import type { Counts } from "../../../mixins/frontier/frontier.ts";
import type { BatchErrors, BatchStatus } from "../../contracts/batch.contract.ts";
import type { Caller } from "../../contracts/caller.ts";
import type { CrawlStatus } from "../../contracts/crawler.contract.ts";
import { fail } from "../../contracts/errors.ts";
import type { CrawlerContext } from "../context.ts";
import { isBatchId, type StoredCrawl } from "../crawls.store.ts";
import { crawlErrors, crawlStatus, overviewOf } from "../results/crawl-results.ts";

/** Which batch, and which of its pages or errors. */
type OfBatch<Wanted> = Omit<Wanted, "crawl_id"> & { batch_id: string };

/** The status of a batch, and the pages that ended after a cursor. */
export async function batchStatus(
  context: CrawlerContext,
  caller: Caller,
  { batch_id, ...wanted }: OfBatch<Parameters<typeof crawlStatus>[2]>,
): Promise<BatchStatus> {
  return asBatch(await crawlStatus(context, caller, { crawl_id: batchIdIn(batch_id), ...wanted }));
}

/** The pages that failed or were skipped after a cursor. */
export async function batchErrors(
  context: CrawlerContext,
  caller: Caller,
  { batch_id, ...wanted }: OfBatch<Parameters<typeof crawlErrors>[2]>,
): Promise<BatchErrors> {
  const { crawl_id, ...errors } = await crawlErrors(context, caller, {
    crawl_id: batchIdIn(batch_id),
    ...wanted,
  });
  return { batch_id: crawl_id, ...errors };
}

/** The status of a batch without its pages, from its record and the counts of its pages. */
export function batchOverviewOf(
  crawl: StoredCrawl,
  counts: Counts,
): Omit<BatchStatus, "data" | "next_cursor"> {
  return asBatch(overviewOf(crawl, counts));
}

/** The status of a crawl in the words of a batch, which has no entry page and no limit. */
function asBatch<Status extends Omit<CrawlStatus, "data" | "next_cursor">>({
  crawl_id,
  version,
  status,
  url: _url,
  stop_reason,
  ...rest
}: Status) {
  return {
    batch_id: crawl_id,
    version,
    status: status === "crawling" ? ("scraping" as const) : status,
    stop_reason: stop_reason as BatchStatus["stop_reason"],
    ...rest,
  };
}

/** The id of a batch. Throws 404 for any other. */
export function batchIdIn(id: string): string {
  if (!isBatchId(id)) throw fail("not_found", "There is no batch with this id.");
  return id;
}
