import type { Context, Service, ServiceSchema } from "moleculer";
import { type Periodic, periodic } from "../../mixins/async/periodic.ts";
import { settledWithin } from "../../mixins/async/timeout.ts";
import { chargeOrRefuse, KeyQuotas, renderedId } from "../../mixins/clients/quotas.ts";
import { keepLoginThrough } from "../../mixins/clients/session-logins.ts";
import { type Config, configFromEnv } from "../../mixins/config/config.ts";
import { hostPolitenessMixin } from "../../mixins/coordination/host-politeness/host-politeness.mixin.ts";
import { leaseMixin } from "../../mixins/coordination/leases/lease.mixin.ts";
import { openUrlFilter } from "../../mixins/crawl/url-filter.ts";
import { egressMixin } from "../../mixins/egress/egress.mixin.ts";
import { frontierMixin } from "../../mixins/frontier/frontier.mixin.ts";
import { type LogEvent, logEvent } from "../../mixins/log/log-events.ts";
import { queueMixin } from "../../mixins/queue/queue.mixin.ts";
import type { Worker } from "../../mixins/queue/queue.ts";
import { digestOf } from "../../mixins/store/idempotency.ts";
import { storeMixin } from "../../mixins/store/store.mixin.ts";
import { traceparentOf } from "../../mixins/tracing/open-span.ts";
import { actions, call } from "../contracts/action.ts";
import * as batches from "../contracts/batch.contract.ts";
import type { Caller, CallMeta } from "../contracts/caller.ts";
import * as contract from "../contracts/crawler.contract.ts";
import * as erasure from "../contracts/erasure.contract.ts";
import { type KeyDeleted, keyDeleted, quotasChanged } from "../contracts/events.ts";
import * as lists from "../contracts/job-lists.contract.ts";
import { mapSite } from "../contracts/map.contract.ts";
import { countCrawls } from "../contracts/overview.contract.ts";
import { crawlPage } from "../contracts/page-reads.contract.ts";
import type { ScrapeRequest } from "../contracts/scraper.contract.ts";
import { operations, service } from "../contracts/service.ts";
import { prepareJobWebhook } from "../contracts/webhook-dispatcher.contract.ts";
import type { Outside } from "./accept-crawl.ts";
import { batchErrors, batchStatus } from "./batch/batch-results.ts";
import { startBatch } from "./batch/start-batch.ts";
import { type CrawlerContext, type CrawlerParts, openContext } from "./context.ts";
import { runCrawl } from "./crawl.ts";
import { type CrawlJob, storeOptions } from "./crawls.store.ts";
import { cancelBatch, cancelCrawl } from "./end-crawl.ts";
import { eraseCrawls, eraseCrawlsOf, expireCrawls } from "./maintenance/expire-crawls.ts";
import { cancelCrawlsOfDeletedKeys, giveUpStalled, reconcileCrawls } from "./maintenance/reconcile-crawls.ts";
import { mapSite as makeMap } from "./map/map-site.ts";
import type { ReadEntryPage } from "./map/map-sources.ts";
import { answerOf, isLimit } from "./pages/limited-hosts.ts";
import { crawlErrors, crawlStatus, listCrawls } from "./results/crawl-results.ts";
import { openSitemapReader } from "./robots/sitemap-reader.ts";
import { startCrawl } from "./start-crawl.ts";

/** Crawls that one process runs at a time. While they wait for their hosts they cost next to nothing. */
const crawlsAtOnce = 100;
const webhookTimeoutMs = 10_000;
/** Beyond the scraper's own time for an entry page. */
const entryMarginMs = 5000;
const reconcileEveryMs = 10_000;
const expireEveryMs = 600_000;
const forgetEveryMs = 60_000;
/** How long a stop waits for pages under way. */
const drainMs = 8000;

interface Added extends CrawlerParts {
  context: CrawlerContext;
  worker?: Worker;
  maintenance: Periodic[];
}

type Crawler = Service & Added;

const { published, internal } = operations(({ context }: Crawler) => context);

