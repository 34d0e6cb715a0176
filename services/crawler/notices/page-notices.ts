import type { Settled } from "../../../mixins/frontier/frontier.ts";
import type { JobNotice } from "../../contracts/webhook-dispatcher.contract.ts";
import { batchOverviewOf } from "../batch/batch-results.ts";
import type { CrawlerContext } from "../context.ts";
import { type CrawlRun, startTask } from "../crawl-run.ts";
import { pageId, type StoredCrawl } from "../crawls.store.ts";
import { failedPage, overviewOf } from "../results/crawl-results.ts";
import { noticeOf, type Webhook } from "./notice.ts";

/** Pages whose notices are written to the disk before their place in the crawl's record is. */
const slice = 20;

/** Announces the pages that have ended, beside the work of the run. What does not succeed is done at the crawl's end. */
export function announceBeside(run: CrawlRun): void {
  if (!wantsPages(run.crawl) || run.isAnnouncing) return;
  run.isAnnouncing = true;
  startTask(run, async () => {
    try {
      await announcePages(run.context, run.crawl);
    } catch (error) {
      run.context.onError("crawl_notice.failed", run.crawl._id, error);
    } finally {
      run.isAnnouncing = false;
    }
  });
}

/**
 * Announces the pages of a crawl that have ended since the last time, in the order in which they ended, if its webhook
 * wants that. A page that is announced again after a crash has the same id.
 */
export async function announcePages(context: CrawlerContext, { _id }: StoredCrawl): Promise<void> {
  const crawl = await context.crawls.findById(_id);
  if (!crawl || !wantsPages(crawl)) return;
  const { webhook } = crawl.request;
  const states = ["completed", "failed"] as Settled["state"][];
  for (let after = crawl.announced ?? 0; ; ) {
    const ended = await context.frontier.settled(_id, { after, limit: slice, states });
    for (const place of ended)
      await context.notify(await pageNotice(context, crawl, webhook, place), crawl.traceparent);
    const last = ended.at(-1);
    if (!last) return;
    after = last.seq;
    await context.crawls.update(_id, { $set: { announced: after } });
  }
}

function wantsPages(crawl: StoredCrawl): crawl is StoredCrawl & { request: { webhook: Webhook } } {
  return crawl.request.webhook?.events.includes("page") === true;
}

async function pageNotice(
  context: CrawlerContext,
  crawl: StoredCrawl,
  webhook: Webhook,
  place: Settled,
): Promise<JobNotice> {
  const record = await context.pages.findById(pageId(crawl._id, place.key));
  const page = record?.data ?? failedPage(place, record ?? {}, crawl);
  return await noticeOf(context, crawl, webhook, {
    event: "page",
    name: `page.${place.seq}`,
    page,
    ...("error" in page && { error: page.error.message }),
    // The form of Firecrawl has the page alone.
    job: webhook.format === "firecrawl" ? {} : { ...(await overviewNow(context, crawl)), page },
    timestamp: record?.writtenAt ?? crawl.startedAt,
  });
}

async function overviewNow({ frontier }: CrawlerContext, crawl: StoredCrawl) {
  const counts = crawl.counts ?? (await frontier.counts(crawl._id));
  return crawl.kind === "batch" ? batchOverviewOf(crawl, counts) : overviewOf(crawl, counts);
}
