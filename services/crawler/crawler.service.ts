import { setTimeout as delay } from "node:timers/promises";
import type { Context, Service, ServiceSchema } from "moleculer";
import { type Config, configFromEnv } from "../../mixins/config/config.ts";
import { egressMixin, type WithEgress } from "../../mixins/egress/egress.mixin.ts";
import { frontierMixin, type WithFrontier } from "../../mixins/frontier/frontier.mixin.ts";
import { existingThrough } from "../../mixins/keys/existing-keys.ts";
import { mannersMixin, type WithManners } from "../../mixins/manners/manners.mixin.ts";
import { queueMixin, type WithQueues } from "../../mixins/queue/queue.mixin.ts";
import type { Worker } from "../../mixins/queue/queue.ts";
import { storeMixin, type WithStore } from "../../mixins/store/store.mixin.ts";
import { actions, call, handle } from "../contracts/action.ts";
import { callerOf } from "../contracts/caller.ts";
import * as contract from "../contracts/crawler.contract.ts";
import { type KeyDeleted, keyDeleted } from "../contracts/events.ts";
import { listCrawls as listCrawlsContract } from "../contracts/inspection.contract.ts";
import { mixin } from "../contracts/mixin.ts";
import { crawlPage, forgetScreenshots } from "../contracts/scraper.contract.ts";
import { announceJob, prepareJobWebhook } from "../contracts/webhook.contract.ts";
import { cancelCrawl } from "./cancel-crawl.ts";
import { crawlErrors } from "./crawl-errors.ts";
import { crawlStatus } from "./crawl-status.ts";
import { driveCrawl } from "./drive-crawl.ts";
import { expireCrawls } from "./expire-crawls.ts";
import { FairGate } from "./fair-gate.ts";
import { forgetGoneKeys } from "./forget-gone-keys.ts";
import { forgetKey } from "./forget-key.ts";
import { HostManners } from "./host-manners.ts";
import { listCrawls } from "./list-crawls.ts";
import { giveUpStalled, mendCrawls } from "./mend-crawls.ts";
import { type CrawlerRoom, type CrawlJob, type StoredCrawl, storeOptions } from "./room.ts";
import { openSitemapReader, type SitemapReader } from "./sitemap-reader.ts";
import { startCrawl } from "./start-crawl.ts";

/** Crawls that one process drives: waiting for their hosts they cost next to nothing. */
const crawlsAtOnce = 100;
/** Longer than the scraper has for a page, so that its own sentence arrives. */
const pageTimeoutMs = 45_000;
const webhookTimeoutMs = 10_000;
const forgetTimeoutMs = 60_000;
const mendEveryMs = 10_000;
const expireEveryMs = 600_000;
const forgetEveryMs = 60_000;
/** For pages under way when the room stops. */
const patienceMs = 8000;

interface Added extends WithStore<StoredCrawl>, WithQueues, WithFrontier, WithManners, WithEgress {
  room: CrawlerRoom;
  closing: AbortController;
  sitemaps: SitemapReader;
  worker?: Worker;
  timers: NodeJS.Timeout[];
}

type Crawler = Service & Added;

