import { setTimeout as sleep } from "node:timers/promises";
import { untilAborted } from "../../../mixins/async/timeout.ts";
import type { Claim } from "../../../mixins/frontier/frontier.ts";
import { codeOf, fail, isCallTimeout, isServiceUnavailable } from "../../contracts/errors.ts";
import { type CrawledPage, endedNode } from "../../contracts/page-reads.contract.ts";
import type { ScrapeRequest } from "../../contracts/scraper.contract.ts";
import type { CrawlerContext } from "../context.ts";
import type { PageError, SecretOptions, StoredCrawl } from "../crawls.store.ts";
import type { RobotsCache } from "../robots/robots-cache.ts";
import { chargeOf, chargePage } from "./page-charges.ts";
import { givenUp, skipMessages } from "./page-errors.ts";

type Page = Extract<CrawledPage, { kind: "page" }>;

/** What came of reading a page. */
export type Reading =
  | { kind: "page"; page: Page }
  /** To another page. */
  | { kind: "redirect"; url: string }
  | { kind: "skipped"; code: string; message: string }
  | { kind: "failed"; error: PageError; statusCode?: number }
  | { kind: "postponed"; forMs: number }
  /** A quota of the key has no room for it. */
  | { kind: "refused" };

type Unread = Extract<Reading, { kind: "skipped" | "failed" | "refused" }>;

/** What the pages of one crawl are read with. */
export interface PageReader {
  context: CrawlerContext;
  crawl: StoredCrawl;
  /** The options for the requests of pages, with headers, cookies and actions. */
  options: SecretOptions;
  robots: RobotsCache;
  /** Rejects with `conflict` when another run has the crawl, since this process may have been paused. */
  confirmOwnership(): Promise<void>;
  /** Aborts requests under way. */
  signal: AbortSignal;
  /** Ends all waiting: fires with `signal`, and earlier when the service is about to stop. */
  stopSignal: AbortSignal;
}

/** Milliseconds that the scraper has for a page. */
export const pageTimeoutMs = 30_000;
const tries = 3;
/** The shortest pauses before the second and the third try. */
const backoffMs = [1000, 4000];
const longestWaitMs = 300_000;

/** Reads one page when its host's turn comes, if the host's robots.txt allows it. A batch names its pages, as a scrape does. */
export async function readPage(claim: Claim, reader: PageReader): Promise<Reading> {
  const request = { url: claim.url, spacingMs: 0, charge: chargeOf(reader.crawl, claim) };
  if (reader.crawl.kind === "batch") return await fetchPage(request, claim, reader);
  const host = await reader.robots.rulesFor(claim.url);
  if ("failure" in host) return failureOf(host.failure, reader);
  if (!host.rules.allows(claim.url)) return robotsForbid;
  const spacingMs = Math.min(host.rules.crawlDelayMs ?? 0, longestSpacingMs);
  return await fetchPage({ ...request, spacingMs }, claim, reader);
}

async function fetchPage(request: HostRequest, claim: Claim, reader: PageReader): Promise<Reading> {
  const found = await fetchWithRetry(request, reader).catch(error => failureOf(error, reader));
  return found.kind === "page" ? await judgeStatus(found, claim, reader) : found;
}

const robotsForbid: Reading = { kind: "skipped", code: "robots", message: skipMessages.robots };

/** A URL, and the pause after it before the next request to its host. */
interface HostRequest {
  url: string;
  spacingMs: number;
  /** The id of its charge to the quotas of the key. */
  charge: string;
}

/** Repeats the call while no scraper answers or the scraper has died, but never after one has answered. */
async function fetchWithRetry(request: HostRequest, reader: PageReader): Promise<CrawledPage> {
  const { stopSignal } = reader;
  let strikes = 0;
  for (let waitMs = 250; ; waitMs = Math.min(2 * waitMs, 10_000)) {
    try {
      return strikes < strikesOfSuspect
        ? await fetchInTurn(request, reader)
        : await fetchAlone(request, reader);
    } catch (error) {
      if (stopSignal.aborted || !isUnreachable(error)) throw error;
      strikes += strikesOf(error);
      if (strikes > strikesOfSuspect) throw fail(givenUp.code, givenUp.message);
    }
    await sleep(waitMs, undefined, { signal: stopSignal });
  }
}

