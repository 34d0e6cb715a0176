import type { Context, Service, ServiceSchema } from "moleculer";
import { blobsMixin, type WithBlobs } from "../../mixins/blobs/blobs.mixin.ts";
import { browserMixin, type WithBrowser } from "../../mixins/browser/browser.mixin.ts";
import { browserHint } from "../../mixins/browser/find-browser.ts";
import { type Config, configFromEnv } from "../../mixins/config/config.ts";
import { egressMixin, type WithEgress } from "../../mixins/egress/egress.mixin.ts";
import { healthMixin } from "../../mixins/health/health.mixin.ts";
import { leaseMixin, type WithLeases } from "../../mixins/lease/lease.mixin.ts";
import { queueMixin, type WithQueues } from "../../mixins/queue/queue.mixin.ts";
import { storeMixin, type WithStore } from "../../mixins/store/store.mixin.ts";
import { actions, type CallMeta, call, handle } from "../contracts/action.ts";
import { callerOf } from "../contracts/caller.ts";
import { fail } from "../contracts/errors.ts";
import { type ScrapeCancelled, scrapeCancelled } from "../contracts/events.ts";
import type { Finding } from "../contracts/health.contract.ts";
import { listScrapes as listScrapesContract } from "../contracts/inspection.contract.ts";
import type { JobWebhook } from "../contracts/page-options.ts";
import {
  cancelScrape,
  crawlPage,
  forgetScreenshots,
  scrape,
  scrapeStatus,
  screenshot,
  visitPage,
} from "../contracts/scraper.contract.ts";
import { announceJob, prepareJobWebhook } from "../contracts/webhook.contract.ts";
import { type AdFilterLists, loadAdFilterLists } from "./ads/ad-filter-lists.ts";
import { crawlPage as crawlPageNow } from "./crawl-page.ts";
import { cancelScrape as cancel, stopCancelled } from "./jobs/cancel-scrape.ts";
import { type JobsKeeper, keepJobs } from "./jobs/keep-jobs.ts";
import { listScrapes } from "./jobs/list-scrapes.ts";
import { type JobsRoom, jobCollections, openJobs } from "./jobs/room.ts";
import { scrapeStatus as statusOf } from "./jobs/scrape-status.ts";
import { createLanguageModel } from "./llm/language-model.ts";
import { type KeptRecipe, recipeBook } from "./recipe-book.ts";
import { patientPool } from "./render/patient-pool.ts";
import { scrape as scrapeNow } from "./scrape.ts";
import { type ScrapeTools, scrapePage } from "./scrape-page.ts";
import { visitPage as visitPageNow } from "./visit-page.ts";
import { createExtractionPool, type ExtractionPool } from "./worker/extraction-pool.ts";

type Scraper = Service &
  WithEgress &
  WithBrowser &
  WithBlobs &
  WithStore<KeptRecipe> &
  WithQueues &
  WithLeases & {
    extraction: ExtractionPool;
    ads: AdFilterLists;
    tools: ScrapeTools;
    crawlTools: ScrapeTools;
    jobs: JobsRoom;
    keeper?: JobsKeeper;
    closing: AbortController;
  };

/**
 * Asynchronous scrapes at work beyond those that can have a page of the browser. Most pages need none: a few more keep
 * the plain way busy while others render. Not many more: what waits for a page takes the place of synchronous scrapes.
 */
const jobsBesidePages = 4;
const announceTimeoutMs = 10_000;

