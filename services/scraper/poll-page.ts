import { fail } from "../contracts/errors.ts";
import type { PolledPage, WantedView } from "../contracts/page-reads.contract.ts";
import type { ScrapeRequest } from "../contracts/scraper.contract.ts";
import type { PageTools } from "./context.ts";
import { type FetchedPage, fetchPage } from "./fetch/fetch-page.ts";
import { chooseProxy, type PageOrder } from "./page-request.ts";
import { readPage } from "./read-page.ts";
import { dataOf, fetchOptions } from "./scrape-page.ts";
import { newScrapeId } from "./scrapes.store.ts";

/** A request of another service for a page, and on whose behalf. */
export interface PollRequest {
  keyId: string;
  owner: string;
  request: ScrapeRequest;
  views?: WantedView[];
  isBrief?: boolean;
}

/**
 * Reads a page for a service that polls it. Leaves no record, and ends with its timeout. All polls share one key, so
 * reading and name lookups are counted against the host.
 */
export async function pollPage(
  { request, ...requester }: PollRequest,
  tools: PageTools,
): Promise<PolledPage> {
  const startedAt = Date.now();
  const signal = AbortSignal.timeout(request.timeout);
  const proxyUrl = chooseProxy(tools.proxies, request.proxy, requester.keyId);
  const group = `${requester.keyId} ${hostOf(request.url)}`;
  const order = { ...requester, group, proxyUrl, deadline: startedAt + request.timeout, signal };
  const { data, snapshots, kept, headers } = await read(request, order, tools).catch(error => {
    throw signal.aborted ? timeoutError(request.timeout, error) : error;
  });
  const started_at = new Date(startedAt).toISOString();
  const ended_at = new Date().toISOString();
  const identity = { scrape_id: newScrapeId(), version: "v1", status: "completed" } as const;
  return {
    job: { ...identity, url: request.url, data, started_at, ended_at },
    headers,
    ...(snapshots && { snapshots }),
    ...(kept && { page: kept }),
  };
}

async function read(request: ScrapeRequest, order: PageOrder, tools: PageTools) {
  const fetched = await fetchPage(request.url, fetchOptions(request, order, tools));
  const page = await readPage(request, fetched, order, tools);
  // Beside a complete reading it would look like a change of the page.
  if (page.unfinished !== undefined) throw timeoutError(request.timeout);
  const data = await dataOf(request, page, order, tools);
  const { snapshots, kept } = page.digest;
  return { data, snapshots, kept, headers: cachingHeaders(fetched) };
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? "";
}

/** The headers in which the server says when to come again. */
function cachingHeaders({ headers }: FetchedPage): Record<string, string> {
  const wishes = ["retry-after", "cache-control", "age"];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => wishes.includes(name)));
}

function timeoutError(timeoutMs: number, cause?: unknown): Error {
  return fail("scrape_timeout", `The page was not ready within ${timeoutMs} ms.`, {}, cause);
}
