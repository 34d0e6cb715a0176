import { Readable } from "node:stream";
import type { Context, Service, ServiceSchema } from "moleculer";
import { browserMixin, type WithBrowser } from "../../mixins/browser/browser.mixin.ts";
import { waitingPool } from "../../mixins/browser/browser-pool.ts";
import { browserHint } from "../../mixins/browser/find-browser.ts";
import { prepareAction } from "../../mixins/bus/lazy-validator.ts";
import { jobVaultThrough } from "../../mixins/clients/job-vault.ts";
import { KeyQuotas } from "../../mixins/clients/quotas.ts";
import { type Config, configFromEnv } from "../../mixins/config/config.ts";
import { leaseMixin, type WithLeases } from "../../mixins/coordination/leases/lease.mixin.ts";
import { limiterMixin, type WithLimiter } from "../../mixins/coordination/limiter/limiter.mixin.ts";
import { slots } from "../../mixins/coordination/limiter/memory.limiter.ts";
import { egressMixin, type WithEgress } from "../../mixins/egress/egress.mixin.ts";
import { historyMixin, type WithHistory } from "../../mixins/history/history.mixin.ts";
import { logEvent } from "../../mixins/log/log-events.ts";
import { openOcr } from "../../mixins/ocr/tesseract.ts";
import { queueMixin, type WithQueues } from "../../mixins/queue/queue.mixin.ts";
import { hasAmpleMemory } from "../../mixins/runtime/ample-memory.ts";
import { healthMixin } from "../../mixins/runtime/health.ts";
import { addGauge } from "../../mixins/runtime/metrics.ts";
import { blobsMixin, type WithBlobs } from "../../mixins/store/blobs/blobs.mixin.ts";
import { storeMixin, type WithStore } from "../../mixins/store/store.mixin.ts";
import { openSpan, traceparentOf } from "../../mixins/tracing/open-span.ts";
import { actions, call } from "../contracts/action.ts";
import { type CallMeta, callerOf } from "../contracts/caller.ts";
import * as erasure from "../contracts/erasure.contract.ts";
import { fail } from "../contracts/errors.ts";
import {
  type KeyDeleted,
  keyDeleted,
  quotasChanged,
  type ScrapeCancelled,
  scrapeCancelled,
} from "../contracts/events.ts";
import type { Finding } from "../contracts/health.contract.ts";
import * as lists from "../contracts/job-lists.contract.ts";
import { judgeChanges } from "../contracts/judge.contract.ts";
import { countScrapes } from "../contracts/overview.contract.ts";
import type { JobWebhook } from "../contracts/page-options.ts";
import {
  crawlPage,
  forgetPictures,
  forgetScreenshots,
  formerPages,
  pictureChange,
  picturePage,
  pollPage,
  revisitPage,
} from "../contracts/page-reads.contract.ts";
import { parseDocument } from "../contracts/parse.contract.ts";
import { cancelScrape, scrape, scrapeStatus, screenshot } from "../contracts/scraper.contract.ts";
import { searchWeb } from "../contracts/search.contract.ts";
import { operations, service } from "../contracts/service.ts";
import { eraseSession, getSession, keepLogin, listSessions } from "../contracts/site-sessions.contract.ts";
import { isTracking } from "../contracts/source-lists.contract.ts";
import { announceJob, prepareJobWebhook } from "../contracts/webhook-dispatcher.contract.ts";
import type { QuotaUse } from "../domain/quota/quotas.ts";
import { forgetChanges, formerPages as listFormerPages } from "./changes/former-pages.ts";
import { openContext, type PageTools, type ScraperContext } from "./context.ts";
import { crawlPage as crawlPageNow, rejectOnCrash } from "./crawl-page.ts";
import { createExtractionPool, type ExtractionPool } from "./extract/extraction-pool.ts";
import { recipeBook, type StoredRecipe } from "./extract/recipes.store.ts";
import { ProxyPool } from "./fetch/proxy-pool.ts";
import { searchWeb as search } from "./fetch/search-web.ts";
import { cancelScrape as cancel, stopCancelledRun } from "./jobs/end-scrape.ts";
import { eraseScrapes, eraseScrapesOf } from "./jobs/erase-scrapes.ts";
import { Runs } from "./jobs/runs.ts";
import { listScrapes, scrapeStatus as statusOf } from "./jobs/scrape-status.ts";
import { type ScrapeWorker, startScrapeWorker } from "./jobs/scrape-worker.ts";
import { takeSlot } from "./jobs/slots.ts";
import { Judge } from "./judge/judge.ts";
import { judgePorts } from "./judge/judge-ports.ts";
import { countScrapes as countEndedScrapes, countProxied, scraperGauges } from "./metrics.ts";
import { createLanguageModel } from "./model/language-model.ts";
import { modelReports } from "./model/model-reports.ts";
import { parseDocument as parseSent } from "./parse-document.ts";
import {
  forgetPictures as forgetKept,
  openPicture,
  pictureChange as takePictures,
} from "./picture-change.ts";
import { picturePage as pictureForPointing } from "./picture-page.ts";
import { pollPage as pollPageNow, revisitPage as revisitPageNow } from "./poll-page.ts";
import { type AdFilterLists, adFilterLists } from "./render/ad-filters.ts";
import { keepSession, submitScrape } from "./scrape.ts";
import { scrapePage } from "./scrape-page.ts";
import { jobCollections } from "./scrapes.store.ts";
import { SiteSessions, sessionsCollection } from "./sessions/sessions.store.ts";
import { SiteStatements } from "./site-statements.ts";
import { warmBrowser, warmReading } from "./warm-up.ts";

