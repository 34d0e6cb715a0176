import { createHash } from "node:crypto";
import { type JobVault, type Sealed, sealFields, unsealFields } from "../../mixins/clients/job-vault.ts";
import type { Counts } from "../../mixins/frontier/frontier.ts";
import { claimIndexes } from "../../mixins/store/idempotency.ts";
import type { StoreOptions } from "../../mixins/store/store.mixin.ts";
import type { Query } from "../../mixins/store/store.ts";
import type { CrawlRequest, CrawlState, StopReason } from "../contracts/crawler.contract.ts";
import type { ScrapeData } from "../contracts/page.contract.ts";
import type { JobWebhook } from "../contracts/page-options.ts";
import type { JobNotice } from "../contracts/webhook-dispatcher.contract.ts";

export interface PageError {
  code: string;
  message: string;
}

/** A request in the form of the record. */
export type SealedCrawlRequest = Omit<CrawlRequest, "request" | "js_render" | "webhook"> & {
  request: Sealed<CrawlRequest["request"]>;
  js_render: Sealed<CrawlRequest["js_render"]>;
  webhook?: Sealed<JobWebhook>;
};

/** Times are ISO 8601. */
export interface StoredCrawl {
  /** The crawl's id; the same for a batch, whose own id differs by its prefix (`idOf`). */
  _id: string;
  /** Absent: a crawl. */
  kind?: "batch";
  /** A batch's URLs, each once, until the frontier has them. */
  urls?: string[];
  keyId: string;
  owner: string;
  /** Headers, cookies and actions, and the headers of its webhook, are encrypted. */
  request: SealedCrawlRequest;
  status: CrawlState;
  /** Which slot of its key it has, from 0; only while it crawls. */
  slot?: number;
  /** The next step of any run ends it. */
  cancelled?: true;
  /** A quota of the key is used up: it ends with what it has read. */
  overQuota?: true;
  /** The page at which the entry's redirects ended. Its URL defines the scope. */
  entry?: { url: string; key: string };
  sitemapsRead?: true;
  /** The pages of former crawls were added. */
  formerRead?: true;
  /** Why the crawl fails; set before it does. */
  failing?: { stopReason: Extract<StopReason, "entry_failed" | "given_up">; error: PageError };
  /** From here on: set at the end. */
  stopReason?: StopReason;
  counts?: Counts;
  startedAt: string;
  endedAt?: string;
  expiresAt?: string;
  /** Runs that ended with an error other than a server that is away. */
  faults?: number;
  /** How often reading a page has crashed a process, by the hash of the page's key. */
  accused?: Record<string, number>;
  /** Key of the page that is being read, while the crawl reads one at a time. */
  reading?: string;
  /** The notices that its webhook has received. */
  notified: JobNotice["type"][];
  /** The place in the sequence of its pages up to which its webhook was told of them. */
  announced?: number;
  /** Notices to its webhook are due. */
  owes?: true;
  /** The place of the request in its trace. */
  traceparent?: string;
}

/** A page that was read or failed; `_id` is made of the crawl's id and the page's key. */
export interface StoredPage {
  _id: string;
  /** Fence of the run that wrote it: a run that has lost the crawl cannot overwrite what a later one wrote. */
  fence: number;
  /** ISO 8601. */
  writtenAt?: string;
  /** Bytes of `data` as JSON. */
  bytes: number;
  data?: ScrapeData;
  /** Key of the page that it names as its original, while it waits for the end of that page. */
  original?: string;
  /** It was skipped as a duplicate. */
  isCopy?: true;
  /** Set only when the page failed. */
  error?: PageError;
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
    { fields: ["keyId", "_id"] },
    { fields: ["keyId", "status", "_id"] },
    { fields: ["status", "_id"] },
    { fields: ["owes"], sparse: true },
    { fields: ["expiresAt"], sparse: true },
  ],
  extraCollections: {
    crawl_pages: [],
    expired_crawls: [{ fields: ["forgetAt"] }],
    crawl_claims: claimIndexes,
  },
};

/** The payload of a job in the queue. */
export interface CrawlJob {
  crawlId: string;
}

/** The limits of a crawl. It may discover many more pages than it reads, but a trap must not fill the store. */
export function boundsOf({ request: { crawler } }: StoredCrawl): { limit: number; maxDiscovered: number } {
  return { limit: crawler.limit, maxDiscovered: Math.max(50_000, crawler.limit * 10) };
}

/** The pages of a crawl have ids of one range: an index of another field would have SQLite parse each page's text. */
export function pageId(crawlId: string, key: string): string {
  return `${crawlId}.${createHash("sha256").update(key).digest("base64url").slice(0, 32)}`;
}

/** The ids of all pages of a crawl: "/" is the character after ".". */
export function pagesOf(crawlId: string): Query<StoredPage> {
  return { _id: { $gt: `${crawlId}.`, $lt: `${crawlId}/` } };
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/**
 * The id that clients know. Records have one prefix, so that crawls and batches together are listed in the order of their
 * age.
 */
export function idOf({ _id, kind }: Pick<StoredCrawl, "_id" | "kind">): string {
  return kind === "batch" ? _id.replace(/^crw_/, batchPrefix) : _id;
}

/** The record's id for an id of a client. */
export function recordIdOf(id: string): string {
  return isBatchId(id) ? id.replace(batchPrefix, "crw_") : id;
}

export function isBatchId(id: string): boolean {
  return id.startsWith(batchPrefix);
}

const batchPrefix = "bat_";

/** What clients call it. */
export function nounOf(id: string): "crawl" | "batch" {
  return isBatchId(id) ? "batch" : "crawl";
}

/** The request in the form of the record. */
export async function sealRequest(
  vault: JobVault,
  crawlId: string,
  { webhook, ...request }: CrawlRequest,
): Promise<SealedCrawlRequest> {
  return {
    ...request,
    request: await sealFields(vault, crawlId, request.request, ["headers", "cookies"]),
    js_render: await sealFields(vault, crawlId, request.js_render, ["actions"]),
    ...(webhook && { webhook: await sealFields(vault, crawlId, webhook, ["headers"]) }),
  };
}

/** The options for pages that may hold secrets. */
export type SecretOptions = Pick<CrawlRequest, "request" | "js_render">;

/** The options for the requests of pages, with headers, cookies and actions. */
export async function unsealPageOptions(
  vault: JobVault,
  { _id, request }: Pick<StoredCrawl, "_id" | "request">,
): Promise<SecretOptions> {
  return {
    request: await unsealFields(vault, _id, request.request),
    js_render: await unsealFields(vault, _id, request.js_render),
  };
}

/** The headers for the crawl's webhook. */
export async function unsealWebhookHeaders(
  vault: JobVault,
  crawlId: string,
  webhook: NonNullable<SealedCrawlRequest["webhook"]>,
): Promise<NonNullable<JobWebhook["headers"]>> {
  return (await unsealFields(vault, crawlId, webhook)).headers ?? {};
}
