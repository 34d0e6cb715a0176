import type { BrowserPool } from "../../mixins/browser/browser-pool.ts";
import type { JobVault } from "../../mixins/clients/job-vault.ts";
import type { Quotas } from "../../mixins/clients/quotas.ts";
import type { Leases } from "../../mixins/coordination/leases/lease.ts";
import type { Limiter } from "../../mixins/coordination/limiter/limiter.ts";
import type { Egress } from "../../mixins/egress/egress.ts";
import type { History } from "../../mixins/history/history.ts";
import type { LogEvent } from "../../mixins/log/log-events.ts";
import type { Ocr } from "../../mixins/ocr/tesseract.ts";
import type { Queue } from "../../mixins/queue/queue.ts";
import type { Blobs } from "../../mixins/store/blobs/blobs.ts";
import type { StoredClaim } from "../../mixins/store/idempotency.ts";
import type { Doc, Store } from "../../mixins/store/store.ts";
import type { OpenSpan } from "../../mixins/tracing/open-span.ts";
import type { Caller } from "../contracts/caller.ts";
import type { JobWebhook } from "../contracts/page-options.ts";
import type { JobNotice } from "../contracts/webhook-dispatcher.contract.ts";
import type { QuotaUse } from "../domain/quota/quotas.ts";
import type { JsonTools } from "./extract/extract-json.ts";
import type { ExtractionPool } from "./extract/extraction-pool.ts";
import type { ProxyPool } from "./fetch/proxy-pool.ts";
import type { RunPorts } from "./jobs/runs.ts";
import type { LanguageModel } from "./model/language-model.ts";
import type { ModelReports } from "./model/model-reports.ts";
import type { AdFilterLists } from "./render/ad-filters.ts";
import {
  claimsCollection,
  resultsCollection,
  type StoredResult,
  type StoredScrape,
  scrapesCollection,
} from "./scrapes.store.ts";
import type { SiteSessions } from "./sessions/sessions.store.ts";
import type { SiteStatements } from "./site-statements.ts";

/** What this service stores of scrapes. */
interface ScrapeStores {
  scrapes: Store<StoredScrape>;
  results: Store<StoredResult>;
  claims: Store<StoredClaim>;
}

/** What scrape jobs need of the queue, of other services and of other nodes. */
interface ScrapePorts extends RunPorts {
  queue: Queue<null>;
  vault: JobVault;
  /** Counts the running scrapes of each key on all nodes. */
  limiter: Pick<Limiter, "acquire">;
  leases: Pick<Leases, "take" | "wait">;
  quotas: Quotas;
  /** A queue worker of this node for a job of the key; null when the key holds as many as it may. */
  workerSlot(keyId: string): Promise<(() => void) | null>;
  /** Whether another node runs this service. */
  hasOtherNodes(): boolean;
  /** Tells all nodes that a scrape was cancelled. The message may be lost. */
  broadcastCancelled(id: string): void;
  /** Sends a notice to the webhook of a job. */
  notify(notice: JobNotice, traceparent?: string): Promise<unknown>;
  /** Begins a span in the trace of a job. */
  openSpan(name: string, parent: string | undefined): OpenSpan | undefined;
  /** Reports errors of background work. */
  onError(event: LogEvent, error: unknown): void;
}

/** What the operations on scrapes work with. */
export interface ScraperContext extends ScrapeStores, ScrapePorts {
  tools: Pick<PageTools, "egress" | "proxies" | "blobs" | "keptMs" | "sessions">;
  /** Milliseconds that results are kept; a day if it is not given. */
  keptMs?: number;
  /** Unique to this node and this start of it. */
  nodeId: string;
}

export function openContext(
  store: Store<Doc>,
  ports: Omit<ScraperContext, keyof ScrapeStores>,
): ScraperContext {
  return {
    scrapes: store.collection(scrapesCollection),
    results: store.collection(resultsCollection),
    claims: store.collection(claimsCollection),
    ...ports,
  };
}

/** Who sent a scrape request, and what comes with it beside the body. */
export interface Submission {
  caller: Caller;
  /** The request's `Idempotency-Key`. */
  key: string | undefined;
  /** Equal where the gateway repeats the call on another node. */
  requestId: string;
  /** The request's place in its trace, which the job continues. */
  traceparent?: string | undefined;
  /** Called with the quotas that the scrape was charged to. */
  onCharged?(quotas: QuotaUse[]): void;
  /** Milliseconds since the epoch until which a caller on another node waits; it repeats calls of nodes that stop. */
  callerWaitsUntil?: number;
  /** Checks a job's webhook. The answer has the secret when this call created it. */
  prepareWebhook(webhook: JobWebhook): Promise<{ secret?: string }>;
}

/** What pages are fetched, rendered and read with. */
export interface PageTools {
  egress: Egress;
  browser: BrowserPool;
  extraction: ExtractionPool;
  ads: AdFilterLists;
  blobs: Blobs;
  /** Milliseconds that the pictures of scrapes are kept; a day if it is not given. */
  keptMs?: number;
  proxies: ProxyPool;
  recipes: JsonTools["recipes"];
  /** The sessions at sites. */
  sessions?: SiteSessions;
  /** What sites say of the use of their content. */
  statements: SiteStatements;
  /** Holds what scrapes with the format `changes` have read. */
  history: History;
  model?: LanguageModel;
  /** Recognises text in pages that are pictures. */
  ocr?: Ocr;
  reports: ModelReports;
}