interface Added
  extends WithEgress,
    WithBrowser,
    WithBlobs,
    WithHistory,
    WithStore<StoredRecipe>,
    WithQueues,
    WithLeases,
    WithLimiter {
  extraction: ExtractionPool;
  ads: AdFilterLists;
  tools: PageTools & { sessions: SiteSessions };
  crawlTools: PageTools;
  context: ScraperContext;
  quotas: KeyQuotas;
  worker?: ScrapeWorker;
  judge: Judge;
  withdrawGauges: (() => void)[];
  /** Resolves once the browser has shown a first page, where it stays when idle. */
  warming?: Promise<void>;
  /** Resolves once a built-in page was fetched, and a thread that reads pages was started. */
  reading?: Promise<void>;
  closing: AbortController;
}

type Scraper = Service & Added;

const { published, internal } = operations((scraper: Scraper) => scraper);

/**
 * Queue workers beyond the pages of the browser. Most scrapes need no browser page, so a few more keep the plain fetch
 * busy while others render. More would wait for browser pages and push synchronous scrapes out.
 */
const extraWorkers = 4;
/** Workers that one key alone cannot occupy. */
const workersForOthers = 2;
const announceTimeoutMs = 10_000;
/** Where a thread and a browser without a page end sooner than this, none starts before the first page. */
const worthStartingMs = 60_000;

