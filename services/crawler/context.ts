import type { Service, ServiceBroker } from "moleculer";
import { FairSemaphore } from "../../mixins/async/fair-semaphore.ts";
import { type ExistingKeys, existingKeysThrough } from "../../mixins/clients/existing-keys.ts";
import { type JobVault, jobVaultThrough } from "../../mixins/clients/job-vault.ts";
import type { KeyQuotas, Quotas } from "../../mixins/clients/quotas.ts";
import type { Config } from "../../mixins/config/config.ts";
import type { WithHostPoliteness } from "../../mixins/coordination/host-politeness/host-politeness.mixin.ts";
import { HostQueues } from "../../mixins/coordination/host-politeness/host-queues.ts";
import type { WithLeases } from "../../mixins/coordination/leases/lease.mixin.ts";
import type { Leases } from "../../mixins/coordination/leases/lease.ts";
import type { UrlFilter } from "../../mixins/crawl/url-filter.ts";
import type { WithEgress } from "../../mixins/egress/egress.mixin.ts";
import type { Egress } from "../../mixins/egress/egress.ts";
import type { WithFrontier } from "../../mixins/frontier/frontier.mixin.ts";
import type { Frontier, Outcome } from "../../mixins/frontier/frontier.ts";
import { type LogEvent, logEvent } from "../../mixins/log/log-events.ts";
import type { WithQueues } from "../../mixins/queue/queue.mixin.ts";
import type { Queue } from "../../mixins/queue/queue.ts";
import { counterOf } from "../../mixins/runtime/counters.ts";
import type { StoredClaim } from "../../mixins/store/idempotency.ts";
import type { WithStore } from "../../mixins/store/store.mixin.ts";
import type { Store } from "../../mixins/store/store.ts";
import { call } from "../contracts/action.ts";
import {
  type CrawledPage,
  crawlPage,
  forgetScreenshots,
  formerPages,
} from "../contracts/page-reads.contract.ts";
import type { ScrapeRequest } from "../contracts/scraper.contract.ts";
import { announceJob, type JobNotice } from "../contracts/webhook-dispatcher.contract.ts";
import { ownHosts } from "../domain/crawl/own-hosts.ts";
import type { CrawlJob, StoredCrawl, StoredPage, StoredTombstone } from "./crawls.store.ts";
import type { SitemapReader } from "./robots/sitemap-reader.ts";

/** Longer than the scraper has for a page, so that its own error arrives. */
const pageTimeoutMs = 45_000;
const webhookTimeoutMs = 10_000;
const forgetTimeoutMs = 60_000;
/** They hold up to 50,000 URLs each; one key leaves some to others. */
const mapsAtOnce = { width: 8, perGroup: 4 };

/** What this service stores. */
interface CrawlStores {
  crawls: Store<StoredCrawl>;
  pages: Store<StoredPage>;
  tombstones: Store<StoredTombstone>;
  claims: Store<StoredClaim>;
  /** The pages that each crawl has found, and their states. */
  frontier: Frontier;
}

/** What crawls need of other services and of the network. */
interface CrawlPorts {
  jobs: Pick<Queue<CrawlJob>, "add" | "get" | "cancel">;
  vault: JobVault;
  leases: Leases;
  quotas: Quotas;
  egress: Egress;
  sitemaps: SitemapReader;
  urlFilter: UrlFilter;
  /** The scraper reads one page. */
  crawlPage(
    crawl: StoredCrawl,
    request: ScrapeRequest,
    how?: { charge?: string; hidden?: boolean; through?: string[] },
  ): Promise<CrawledPage>;
  /** The pages that former crawls from the same entry page have read to compare them, a part at a time. */
  formerPages(
    crawl: StoredCrawl,
    entryUrl: string,
    before: string | null,
  ): Promise<{ urls: string[]; before: string | null }>;
  /** The scraper removes the crawl's screenshots. */
  forgetScreenshots(crawlId: string): Promise<unknown>;
  /** Sends a notice to the crawl's webhook. */
  notify(notice: JobNotice, traceparent?: string): Promise<unknown>;
  /** Which of some API keys exist; at most 500. */
  existingKeys: ExistingKeys;
  /** Called for each page that has ended. */
  onPage(state: Outcome["state"]): void;
  /** Reports what should not happen, and what is tried again. */
  onError(event: LogEvent, crawlId: string, error: unknown): void;
}

