import { once } from "node:events";
import type { Claim } from "../../mixins/frontier/frontier.ts";
import { FinalFailure, type JobTools } from "../../mixins/queue/queue.ts";
import { codeOf } from "../contracts/errors.ts";
import { offerUrls } from "./batch/offer-urls.ts";
import { type CrawlerContext, lastFence } from "./context.ts";
import { type CrawlRun, openRun, startTask } from "./crawl-run.ts";
import { boundsOf, unsealPageOptions } from "./crawls.store.ts";
import { endCrawl } from "./end-crawl.ts";
import { sendNotices } from "./notices/notices.ts";
import { announceBeside } from "./notices/page-notices.ts";
import { countLeftover, readPageTracked } from "./pages/crash-tracking.ts";
import { awaitOriginal, endDuplicate, heldDuplicate } from "./pages/end-duplicate.ts";
import { endPage } from "./pages/end-page.ts";
import { failEntry, offerEntry } from "./pages/entry-page.ts";
import { offerFormerPages } from "./pages/former-pages.ts";
import { settlePage } from "./pages/page-charges.ts";
import { tooManyRedirects } from "./pages/page-errors.ts";
import { outcomeOf } from "./pages/page-outcome.ts";
import { offerSitemaps } from "./robots/sitemaps.ts";

const progressEveryMs = 1000;
const longestWaitMs = 10_000;
/** While pages wait that the limit may not allow to start. */
const shortWaitMs = 1000;

/**
 * Runs a crawl to its end, from where its last run left it. All state is on disk: the crawl's record, and its pages in
 * the frontier, which refuses every step of this run once another run has the crawl.
 */
export async function runCrawl(context: CrawlerContext, crawlId: string, tools: JobTools): Promise<null> {
  const crawl = await context.crawls.findById(crawlId);
  if (crawl?.status !== "crawling") return null;
  const fence = crawl.cancelled ? lastFence : tools.fence;
  try {
    const { running } = await context.frontier.counts(crawlId);
    const counts = await context.frontier.open(crawlId, fence, boundsOf(crawl));
    const options = await unsealPageOptions(context.vault, crawl);
    const run = openRun(context, crawl, options, tools, counts);
    run.leftovers = running;
    if (!crawl.cancelled && !crawl.failing && !crawl.overQuota) await runToEnd(run);
    await endCrawl(context, run.crawl, fence);
  } catch (error) {
    if (context.closing.aborted) await aborted(tools.signal);
    tools.signal.throwIfAborted();
    // Another run has the crawl, or it has ended.
    if (codeOf(error) !== "conflict") throw await retryOrGiveUp(context, crawlId, error);
  }
  return null;
}

/** Works until no page is left to take. The first error aborts all tasks under way. */
async function runToEnd(run: CrawlRun): Promise<void> {
  const { context, fence, stopSignal, wakeSignal, underWay } = run;
  const isBatch = run.crawl.kind === "batch";
  const wake = () => wakeSignal.notify();
  stopSignal.addEventListener("abort", wake);
  try {
    await sendNotices(context, run.crawl);
    if (isBatch) await offerUrls(context, run.crawl, fence);
    else if (!run.crawl.entry) await offerEntry(run);
    await takePages(run);
    if (await offerFormerPages(run)) await takePages(run);
    const { entry, failing, overQuota } = run.crawl;
    if (!isBatch && !entry && !failing && !overQuota) await failEntry(run, tooManyRedirects);
    // A sitemap may still be under way when the limit is reached.
    run.abort.abort();
  } finally {
    stopSignal.removeEventListener("abort", wake);
    await Promise.allSettled(underWay);
  }
}

async function takePages(run: CrawlRun): Promise<void> {
  const { context, crawl, fence, stopSignal, wakeSignal, underWay } = run;
  for (;;) {
    stopSignal.throwIfAborted();
    if (run.crawl.entry && !run.isSeeded) startTask(run, () => offerSitemaps(run));
    const free = run.concurrency - underWay.size;
    // Takes up to twice as many as may be read at a time, so that one step takes several.
    const count = free < 0 || run.crawl.overQuota ? 0 : free + run.concurrency;
    const claims = count > 0 ? await context.frontier.take(crawl._id, fence, count, context.now()) : [];
    for (const claim of claims) startTask(run, () => takePage(run, claim));
    const sleepMs = await nextWaitMs(run);
    if (sleepMs !== null) await wakeSignal.wait(sleepMs);
    else if (!(await completeOneDuplicate(run))) return;
  }
}

async function takePage(run: CrawlRun, claim: Claim): Promise<void> {
  const { pageSlots, stopSignal, context, tools } = run;
  const duplicate = run.isResumed ? await heldDuplicate(run, claim) : null;
  if (duplicate) {
    countLeftover(run);
    return await awaitOriginal(run, duplicate);
  }
  const reading = await pageSlots.run("", stopSignal, () => readPageTracked(run, claim));
  await endPage(run, claim, await outcomeOf(run, claim, reading));
  announceBeside(run);
  await settlePage(run, claim, reading.kind === "page");
  countLeftover(run);
  // Until these are done, the crawl may crash this process like the one before.
  if (run.leftovers > 0 || context.now() - run.progressSentAt < progressEveryMs) return;
  run.progressSentAt = context.now();
  await tools.progress(run.counts);
}

/** When no page can start any more, keeps one duplicate whose original is missing; false when there is none. */
async function completeOneDuplicate(run: CrawlRun): Promise<boolean> {
  const duplicate = run.duplicates.releaseOne();
  if (duplicate) await endDuplicate(run, duplicate, false);
  return duplicate !== undefined;
}

/** How long to wait for pages to start; null when only duplicates are left, and sitemaps whose pages are beyond the limit. */
async function nextWaitMs({
  context,
  concurrency,
  crawl,
  counts,
  duplicates,
  isSeeding,
  underWay,
}: CrawlRun): Promise<number | null> {
  const isFull = counts.completed + counts.failed + duplicates.size >= crawl.request.crawler.limit;
  const isOver = isFull || crawl.overQuota === true;
  const needless = isOver && isSeeding ? 1 : 0;
  if (underWay.size >= concurrency && underWay.size > needless) return longestWaitMs;
  const dueAt = isOver ? null : await context.frontier.nextDue(crawl._id);
  if (underWay.size === needless && dueAt === null) return null;
  if (dueAt === null || underWay.size >= concurrency) return longestWaitMs;
  const sleepMs = Math.min(Math.max(dueAt - context.now(), 0), longestWaitMs);
  return underWay.size > 0 ? Math.max(sleepMs, shortWaitMs) : sleepMs;
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}

/** Errors on our side after which a crawl fails. */
const maxErrors = 4;

/**
 * The error that a run of the queue ends with: the given one, for another run, or a final one. While a server is away,
 * the queue retries without end; any other error on our side would come again.
 */
export async function retryOrGiveUp(
  { crawls }: Pick<CrawlerContext, "crawls">,
  crawlId: string,
  error: unknown,
): Promise<unknown> {
  if (codeOf(error) === "overloaded") return error;
  const { faults = 0 } = (await crawls.update(crawlId, { $inc: { faults: 1 } })) ?? {};
  if (faults <= maxErrors) return error;
  return new FinalFailure("internal_error", "The crawl failed again and again.", { cause: error });
}
