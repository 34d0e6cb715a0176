import { FairSemaphore } from "../../mixins/async/fair-semaphore.ts";
import { Pacer } from "../../mixins/async/pacer.ts";
import { WakeSignal } from "../../mixins/async/wake-signal.ts";
import type { Counts } from "../../mixins/frontier/frontier.ts";
import type { JobTools } from "../../mixins/queue/queue.ts";
import type { CrawlerContext } from "./context.ts";
import type { SecretOptions, StoredCrawl } from "./crawls.store.ts";
import { type CrawlRules, rulesOf } from "./pages/crawl-rules.ts";
import { OfferedPages } from "./pages/known-links.ts";
import { LimitedHosts } from "./pages/limited-hosts.ts";
import type { PageReader } from "./pages/read-page.ts";
import { WaitingDuplicates } from "./pages/waiting-duplicates.ts";
import { fetcherFor, type Get, RobotsCache } from "./robots/robots-cache.ts";

/** A crawl while this process runs it: what its pages are read with, and the state of the loop. */
export interface CrawlRun extends PageReader {
  /** The frontier refuses the steps of a run with a lower fence. */
  fence: number;
  tools: JobTools;
  /** Fetches robots.txt and sitemaps. */
  get: Get;
  /** Undefined until the entry page is known. */
  rules: CrawlRules | undefined;
  /** Pages that the frontier has. */
  offered: OfferedPages;

  /** Page counts after the last step. */
  counts: Counts;
  /** When progress was last sent to the queue, in milliseconds since the epoch. */
  progressSentAt: number;
  /** An earlier run has left pages. */
  isResumed: boolean;
  /** Pages that the last run was reading; one of them may have crashed its process. They come first. */
  leftovers: number;
  /** Reading the sitemaps has begun. */
  isSeeded: boolean;
  /** It is under way. */
  isSeeding: boolean;
  /** Pages that have ended are being announced to the crawl's webhook. */
  isAnnouncing: boolean;
  duplicates: WaitingDuplicates;

  /** Pages of this crawl that are read at a time, at most. */
  concurrency: number;
  /** Bounds the pages of this crawl that are read at a time. */
  pageSlots: FairSemaphore;
  underWay: Set<Promise<void>>;
  /** Ends the loop's wait: a task has ended, or pages were added. */
  wakeSignal: WakeSignal;
  /** Aborts the tasks under way. */
  abort: AbortController;
}

export function openRun(
  context: CrawlerContext,
  crawl: StoredCrawl,
  options: SecretOptions,
  tools: JobTools,
  counts: Counts,
): CrawlRun {
  const abort = new AbortController();
  const signal = AbortSignal.any([tools.signal, abort.signal]);
  const stopSignal = AbortSignal.any([signal, context.closing]);
  const { keyId, request } = crawl;
  const { skip_tls_verification: skipTlsVerification } = request.request;
  // Checks certificates as for the crawl's pages.
  const limits = new LimitedHosts(context.now);
  const get = fetcherFor(context, { keyId, skipTlsVerification, limits }, stopSignal);
  const { fence } = tools;
  const { max_per_second: perSecond } = request.crawler;
  const concurrency = Math.min(context.concurrency, request.crawler.concurrency ?? context.concurrency);
  return {
    ...{ context, crawl, options, tools, fence, get, limits, counts, abort, signal, stopSignal },
    robots: new RobotsCache(get, stopSignal),
    pacer: perSecond === undefined ? undefined : new Pacer(1000 / perSecond),
    confirmOwnership: async () => {
      await context.frontier.offer(crawl._id, fence, []);
    },
    rules: crawl.entry && rulesOf(crawl, crawl.entry.url, context),
    offered: new OfferedPages(),
    progressSentAt: 0,
    isResumed: counts.discovered > 0,
    leftovers: 0,
    isSeeded: crawl.sitemapsRead === true || !crawl.request.crawler.sitemaps,
    isSeeding: false,
    isAnnouncing: false,
    duplicates: new WaitingDuplicates(),
    concurrency,
    pageSlots: new FairSemaphore({ width: tools.isSuspect ? 1 : concurrency }),
    underWay: new Set(),
    wakeSignal: new WakeSignal(),
  };
}

/** Starts a task beside the others. Its error aborts the whole run, unless the service is about to stop. */
export function startTask(run: CrawlRun, work: () => Promise<void>): void {
  const { context, signal, abort, underWay, wakeSignal } = run;
  const task = work()
    .catch(error => {
      if (signal.aborted || !context.closing.aborted) abort.abort(error);
    })
    .finally(() => {
      underWay.delete(task);
      context.underWay.delete(task);
      wakeSignal.notify();
    });
  underWay.add(task);
  context.underWay.add(task);
}