/** What the operations of this service work with. */
export interface CrawlerContext extends CrawlStores, CrawlPorts {
  /** Pages of one crawl that may be under way at a time. */
  concurrency: number;
  /** Milliseconds that results are kept after the end; a day if it is not given. */
  keptMs?: number;
  hosts: HostQueues;
  /** Whether a URL is on a host that the operator owns, which may be read against its robots.txt. */
  isOwnHost(url: string): boolean;
  /** Bounds the pages that all crawls of this process have at the scraper, fairly by key. */
  scraperSlots: FairSemaphore;
  /** Bounds the maps that are made at a time. */
  mapSlots: FairSemaphore;
  /** Fires when the service is about to stop: nothing new begins. */
  closing: AbortSignal;
  /** Work that ends before the service stops. */
  underWay: Set<Promise<unknown>>;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The members of the service that the context is made of. */
export interface CrawlerParts
  extends WithStore<StoredCrawl>,
    WithQueues,
    WithFrontier,
    WithHostPoliteness,
    WithLeases,
    WithEgress {
  sitemaps: SitemapReader;
  urlFilter: UrlFilter;
  quotas: KeyQuotas;
  closing: AbortController;
}

export function openContext(
  { broker, logger, closing, store, queues, ...parts }: Service & CrawlerParts,
  { concurrency, hostConcurrency, ownHosts: own = [] }: Config["crawl"],
  keptMs?: number,
): CrawlerContext {
  const { frontier, hostPoliteness, leases, egress, sitemaps, urlFilter, quotas } = parts;
  return {
    ...{ frontier, leases, egress, sitemaps, urlFilter, quotas, concurrency },
    ...{ closing: closing.signal, now: Date.now, ...(keptMs && { keptMs }) },
    crawls: store,
    pages: store.collection("crawl_pages"),
    tombstones: store.collection("expired_crawls"),
    claims: store.collection("crawl_claims"),
    jobs: queues.queue<CrawlJob>("crawls"),
    vault: jobVaultThrough(broker),
    crawlPage: ({ _id, kind, keyId, owner, request: { url, crawler } }, request, how) => {
      const place = kind === "batch" ? { entryUrl: request.url, follow: true } : { entryUrl: url };
      const ignoreQuery = crawler.ignore_query && { ignoreQuery: true };
      const params = { crawlId: _id, keyId, owner, ...place, request, ...how, ...ignoreQuery };
      return call(broker, crawlPage, params, { timeout: pageTimeoutMs });
    },
    formerPages: ({ _id, keyId, request }, entryUrl, before) => {
      const { tag } = request.output.changes ?? {};
      const wanted = { keyId, entryUrl, crawlId: _id, ...(tag && { tag }), ...(before && { before }) };
      return call(broker, formerPages, wanted, { timeout: pageTimeoutMs });
    },
    forgetScreenshots: crawlId => call(broker, forgetScreenshots, { crawlId }, { timeout: forgetTimeoutMs }),
    notify: (notice, traceparent) =>
      call(broker, announceJob, notice, {
        timeout: webhookTimeoutMs,
        ...(traceparent && { meta: { traceparent } }),
      }),
    existingKeys: existingKeysThrough(broker),
    isOwnHost: ownHosts(own),
    hosts: new HostQueues(hostPoliteness, { width: hostConcurrency }),
    scraperSlots: new FairSemaphore({ width: 2 * concurrency }),
    mapSlots: new FairSemaphore(mapsAtOnce),
    underWay: new Set(),
    onPage: countPages(broker),
    onError: (event, about, error) => logEvent(logger, event, { about, error }),
  };
}

function countPages(broker: ServiceBroker): CrawlerContext["onPage"] {
  const pages = counterOf(broker, {
    name: "magpie_crawl_pages_total",
    description:
      "Pages of crawls and batches that ended; skipped are redirects, duplicates and what robots.txt forbids",
    by: [["outcome", ["completed", "failed", "skipped"]]],
  });
  return state => pages.add(state);
}

/** The fence of operations that end a crawl from outside its run: above the fence of any run. */
export const lastFence = 2 ** 40;