/** Reads web pages: plain fetch, browser, extraction, screenshots. */
export function scraperService(config: Config): ServiceSchema {
  return service<Added>({
    name: "scraper",
    mixins: [
      storeMixin(config, { collection: "recipes", extraCollections: jobCollections }),
      queueMixin(config),
      leaseMixin(config),
      limiterMixin(config),
      blobsMixin(config),
      historyMixin(config),
      egressMixin(config),
      browserMixin(config),
      healthMixin("scraper", (scraper: Scraper) => findings(scraper)),
    ],
    actions: actions(
      published(scrape, async ({ context }, request, { caller, ctx }) => {
        const { idempotencyKey: key } = ctx.meta;
        const prepareWebhook = ({ url, headers }: JobWebhook) =>
          call(ctx, prepareJobWebhook, { keyId: caller.keyId, url, ...(headers && { headers }) });
        const requestId = ctx.parentID ?? ctx.id;
        const traceparent = traceparentOf(ctx);
        const onCharged = (quotas: QuotaUse[]) => {
          ctx.meta.$quotas = quotas;
        };
        const submission = {
          ...{ caller, key, requestId, prepareWebhook, traceparent, onCharged },
          ...callerWaitsUntil(ctx),
        };
        const job = await submitScrape(context, request, submission);
        if (request.mode === "async") ctx.meta.$statusCode = 202;
        return job;
      }),
      published(parseDocument, ({ context, tools }, request, { caller, ctx }) => {
        const onCharged = (quotas: QuotaUse[]) => {
          ctx.meta.$quotas = quotas;
        };
        const body = ctx.stream instanceof Readable ? ctx.stream : undefined;
        return parseSent(context, tools, request, {
          ...{ caller, requestId: ctx.parentID ?? ctx.id, onCharged, body },
        });
      }),
      published(scrapeStatus, ({ context }, { scrape_id }, { caller }) =>
        statusOf(context, caller.owner, scrape_id),
      ),
      published(cancelScrape, ({ context }, { scrape_id }, { caller }) =>
        cancel(context, caller.owner, scrape_id),
      ),
      published(lists.cancelAnyScrape, ({ context }, { scrape_id }) => cancel(context, null, scrape_id)),
      published(lists.listOwnScrapes, ({ context }, page, { caller }) =>
        listScrapes(context, { ...page, key_id: caller.keyId }),
      ),
      published(listSessions, ({ tools: { sessions } }, page, { caller }) =>
        sessions.list({ ...page, keyId: caller.keyId }),
      ),
      published(getSession, async ({ tools: { sessions } }, { id }, { caller }) => ({
        data: await sessions.get(caller.keyId, id),
        message: "Session found.",
      })),
      published(eraseSession, async ({ tools: { sessions } }, { id }, { caller }) => {
        await sessions.erase(caller.keyId, id);
        return { data: { id }, message: "Session erased." };
      }),
      internal(keepLogin, async ({ tools }, wanted) => {
        await keepSession(tools, wanted);
        return null;
      }),
      published(lists.listScrapes, ({ context }, page) => listScrapes(context, page)),
      internal(countScrapes, async ({ context }) => ({
        scrapes_waiting: (await context.queue.counts()).waiting,
      })),
      internal(
        crawlPage,
        async ({ broker, context, crawlTools, quotas }, { takesSlot, ...page }, { ctx }) => {
          const release = takesSlot ? await takeSlot(context, callerOf(ctx), ctx.id) : undefined;
          const read = () => crawlPageNow(page, crawlTools, quotas).finally(release);
          // A crawler in this process counts crashes itself.
          return ctx.nodeID === broker.nodeID ? await read() : await rejectOnCrash(read);
        },
      ),
      internal(formerPages, ({ history }, crawl) => listFormerPages(history, crawl)),
      internal(erasure.eraseScrapes, ({ context, history }, of) => eraseScrapes(context, history, of)),
      internal(forgetScreenshots, async ({ blobs }, { crawlId }) => {
        await blobs.dropGroup(crawlId);
        return null;
      }),
      internal(pollPage, async ({ context, tools }, { takesSlot, ...page }, { ctx }) => {
        const release = takesSlot ? await takeSlot(context, callerOf(ctx), ctx.id) : undefined;
        try {
          return await pollPageNow(page, tools);
        } finally {
          release?.();
        }
      }),
      internal(revisitPage, ({ tools }, page) => revisitPageNow(page, tools)),
      internal(pictureChange, ({ tools }, picture) => takePictures(picture, tools)),
      internal(picturePage, async ({ context, tools }, wanted, { ctx }) => {
        const release = await takeSlot(context, callerOf(ctx), ctx.id);
        return await pictureForPointing(wanted, tools).finally(release);
      }),
      internal(forgetPictures, async ({ tools }, { watchId }) => {
        await forgetKept(watchId, tools);
        return null;
      }),
      internal(judgeChanges, ({ judge, closing }, asked) => judge.opinions(asked, closing.signal)),
      internal(searchWeb, (_work, request) => search(config.searxngUrl, request)),
      published(screenshot, async ({ tools }, { key }, { ctx }) => {
        const { meta } = ctx;
        const { owner = "", keyId = "" } = meta.caller ?? {};
        const isOfKey = async (sourceId: string) =>
          (await call(ctx, isTracking, { keyId, sourceId })).tracked;
        const blob = await openPicture(key, { owner, isTracking: isOfKey }, tools);
        if (blob === null)
          throw fail("not_found", "There is no screenshot with this key, or it has expired.");
        meta.$responseType = blob.contentType;
        return blob.body;
      }),
    ),
    events: {
      [quotasChanged.name](this: Scraper) {
        this.quotas.forget();
      },
      async [keyDeleted.name](this: Scraper, ctx: Context<KeyDeleted>) {
        if (this.context) await eraseScrapesOf(this.context, ctx.params.keyId);
        await forgetChanges(this.history, ctx.params.keyId);
      },
      [scrapeCancelled.name](this: Scraper, ctx: Context<ScrapeCancelled>) {
        if (this.context) stopCancelledRun(this.context, ctx.params.id);
      },
      // Not before: a start waits for nothing that only a page needs.
      "$broker.started"(this: Scraper) {
        prepareAction(this.broker, scrape.name);
        if (config.scraperIdleMs < worthStartingMs) return;
        this.reading = warmReading(this.tools, this.closing.signal).catch(error =>
          logEvent(this.logger, "reader_warmup.failed", { error }),
        );
        this.warming = this.reading.then(() => showFirstPage(this, config));
      },
    },
    created() {
      this.closing = new AbortController();
      this.quotas = KeyQuotas.through(this.broker);
      this.withdrawGauges = [];
    },
    async started() {
      this.ads = adFilterLists(config.scraperIdleMs, this.closing.signal, error =>
        logEvent(this.logger, "ad_filters.failed", { error: String(error) }),
      );
      const compiledAds = async () => (await this.ads.blocking()).compiled;
      this.extraction = createExtractionPool(compiledAds, config.scraperIdleMs, error =>
        logEvent(this.logger, "page_read.failed", { error }),
      );
      this.tools = {
        egress: this.egress,
        browser: this.browser,
        extraction: this.extraction,
        ads: this.ads,
        blobs: this.blobs,
        keptMs: config.resultRetentionMs,
        proxies: new ProxyPool(config.proxies, { onEnded: countProxied(this.broker) }),
        recipes: recipeBook(this.store),
        history: this.history,
        statements: new SiteStatements(this.egress, this.closing.signal),
        sessions: new SiteSessions(this.store.collection(sessionsCollection), jobVaultThrough(this.broker)),
        ...(config.llm && { model: createLanguageModel(config.llm) }),
        ...(config.ocr && {
          ocr: await openOcr({
            ...{ ...config.ocr, searchPath: config.searchPath },
            onFailed: error => logEvent(this.logger, "recognition.failed", { error }),
          }),
        }),
        reports: modelReports(this.broker, this.logger),
      };
      this.judge = new Judge(judgePorts(this.broker, this.logger, config.llm));
      this.crawlTools = { ...this.tools, browser: waitingPool(this.browser, config.browser.pages) };
      const workers = config.browser.pages + extraWorkers;
      this.context = contextOf(this, workers - workersForOthers);
      const { runs } = this.context;
      this.withdrawGauges = scraperGauges(runs, this.tools).map(gauge => addGauge(this.broker, gauge));
      this.worker = await startScrapeWorker(this.context, workers);
    },
    methods: {
      /** Called before the broker stops: running jobs end while the other services still answer. */
      async drain() {
        await this.worker?.drain();
      },
    },
    async stopped() {
      for (const withdraw of this.withdrawGauges) withdraw();
      this.closing.abort();
      await this.worker?.stop();
      await this.extraction?.close();
    },
  });
}

