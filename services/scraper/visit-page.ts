import { fail } from "../contracts/errors.ts";
import type { ScrapeRequest, Visit } from "../contracts/scraper.contract.ts";
import { withoutNulls } from "../domain/request/without-nulls.ts";
import { chooseProxy } from "./choose-proxy.ts";
import { type FetchedPage, fetchPage } from "./fetch/fetch-page.ts";
import { newScrapeId } from "./jobs/room.ts";
import { readPage } from "./read-page.ts";
import { dataOf, fetching, type ScrapeOrder, type ScrapeTools } from "./scrape-page.ts";

/** Who wants a page read, and which. */
export interface Errand {
  keyId: string;
  owner: string;
  request: ScrapeRequest;
}

/** Reads a page for a room that comes again. It leaves no record, and ends with its timeout. */
export async function visitPage({ request: given, ...visitor }: Errand, tools: ScrapeTools): Promise<Visit> {
  const request = withoutNulls(given);
  const startedAt = Date.now();
  const signal = AbortSignal.timeout(request.timeout);
  const proxyUrl = chooseProxy(tools.proxies, request.proxy, visitor.keyId);
  const order = { ...visitor, proxyUrl, deadline: startedAt + request.timeout, signal };
  const { data, headers } = await read(request, order, tools).catch(error => {
    throw signal.aborted ? late(request.timeout, error) : error;
  });
  const started_at = new Date(startedAt).toISOString();
  const ended_at = new Date().toISOString();
  const identity = { scrape_id: newScrapeId(), version: "v1", status: "completed" } as const;
  return { job: { ...identity, url: request.url, data, started_at, ended_at }, headers };
}

async function read(request: ScrapeRequest, order: ScrapeOrder, tools: ScrapeTools) {
  const fetched = await fetchPage(request.url, fetching(request, order, tools));
  const page = await readPage(request, fetched, order, tools);
  return { data: await dataOf(request, page, order, tools), headers: wishesOf(fetched) };
}

/** What the server asks of whoever comes again. */
function wishesOf({ headers }: FetchedPage): Record<string, string> {
  const wishes = ["retry-after", "cache-control", "age"];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => wishes.includes(name)));
}

function late(timeoutMs: number, cause: unknown): Error {
  return fail("scrape_timeout", `The page was not ready within ${timeoutMs} ms.`, {}, cause);
}
