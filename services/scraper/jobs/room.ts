import { ulid } from "ulid";
import { claimIndexes, type StoredClaim } from "../../../mixins/idempotency/claim-job.ts";
import type { Leases } from "../../../mixins/lease/lease.ts";
import type { JobFailure, Queue } from "../../../mixins/queue/queue.ts";
import type { StoreOptions } from "../../../mixins/store/store.mixin.ts";
import type { Doc, Store } from "../../../mixins/store/store.ts";
import type { Caller } from "../../contracts/caller.ts";
import type { JobWebhook } from "../../contracts/page-options.ts";
import type { ScrapeData, ScrapeJob, ScrapeRequest } from "../../contracts/scraper.contract.ts";
import type { JobNotice } from "../../contracts/webhook.contract.ts";
import type { ScrapeOrder, ScrapeTools } from "../scrape-page.ts";
import { Runs } from "./runs.ts";

/** A scrape as it is kept. `_id` is its `scrape_id`. It ends once: whoever ends it asks for `pending` and its fence. */
export interface StoredScrape extends Doc {
  keyId: string;
  owner: string;
  url: string;
  status: ScrapeJob["status"];
  /** The run that may end it: 0 the process that took the request, above that the fence of the queue's run. */
  fence: number;
  /** Only while pending: it may hold cookies and passwords. */
  request?: ScrapeRequest;
  /** Until the end is announced. */
  webhook?: JobWebhook;
  /** The node that works on it outside the queue; only while pending. */
  heldBy?: string;
  /** Its request is answered, and the work goes on outside the queue. */
  isLate?: true;
  /** ISO 8601. */
  startedAt?: string;
  endedAt?: string;
  error?: JobFailure;
  /** Milliseconds since the epoch: when to see whether somebody has died over it. */
  checkAt?: number;
  /** Milliseconds since the epoch. */
  expiresAt?: number;
  /** Milliseconds since the epoch: when the result goes, and then the rest. */
  pruneAt?: number;
}

/** What a run yielded; `_id` is made of the scrape and the run's fence, so that no run overwrites another's. */
export interface StoredResult extends Doc {
  data: ScrapeData;
}

const scrapesCollection = "scrapes";
const resultsCollection = "scrape_results";
const claimsCollection = "scrape_claims";

export const jobCollections: StoreOptions["extraCollections"] = {
  [scrapesCollection]: [
    { fields: ["keyId", "status"] },
    { fields: ["heldBy"], sparse: true },
    { fields: ["checkAt"], sparse: true },
    { fields: ["pruneAt"], sparse: true },
  ],
  [resultsCollection]: [],
  [claimsCollection]: claimIndexes,
};

/** What the operations on scrapes work with. */
export interface JobsRoom {
  scrapes: Store<StoredScrape>;
  results: Store<StoredResult>;
  claims: Store<StoredClaim>;
  queue: Queue<null>;
  /** What this process is working on. */
  runs: Runs;
  tools: Pick<ScrapeTools, "egress" | "proxies">;
  /** Reads a page. */
  read(request: ScrapeRequest, order: ScrapeOrder): Promise<ScrapeData>;
  /** Name of this node: no other one, and none after it, has the same. */
  nodeId: string;
  leases: Pick<Leases, "take" | "wait">;
  /** Whether another node does the same as this one. */
  isElsewhere(): boolean;
  /** Lets the nodes that work on a scrape know that it was cancelled; may be lost. */
  hintCancelled(id: string): void;
  announce(notice: JobNotice): Promise<unknown>;
  /** Told of what nobody waits for. */
  onError(what: string, error: unknown): void;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Who sent a request, and what it needs of other rooms. */
export interface Visitor {
  caller: Caller;
  /** The request's `Idempotency-Key`. */
  key: string | undefined;
  /** Milliseconds since the epoch: how long a caller on another node waits, who makes the call again. */
  waitsUntil?: number;
  /** Checks a job's webhook; the secret is there when it was made just now. */
  prepareWebhook(webhook: JobWebhook): Promise<{ secret?: string }>;
}

type Outside = Omit<JobsRoom, "scrapes" | "results" | "claims" | "runs" | "now"> &
  Partial<Pick<JobsRoom, "now">>;

export function openJobs(store: Store<Doc>, outside: Outside): JobsRoom {
  return {
    scrapes: store.collection(scrapesCollection),
    results: store.collection(resultsCollection),
    claims: store.collection(claimsCollection),
    runs: new Runs(),
    now: Date.now,
    ...outside,
  };
}

export function newScrapeId(): string {
  return `scr_${ulid()}`;
}