/**
 * Starts the browser and warms it, where browsers stay or memory is ample: elsewhere it starts with the first page that
 * needs it.
 */
async function showFirstPage({ browser, tools, closing, logger }: Scraper, config: Config): Promise<void> {
  const isWanted = config.scraperIdleMs === Infinity || hasAmpleMemory();
  if (!isWanted || closing.signal.aborted || browser.problem() !== undefined) return;
  await warmBrowser(tools, closing.signal).catch(error => {
    if (!closing.signal.aborted) logEvent(logger, "browser_warmup.failed", { error });
  });
}

/** Undefined for a caller in this process: it stops too and repeats no call. */
function callerWaitsUntil({ nodeID, broker, options }: Context<unknown, CallMeta>): {
  callerWaitsUntil?: number;
} {
  if (nodeID === broker.nodeID || !options.timeout) return {};
  return { callerWaitsUntil: Date.now() + options.timeout };
}

function contextOf(
  { name, broker, logger, store, queues, leases, limiter, quotas, tools }: Scraper,
  workersOfKey: number,
): ScraperContext {
  const workersOfKeys = slots();
  return openContext(store, {
    runs: new Runs(countEndedScrapes(broker)),
    now: Date.now,
    queue: queues.queue("scrapes"),
    vault: jobVaultThrough(broker),
    limiter,
    quotas,
    workerSlot: keyId => workersOfKeys(keyId, workersOfKey),
    tools,
    ...(tools.keptMs && { keptMs: tools.keptMs }),
    scrapePage: (request, order) => scrapePage(request, order, tools),
    nodeId: broker.nodeID,
    leases,
    hasOtherNodes: () =>
      broker.registry
        .getServiceList({ onlyAvailable: true })
        .some(({ name: other, nodeID }) => other === name && nodeID !== broker.nodeID),
    broadcastCancelled: id => void broker.broadcast(scrapeCancelled.name, { id } satisfies ScrapeCancelled),
    notify: (notice, traceparent) =>
      call(broker, announceJob, notice, {
        timeout: announceTimeoutMs,
        ...(traceparent && { meta: { traceparent } }),
      }),
    openSpan: (name, parent) => openSpan(broker, name, { parent }),
    onError: (event, error) => logEvent(logger, event, { error }),
  });
}

function findings({ browser }: Scraper): Finding[] {
  if (browser.problem() === undefined) return [{ name: "browser", status: "ok" }];
  return [{ name: "browser", status: "missing", detail: browserHint }];
}

export default (): ServiceSchema => scraperService(configFromEnv());