async function fetchInTurn(
  { url, spacingMs, charge }: HostRequest,
  { context, crawl, options, confirmOwnership, signal, stopSignal }: PageReader,
): Promise<CrawledPage> {
  return await context.hosts.request({ group: crawl._id, url, spacingMs }, stopSignal, () =>
    context.scraperSlots.run(crawl._id, stopSignal, async () => {
      await confirmOwnership();
      const charged = (await chargePage(context, crawl, charge)) ? charge : undefined;
      // An aborted wait does not end the call; its timeout does.
      return await untilAborted(context.crawlPage(crawl, requestFor(crawl, options, url), charged), signal);
    }),
  );
}

/** Waits until no other suspect of the installation is read, so that the next crash of a scraper has one cause. */
async function fetchAlone(request: HostRequest, reader: PageReader): Promise<CrawledPage> {
  const lease = await reader.context.leases.wait("crawler:suspect", reader.stopSignal);
  try {
    return await fetchInTurn(request, reader);
  } finally {
    await lease.release();
  }
}

/** After so many scrapers died while they read a page, without an error that names it, the page is read alone. */
const strikesOfSuspect = 2;

/** How strongly the end of a scraper speaks against its page. An orderly stop does not count. */
function strikesOf(error: unknown): number {
  const { type, nodeID } = error as { type?: unknown; nodeID?: unknown };
  if (type === endedNode) return strikesOfSuspect;
  return type === "REQUEST_REJECTED" && nodeID === undefined ? 1 : 0;
}

/** A longer `Crawl-delay` would keep a crawl from ever ending. */
const longestSpacingMs = 60_000;

function requestFor(
  { request: { output, proxy } }: StoredCrawl,
  options: SecretOptions,
  url: string,
): ScrapeRequest {
  const usual = { mode: "sync", breakdown: false, max_age: 0, timeout: pageTimeoutMs } as const;
  return { url, ...usual, output, ...options, proxy };
}

/** No scraper answers: in a cluster they come and go. */
function isUnreachable(error: unknown): boolean {
  return isServiceUnavailable(error) || Object(error).type === endedNode;
}

/** For 429 and 503: pauses the whole host when it asks for that, and tries the page again later. */
async function judgeStatus(page: Page, claim: Claim, reader: PageReader): Promise<Reading> {
  const status = page.data.metadata.status_code;
  if (status !== 429 && status !== 503) return { kind: "page", page };
  const leastMs = backoffMs[claim.tries] ?? 0;
  const forMs = Math.min(Math.max(page.retryAfterMs ?? 0, leastMs), longestWaitMs);
  if (page.retryAfterMs !== null || status === 429) await backOffHost(claim.url, forMs, reader);
  if (claim.tries + 1 < tries) return { kind: "postponed", forMs };
  const message = `The site answered ${status} each of ${tries} times.`;
  return { kind: "failed", error: { code: "upstream_error", message }, statusCode: status };
}

/** A page that was read does not fail because the pause could not be stored. */
async function backOffHost(url: string, ms: number, { context, crawl }: PageReader): Promise<void> {
  await context.hosts
    .backOff(url, ms)
    .catch(error => context.onError("crawl.host_not_left_alone", crawl._id, error));
}

function failureOf(error: unknown, { context, crawl, stopSignal }: PageReader): Unread {
  stopSignal.throwIfAborted();
  const code = codeOf(error);
  if (code === "conflict") throw error;
  if (code === "quota_exceeded") return { kind: "refused" };
  if (code === "unsupported_media_type" && crawl.kind !== "batch")
    return { kind: "skipped", code, message: (error as Error).message };
  if (code !== undefined) return { kind: "failed", error: { code, message: (error as Error).message } };
  const isLate = isCallTimeout(error);
  if (!isLate) context.onError("page.broken", crawl._id, error);
  const pageError = isLate
    ? { code: "scrape_timeout", message: "The page was not ready in time." }
    : { code: "internal_error", message: "The page could not be read." };
  return { kind: "failed", error: pageError };
}