/** The room that crawls sites: what to read next, and what was read. Pages themselves are read by the scraper. */
export function crawlerService(
  config: Pick<Config, "dataDir" | "cluster" | "egressAllow" | "crawl">,
): ServiceSchema {
  return {
    name: "crawler",
    mixins: [
      storeMixin(config, storeOptions),
      queueMixin(config),
      frontierMixin(config),
      mannersMixin(config),
      egressMixin(config),
    ],
    actions: actions(
      handle(contract.startCrawl, "published", function (this: Crawler, ctx) {
        return startCrawl(this.room, callerOf(ctx), ctx.params, {
          idempotencyKey: ctx.meta.idempotencyKey,
          prepareWebhook: wanted => call(ctx, prepareJobWebhook, wanted, { timeout: webhookTimeoutMs }),
        });
      }),
      handle(contract.crawlStatus, "published", function (this: Crawler, ctx) {
        return crawlStatus(this.room, callerOf(ctx), ctx.params);
      }),
      handle(contract.crawlErrors, "published", function (this: Crawler, ctx) {
        return crawlErrors(this.room, callerOf(ctx), ctx.params);
      }),
      handle(contract.cancelCrawl, "published", function (this: Crawler, ctx) {
        return cancelCrawl(this.room, callerOf(ctx), ctx.params.crawl_id);
      }),
      handle(listCrawlsContract, "published", function (this: Crawler, ctx) {
        return listCrawls(this.room, ctx.params);
      }),
    ),
    methods: {
      /** Called before any room stops: pages under way still need the scraper. */
      drain(this: Crawler) {
        return drain(this);
      },
    },
    ...mixin<Added>({
      events: {
        [keyDeleted.name](this: Crawler, ctx: Context<KeyDeleted>) {
          return forgetKey(this.room, ctx.params.keyId);
        },
      },
      created() {
        this.closing = new AbortController();
        this.sitemaps = openSitemapReader(crawlsAtOnce);
      },
      async started() {
        this.room = openRoom(this, config);
        this.worker = work(this);
        this.timers = [
          every(mendEveryMs, () => tend(this, "crawls.mend.broken", mendCrawls)),
          every(expireEveryMs, () => tend(this, "crawls.expire.broken", expireCrawls)),
          setInterval(() => void tend(this, "crawls.forget.broken", forgetGoneKeys), forgetEveryMs).unref(),
        ];
      },
      async stopped() {
        for (const timer of this.timers ?? []) clearInterval(timer);
        await drain(this);
        await this.sitemaps.close();
      },
    }),
  };
}

export default (): ServiceSchema => crawlerService(configFromEnv());

function openRoom(service: Crawler, { crawl }: Pick<Config, "crawl">): CrawlerRoom {
  const { broker, logger, store, queues, frontier, egress, sitemaps, manners, closing } = service;
  return {
    crawls: store,
    pages: store.collection("crawl_pages"),
    tombstones: store.collection("crawl_tombstones"),
    claims: store.collection("crawl_claims"),
    jobs: queues.queue<CrawlJob>("crawls"),
    frontier,
    egress,
    sitemaps,
    askForPage: ({ _id, keyId, owner, request: { url } }, request) =>
      call(
        broker,
        crawlPage,
        { crawlId: _id, keyId, owner, entryUrl: url, request },
        { timeout: pageTimeoutMs },
      ),
    forgetScreenshots: crawlId => call(broker, forgetScreenshots, { crawlId }, { timeout: forgetTimeoutMs }),
    announce: notice => call(broker, announceJob, notice, { timeout: webhookTimeoutMs }),
    existingKeys: existingThrough(broker),
    concurrency: crawl.concurrency,
    manners: new HostManners(crawl.hostConcurrency, manners),
    turns: new FairGate(2 * crawl.concurrency),
    closing: closing.signal,
    underWay: new Set(),
    onFault: (event, about, error) => logger.error(event, { about, error }),
    now: Date.now,
  };
}

function work({ room, queues, logger }: Crawler): Worker {
  const options = {
    concurrency: crawlsAtOnce,
    onStalled: ({ payload }: { payload: CrawlJob }) => giveUpStalled(room, payload.crawlId),
  };
  return queues.queue<CrawlJob>("crawls").work(options, async ({ payload }, tools) => {
    const startedAt = performance.now();
    await driveCrawl(room, payload.crawlId, tools);
    const durationMs = Math.round(performance.now() - startedAt);
    logger.info("crawl.driven", { crawl: payload.crawlId, durationMs });
    return null;
  });
}

/** At once, and again and again. */
function every(ms: number, work: () => void): NodeJS.Timeout {
  work();
  return setInterval(work, ms).unref();
}

async function tend(
  { room, logger, closing }: Crawler,
  event: string,
  work: (room: CrawlerRoom) => Promise<void>,
): Promise<void> {
  try {
    await work(room);
  } catch (error) {
    // What a stop leaves behind ends without its store; the next start does it again.
    if (!closing.signal.aborted) logger.error(event, { error });
  }
}

async function drain({ room, closing, worker }: Crawler): Promise<void> {
  closing.abort();
  if (!room) return;
  const patience = new AbortController();
  const over = delay(patienceMs, undefined, { signal: patience.signal }).catch(() => undefined);
  await Promise.race([Promise.allSettled(room.underWay), over]);
  patience.abort();
  await worker?.close(0);
}
