import { createHash } from "node:crypto";
import type { Egress } from "../../mixins/egress/egress.ts";
import type { Counts, Frontier } from "../../mixins/frontier/frontier.ts";
import { claimIndexes, type StoredClaim } from "../../mixins/idempotency/claim-job.ts";
import type { Existing } from "../../mixins/keys/existing-keys.ts";
import type { Queue } from "../../mixins/queue/queue.ts";
import type { StoreOptions } from "../../mixins/store/store.mixin.ts";
import type { Store } from "../../mixins/store/store.ts";
import type { CrawlRequest, CrawlState, StopReason } from "../contracts/crawler.contract.ts";
import type { CrawledPage, ScrapeData, ScrapeRequest } from "../contracts/scraper.contract.ts";
import type { JobNotice } from "../contracts/webhook.contract.ts";
import type { FairGate } from "./fair-gate.ts";
import type { HostManners } from "./host-manners.ts";
import type { SitemapReader } from "./sitemap-reader.ts";

export interface Trouble {
  code: string;
  message: string;
}

/** `_id` is the crawl's id. Times are ISO 8601. */
export interface StoredCrawl {
  _id: string;
  keyId: string;
  owner: string;
  request: CrawlRequest;
  status: CrawlState;
  /** Which of its key's places it has, from 0; only while it crawls. */
  slot?: number;
  /** It is to end, whoever drives it. */
  cancelled?: true;
  /** The page at which the entry's redirects ended: the scope is that of its URL. */
  entry?: { url: string; key: string };
  sitemapsRead?: true;
  /** Why the crawl fails; set before it does. */
  failing?: { stopReason: Extract<StopReason, "entry_failed" | "given_up">; error: Trouble };
  /** From here on as they were at the end. */
  stopReason?: StopReason;
  counts?: Counts;
  startedAt: string;
  endedAt?: string;
  expiresAt?: string;
  /** Runs that ended by a fault which was not that of a server that is away. */
  faults?: number;
  /** What its webhook was told of. */
  told: JobNotice["type"][];
  /** Its webhook is to be told of more. */
  owes?: true;
}

/** A page that was read or failed; `_id` is made of the crawl's id and the page's key. */
export interface StoredPage {
  _id: string;
  crawlId: string;
  /** Of the drive that wrote it: one that has lost the crawl writes no more over what a later one wrote. */
  fence: number;
  /** Of `data` as JSON. */
  bytes: number;
  data?: ScrapeData;
  /** Key of the page that it says to be a copy of, while it waits to learn what becomes of that one. */
  original?: string;
  /** It was skipped as a duplicate. */
  isCopy?: true;
  /** Only of a page that failed. */
  trouble?: Trouble;
  statusCode?: number;
}

/** What is left of a crawl whose results have expired; `_id` is the crawl's id. */
export interface StoredTombstone {
  _id: string;
  owner: string;
  /** ISO 8601. */
  forgetAt: string;
}

export const storeOptions: StoreOptions = {
  collection: "crawls",
  indexes: [
    { fields: ["keyId", "slot"], unique: true, sparse: true },
    { fields: ["slot"], sparse: true },
    { fields: ["owes"], sparse: true },
    { fields: ["expiresAt"], sparse: true },
  ],
  extraCollections: {
    crawl_pages: [{ fields: ["crawlId"] }],
    crawl_tombstones: [{ fields: ["forgetAt"] }],
    crawl_claims: claimIndexes,
  },
};

/** The payload of a job in the queue. */
export interface CrawlJob {
  crawlId: string;
}

/** What the operations of this room work with. */
export interface CrawlerRoom {
  crawls: Store<StoredCrawl>;
  pages: Store<StoredPage>;
  tombstones: Store<StoredTombstone>;
  claims: Store<StoredClaim>;
  jobs: Pick<Queue<CrawlJob>, "add" | "get" | "cancel">;
  frontier: Frontier;
  egress: Egress;
  sitemaps: SitemapReader;
  /** Has the scraper read one page. */
  askForPage(crawl: StoredCrawl, request: ScrapeRequest): Promise<CrawledPage>;
  /** Has the scraper remove the crawl's screenshots. */
  forgetScreenshots(crawlId: string): Promise<unknown>;
  announce(notice: JobNotice): Promise<unknown>;
  /** Those of some API keys that exist; at most 500. */
  existingKeys: Existing;
  /** Pages of one crawl that are under way at a time. */
  concurrency: number;
  manners: HostManners;
  /** Pages that are with the scraper, of all crawls of this process. */
  turns: FairGate;
  /** Fires when the room is about to stop: what has not begun does not begin. */
  closing: AbortSignal;
  /** What is to end before the room stops. */
  underWay: Set<Promise<unknown>>;
  /** Told of what should not happen, and of what is tried again. */
  onFault(event: string, crawlId: string, error: unknown): void;
  /** Milliseconds. */
  now(): number;
}

/** The fence of whoever ends a crawl from outside: above that of any driver. */
export const lastFence = 2 ** 40;

/** Pages that a crawl may discover: room to skip many, and no end to what a trap may fill. */
export function boundsOf({ request: { crawler } }: StoredCrawl): { limit: number; maxDiscovered: number } {
  return { limit: crawler.limit, maxDiscovered: Math.max(50_000, crawler.limit * 10) };
}

export function pageId(crawlId: string, key: string): string {
  return `${crawlId}.${createHash("sha256").update(key).digest("base64url").slice(0, 32)}`;
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