/** The room that reads web pages: plain fetch, browser pool, extraction, screenshots. */
export function scraperService(config: Config): ServiceSchema {
  const schema = {
    name: "scraper",
    mixins: [
      storeMixin(config, { collection: "recipes", extraCollections: jobCollections }),
      queueMixin(config),
      leaseMixin(config),
      blobsMixin(config),
      egressMixin(config),
      browserMixin(config),
      healthMixin("scraper", (room: Scraper) => findings(room)),
    ],
    actions: actions(
      handle(scrape, "published", async function (this: Scraper, ctx) {
        const caller = callerOf(ctx);
        const { idempotencyKey: key } = ctx.meta;
        const prepareWebhook = ({ url, headers }: JobWebhook) =>
          call(ctx, prepareJobWebhook, { keyId: caller.keyId, url, ...(headers && { headers }) });
        const visitor = { caller, key, prepareWebhook, ...waitsUntil(ctx) };
        const job = await scrapeNow(ctx.params, visitor, this.jobs);
        if (ctx.params.mode === "async") ctx.meta.$statusCode = 202;
        return job;
      }),
      handle(scrapeStatus, "published", function (this: Scraper, ctx) {
        return statusOf(this.jobs, callerOf(ctx).owner, ctx.params.scrape_id);
      }),
      handle(cancelScrape, "published", function (this: Scraper, ctx) {
        return cancel(this.jobs, callerOf(ctx).owner, ctx.params.scrape_id);
      }),
      handle(listScrapesContract, "published", function (this: Scraper, ctx) {
        return listScrapes(this.jobs, ctx.params);
      }),
      handle(crawlPage, "public", function (this: Scraper, { params }) {
        return crawlPageNow(params, this.crawlTools);
      }),
      handle(forgetScreenshots, "public", async function (this: Scraper, { params }) {
        await this.blobs.dropGroup(params.crawlId);
        return null;
      }),
      handle(visitPage, "public", function (this: Scraper, { params }) {
        return visitPageNow(params, this.tools);
      }),
      handle(screenshot, "published", async function (this: Scraper, { params, meta }) {
        const blob = await this.blobs.open(params.key, meta.caller?.owner ?? "");
        if (blob === null)
          throw fail("not_found", "There is no screenshot with this key, or it has expired.");
        meta.$responseType = blob.contentType;
        return blob.body;
      }),
    ),
    events: {
      [scrapeCancelled.name](this: Scraper, ctx: Context<ScrapeCancelled>) {
        if (this.jobs) stopCancelled(this.jobs, ctx.params.id);
      },
    },
    created(this: Scraper) {
      this.closing = new AbortController();
      this.extraction = createExtractionPool();
    },
    async started(this: Scraper) {
      this.ads = loadAdFilterLists(this.closing.signal, error =>
        this.logger.error("ads.unavailable", { error: String(error) }),
      );
      this.tools = {
        egress: this.egress,
        browser: this.browser,
        extraction: this.extraction,
        ads: this.ads,
        blobs: this.blobs,
        proxies: config.proxies,
        recipes: recipeBook(this.store),
        ...(config.llm && { model: createLanguageModel(config.llm) }),
      };
      this.crawlTools = { ...this.tools, browser: patientPool(this.browser, config.browser.pages) };
      this.jobs = jobsOf(this);
      this.keeper = await keepJobs(this.jobs, config.browser.pages + jobsBesidePages);
    },
    methods: {
      /** Called before the broker stops: jobs at work end while the other rooms still stand. */
      async drain(this: Scraper) {
        await this.keeper?.drain();
      },
    },
    async stopped(this: Scraper) {
      this.closing.abort();
      await this.keeper?.stop();
      await this.extraction.close();
    },
  };
  // Moleculer's types do not let `this` be more than a plain service.
  return schema as unknown as ServiceSchema;
}

/** A caller in this process stops with it, and calls nobody else. */
function waitsUntil({ nodeID, broker, options }: Context<unknown, CallMeta>): { waitsUntil?: number } {
  if (nodeID === broker.nodeID || !options.timeout) return {};
  return { waitsUntil: Date.now() + options.timeout };
}

function jobsOf({ name, broker, logger, store, queues, leases, tools }: Scraper): JobsRoom {
  return openJobs(store, {
    queue: queues.queue("scrapes"),
    tools,
    read: (request, order) => scrapePage(request, order, tools),
    nodeId: broker.nodeID,
    leases,
    isElsewhere: () =>
      broker.registry
        .getServiceList({ onlyAvailable: true })
        .some(({ name: room, nodeID }) => room === name && nodeID !== broker.nodeID),
    hintCancelled: id => void broker.broadcast(scrapeCancelled.name, { id } satisfies ScrapeCancelled),
    announce: notice => call(broker, announceJob, notice, { timeout: announceTimeoutMs }),
    onError: (what, error) => logger.error(what, { error }),
  });
}

function findings({ browser }: Scraper): Finding[] {
  if (browser.problem() === undefined) return [{ name: "browser", status: "ok" }];
  return [{ name: "browser", status: "missing", detail: browserHint }];
}

export default (): ServiceSchema => scraperService(configFromEnv());
