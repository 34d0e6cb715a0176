import { withTimeout } from "../../mixins/async/timeout.ts";
import { forbidsFollowing, forbidsIndexing } from "../../reader/page/page-links.ts";
import { codeOf, fail } from "../contracts/errors.ts";
import type {
  KnownPage,
  PagePlace,
  PolledPage,
  Posted,
  UnchangedPage,
  WantedView,
} from "../contracts/page-reads.contract.ts";
import type { ScrapeRequest } from "../contracts/scraper.contract.ts";
import { refuseStated } from "./content-policy.ts";
import type { PageTools } from "./context.ts";
import { declared } from "./device.ts";
import { type FetchedPage, fetchPage } from "./fetch/fetch-page.ts";
import { conditionsOf, isKnownFor, knownPage, stillKnown } from "./fetch/known-page.ts";
import type { PageOrder } from "./page-request.ts";
import { type ReadPage, readPage } from "./read-page.ts";
import { dataOf, fetchOptions } from "./scrape-page.ts";
import { newScrapeId } from "./scrapes.store.ts";
import { inSession, isWalled } from "./sessions/in-session.ts";
import type { SessionOf } from "./sessions/sessions.store.ts";

/** A request of another service for a page, and on whose behalf. */
export interface PollRequest {
  keyId: string;
  owner: string;
  request: ScrapeRequest;
  views?: WantedView[];
  isBrief?: boolean;
  withPlace?: boolean;
  /** The session that it is read in. */
  session?: SessionOf | undefined;
  /** It is asked for by POST. */
  post?: Posted | undefined;
}

/**
 * Reads a page for a service that polls it. Leaves no record, and ends with its timeout. All polls share one key, so
 * reading and name lookups are counted against the host.
 */
export async function pollPage(wanted: PollRequest, tools: PageTools): Promise<PolledPage> {
  const polled = asVisitor(wanted);
  const { request } = polled;
  return await inTime(polled, tools, async order => {
    const visit = async (visiting: PageOrder) => {
      const fetched = await fetchPage(request.url, fetchOptions(request, visiting, tools));
      return { fetched, page: await readPage(request, fetched, visiting, tools) };
    };
    const visited = await inSession(request, order, tools, visit, ({ page }) => isWalled(page));
    return await polledPage(request, visited, order, tools);
  });
}

/** Reads a page as `pollPage` does, unless it is as it was known. */
export async function revisitPage(
  { known, ...wanted }: PollRequest & { known: KnownPage },
  tools: PageTools,
): Promise<PolledPage | UnchangedPage> {
  // What the page itself says of its use is not known of a page that was read for others.
  const { content_uses: uses } = wanted.request.request;
  if (!isKnownFor(uses, known)) return await pollPage({ ...wanted, isBrief: true }, tools);
  const polled = asVisitor(wanted);
  const { request } = polled;
  return await inTime({ ...polled, isBrief: true }, tools, async order => {
    const conditions = conditionsOf(known);
    const visit = async (visiting: PageOrder) => {
      const options = { ...fetchOptions(request, visiting, tools), ...(conditions && { conditions }) };
      const fetched = await fetchPage(request.url, options);
      const still = stillKnown(known, fetched, uses);
      if (still) await refuseStated(request, fetched, visiting, tools);
      return still
        ? { fetched, still }
        : { fetched, page: await readPage(request, fetched, visiting, tools) };
    };
    const visited = await inSession(request, order, tools, visit, ({ page }) => !!page && isWalled(page));
    const { fetched, still, page } = visited;
    if (page) return await polledPage(request, { fetched, page }, order, tools);
    const { status } = fetched;
    return { unchanged: true as const, status, headers: cachingHeaders(fetched), known: still };
  });
}

/** Whoever reads a site page by page obeys its robots.txt as Magpie, and says so. */
function asVisitor(polled: PollRequest): PollRequest {
  return polled.withPlace ? { ...polled, request: declared(polled.request) } : polled;
}

async function inTime<Found>(
  { request, ...requester }: PollRequest,
  { proxies }: PageTools,
  work: (order: PageOrder) => Promise<Found>,
): Promise<Found> {
  const group = `${requester.keyId} ${hostOf(request.url)}`;
  const deadline = Date.now() + request.timeout;
  return await withTimeout(request.timeout, [], signal =>
    proxies
      .through(request.proxy, requester.keyId, signal, proxyUrl =>
        work({ ...requester, group, proxyUrl, deadline, signal, isPutOff: true }),
      )
      .catch(error => {
        throw signal.aborted && codeOf(error) !== "overloaded" ? timeoutError(request.timeout, error) : error;
      }),
  );
}

async function polledPage(
  request: ScrapeRequest,
  { fetched, page }: { fetched: FetchedPage; page: ReadPage },
  order: PageOrder,
  tools: PageTools,
): Promise<PolledPage> {
  const startedAt = order.deadline - request.timeout;
  // Beside a complete reading it would look like a change of the page.
  if (page.unfinished !== undefined) throw timeoutError(request.timeout);
  const data = await dataOf(request, page, order, tools);
  const started_at = new Date(startedAt).toISOString();
  const ended_at = new Date().toISOString();
  const identity = { scrape_id: newScrapeId(), version: "v1", status: "completed" } as const;
  const { snapshots, kept } = page.digest;
  const place = order.withPlace && placeOf(page, fetched);
  // What the browser shows may change while the answer of the server stays.
  const isKnown = page.engine === "http" && page.unrendered === undefined;
  return {
    job: { ...identity, url: request.url, data, started_at, ended_at },
    headers: cachingHeaders(fetched),
    ...(snapshots && { snapshots }),
    ...(kept && { page: kept }),
    ...(place && { place }),
    ...(isKnown && { known: knownPage(fetched, request.request.content_uses) }),
  };
}

function placeOf({ digest }: ReadPage, { headers, permanentUrl, finalUrl }: FetchedPage): PagePlace {
  const { links, nofollow, noindex } = digest.crawl ?? { links: [], nofollow: false, noindex: false };
  const asked = headers["x-robots-tag"] ?? "";
  return {
    links,
    nofollow: nofollow || forbidsFollowing(asked),
    noindex: noindex || forbidsIndexing(asked),
    permanentUrl: permanentUrl ?? finalUrl,
  };
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
