import { ulid } from "ulid";
import { type JobVault, type Sealed, sealFields, unsealFields } from "../../mixins/clients/job-vault.ts";
import type { JobFailure } from "../../mixins/queue/queue.ts";
import { claimIndexes } from "../../mixins/store/idempotency.ts";
import type { StoreOptions } from "../../mixins/store/store.mixin.ts";
import type { Doc, Store } from "../../mixins/store/store.ts";
import { codeOf } from "../contracts/errors.ts";
import type { ScrapeData } from "../contracts/page.contract.ts";
import type { JobWebhook } from "../contracts/page-options.ts";
import type { ScrapeJob, ScrapeRequest } from "../contracts/scraper.contract.ts";
import { sessionIndexes, sessionsCollection } from "./sessions/sessions.store.ts";

/** The record of a scrape. `_id` is its `scrape_id`. It ends once: that update requires `pending` and its fence. */
export interface StoredScrape extends Doc {
  keyId: string;
  owner: string;
  url: string;
  status: ScrapeJob["status"];
  /** The run that may end it: 0 for the process that got the request, otherwise the fence of the queue's run. */
  fence: number;
  /** Only while pending. Its headers, cookies and actions may hold passwords and are encrypted. */
  request?: Omit<ScrapeRequest, "request" | "js_render"> & {
    request: Sealed<ScrapeRequest["request"]>;
    js_render: Sealed<ScrapeRequest["js_render"]>;
  };
  /** Until the notice of the end is sent. Its headers are encrypted. */
  webhook?: Sealed<JobWebhook>;
  /** The place of the request in its trace. */
  traceparent?: string;
  /** The node that runs it outside the queue; only while pending. */
  heldBy?: string;
  /** How many scrapes of its key may run at a time, by the limits at the time of the request. */
  slots?: number;
  /** The id of its charge to the quotas of the key, where that is not `_id`. */
  charge?: string;
  /** ISO 8601. */
  startedAt?: string;
  endedAt?: string;
  error?: JobFailure;
  /** The HTTP status of the page that was read. */
  statusCode?: number;
  /** What equal scrapes have in common; kept while the result may answer one of them. */
  readHash?: string;
  /** Milliseconds since the epoch: if nothing has happened by then, its process has died. */
  checkAt?: number;
  /** Milliseconds since the epoch. */
  expiresAt?: number;
  /** Milliseconds since the epoch: when the result is removed, and later the record. */
  pruneAt?: number;
}

/** The result of a run. `_id` is made of the scrape and the run's fence: no run overwrites another's. */
export interface StoredResult extends Doc {
  data: ScrapeData;
}

export const scrapesCollection = "scrapes";
export const resultsCollection = "scrape_results";
export const claimsCollection = "scrape_claims";

export const jobCollections: StoreOptions["extraCollections"] = {
  [scrapesCollection]: [
    { fields: ["keyId", "_id"] },
    { fields: ["keyId", "status", "_id"] },
    { fields: ["status", "_id"] },
    { fields: ["heldBy"], sparse: true },
    { fields: ["readHash", "status", "startedAt"], sparse: true },
    { fields: ["checkAt"], sparse: true },
    { fields: ["pruneAt"], sparse: true },
  ],
  [resultsCollection]: [],
  [claimsCollection]: claimIndexes,
  [sessionsCollection]: sessionIndexes,
};

export function newScrapeId(): string {
  return `scr_${ulid()}`;
}

/** The `_id` of the result of a run. */
export function resultId(scrapeId: string, fence: number): string {
  return `${scrapeId}.${fence}`;
}

/** Inserts the record of a scrape; false when it exists. */
export async function insertOnce(
  { scrapes }: { scrapes: Store<StoredScrape> },
  scrape: StoredScrape,
): Promise<boolean> {
  try {
    await scrapes.insert(scrape);
    return true;
  } catch (error) {
    if (codeOf(error) === "conflict") return false;
    throw error;
  }
}

/** The request in the form of the record: headers, cookies and actions are encrypted. */
export async function sealRequest(
  vault: JobVault,
  id: string,
  { webhook, ...request }: ScrapeRequest,
): Promise<Pick<StoredScrape, "request" | "webhook">> {
  const options = await sealFields(vault, id, request.request, ["headers", "cookies"]);
  const js_render = await sealFields(vault, id, request.js_render, ["actions"]);
  return {
    request: { ...request, request: options, js_render },
    ...(webhook && { webhook: await sealFields(vault, id, webhook, ["headers"]) }),
  };
}

/** Decrypts the request of a record. */
export async function unsealRequest(
  vault: JobVault,
  id: string,
  request: NonNullable<StoredScrape["request"]>,
): Promise<ScrapeRequest> {
  const js_render = await unsealFields(vault, id, request.js_render);
  return { ...request, request: await unsealFields(vault, id, request.request), js_render };
}

/** Decrypts the webhook of a record. */
export function unsealWebhook(vault: JobVault, id: string, webhook: Sealed<JobWebhook>): Promise<JobWebhook> {
  return unsealFields(vault, id, webhook);
}