/** Crawls sites: decides what to read next and keeps what was read. The scraper reads the pages. */
export function crawlerService(
  config: Pick<Config, "dataDir" | "cluster" | "egressAllow" | "egressDnsServers" | "crawl"> &
    Partial<Pick<Config, "resultRetentionMs">>,
): ServiceSchema {
  return service<Added>({
    name: "crawler",
    mixins: [
      storeMixin(config, storeOptions),
      queueMixin(config),
      frontierMixin(config),
      hostPolitenessMixin(config),
      leaseMixin(config),
      egressMixin(config),
    ],
    actions: actions(
      internal(countCrawls, async ({ crawls }) => ({
        crawls_running: await crawls.count({ status: "crawling" }),
      })),
      published(contract.startCrawl, (context, request, { caller, ctx }) =>
        startCrawl(context, caller, request, outsideOf(ctx)),
      ),
      published(contract.crawlStatus, (context, page, { caller }) => crawlStatus(context, caller, page)),
      published(contract.crawlErrors, (context, page, { caller }) => crawlErrors(context, caller, page)),
      published(contract.cancelCrawl, (context, { crawl_id }, { caller }) =>
        cancelCrawl(context, caller, crawl_id),
      ),
      published(batches.startBatch, (context, request, { caller, ctx }) =>
        startBatch(context, caller, request, outsideOf(ctx)),
      ),
      published(batches.batchStatus, (context, page, { caller }) => batchStatus(context, caller, page)),
      published(batches.batchErrors, (context, page, { caller }) => batchErrors(context, caller, page)),
      published(batches.cancelBatch, (context, { batch_id }, { caller }) =>
        cancelBatch(context, caller, batch_id),
      ),
      internal(erasure.eraseCrawls, eraseCrawls),
      published(mapSite, (context, request, { caller, ctx }) =>
        makeMap(context, caller, request, readEntryPage(context, ctx, caller)),
      ),
      published(lists.cancelAnyCrawl, (context, { crawl_id }) => cancelCrawl(context, null, crawl_id)),
      published(lists.listOwnCrawls, (context, page, { caller }) =>
        listCrawls(context, { ...page, key_id: caller.keyId }),
      ),
      published(lists.listCrawls, listCrawls),
    ),
    methods: {
      /** Called before any service stops: pages under way still need the scraper. */
      drain() {
        return drain(this);
      },
    },
    events: {
      [quotasChanged.name](this: Crawler) {
        this.quotas.forget();
      },
      [keyDeleted.name](this: Crawler, ctx: Context<KeyDeleted>) {
        return eraseCrawlsOf(this.context, ctx.params.keyId);
      },
    },
    created() {
      this.closing = new AbortController();
      this.quotas = KeyQuotas.through(this.broker);
      this.sitemaps = openSitemapReader(crawlsAtOnce);
      this.urlFilter = openUrlFilter();
    },
    async started() {
      this.context = openContext(this, config.crawl, config.resultRetentionMs);
      this.worker = work(this);
      this.maintenance = [
        every(this, reconcileEveryMs, "crawl_repair.failed", reconcileCrawls, { startsAtOnce: true }),
        every(this, expireEveryMs, "crawl_expiry.failed", expireCrawls, { startsAtOnce: true }),
        every(this, forgetEveryMs, "key_cleanup.failed", cancelCrawlsOfDeletedKeys),
      ];
    },
    async stopped() {
      for (const each of this.maintenance ?? []) void each.stop();
      await drain(this);
      await Promise.all([this.sitemaps.close(), this.urlFilter.close()]);
    },
  });
}

function readEntryPage(
  { quotas, onError }: CrawlerContext,
  ctx: Context<unknown, CallMeta>,
  { keyId, owner }: Caller,
): ReadEntryPage {
  const read = (crawlId: string, request: ScrapeRequest, charge?: string) => {
    const order = { crawlId, keyId, owner, entryUrl: request.url, request };
    const how = { follow: true, linkTexts: true, takesSlot: true, ...(charge !== undefined && { charge }) };
    return call(ctx, crawlPage, { ...order, ...how }, { timeout: request.timeout + entryMarginMs });
  };
  return async (crawlId, request) => {
    if (!(await quotas.has(keyId))) return await read(crawlId, request);
    // The id does not change when the gateway repeats the request on another node.
    const id = digestOf([ctx.parentID ?? ctx.id, request.url]);
    ctx.meta.$quotas = await chargeOrRefuse(quotas, keyId, { id, amounts: { pages: 1 } });
    let isRead = false;
    try {
      const page = await read(crawlId, request, id);
      isRead = page.kind === "page" && !isLimit(answerOf(page));
      return page;
    } finally {
      // A charge that is not settled stays open, and counts.
      const settled = quotas.settle(keyId, [id, renderedId(id)], isRead);
      await settled.catch(error => onError("quota_charge.failed", crawlId, error));
    }
  };
}

function outsideOf(ctx: Context<unknown, CallMeta>): Outside {
  return {
    idempotencyKey: ctx.meta.idempotencyKey,
    traceparent: traceparentOf(ctx),
    onQuotas: quotas => {
      ctx.meta.$quotas = quotas;
    },
    prepareWebhook: wanted => call(ctx, prepareJobWebhook, wanted, { timeout: webhookTimeoutMs }),
    keepLogin: keepLoginThrough(ctx),
  };
}

export default (): ServiceSchema => crawlerService(configFromEnv());

function work({ context, queues, logger }: Crawler): Worker {
  const options = {
    concurrency: crawlsAtOnce,
    onStalled: ({ payload }: { payload: CrawlJob }) => giveUpStalled(context, payload.crawlId),
  };
  return queues.queue<CrawlJob>("crawls").work(options, async ({ payload }, tools) => {
    const startedAt = performance.now();
    await runCrawl(context, payload.crawlId, tools);
    const durationMs = Math.round(performance.now() - startedAt);
    logEvent(logger, "crawl_run.ended", { crawl: payload.crawlId, durationMs });
    return null;
  });
}

function every(
  { context, logger, closing }: Crawler,
  everyMs: number,
  event: LogEvent,
  work: (context: CrawlerContext) => Promise<void>,
  options: { startsAtOnce?: boolean } = {},
): Periodic {
  const onError = (error: unknown) => {
    // When the service stops, its store closes under this work. The next start runs it again.
    if (!closing.signal.aborted) logEvent(logger, event, { error });
  };
  return periodic(() => work(context), { everyMs, onError, ...options });
}

async function drain({ context, closing, worker }: Crawler): Promise<void> {
  closing.abort();
  if (!context) return;
  await settledWithin(drainMs, context.underWay);
  await worker?.close(0);
}
