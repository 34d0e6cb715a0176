import { setTimeout as sleep } from "node:timers/promises";
import type { Pacer } from "../../../mixins/async/pacer.ts";
import { untilAborted, withAny } from "../../../mixins/async/timeout.ts";
import { isUncharged } from "../../../mixins/clients/quotas.ts";
import type { Claim } from "../../../mixins/frontier/frontier.ts";
import { codeOf, fail, isCallTimeout, isServiceUnavailable } from "../../contracts/errors.ts";
import { type CrawledPage, endedNode } from "../../contracts/page-reads.contract.ts";
import type { ScrapeRequest } from "../../contracts/scraper.contract.ts";
import { contentUsage } from "../../domain/crawl/content-usage.ts";
import { isSameSite } from "../../domain/url/same-site.ts";
import type { CrawlerContext } from "../context.ts";
import type { PageError, SecretOptions, StoredCrawl } from "../crawls.store.ts";
import type { HostRules, RobotsCache } from "../robots/robots-cache.ts";
import { type Answer, answerOf, HostPaused, isLimit, type LimitedHosts, pauseHost } from "./limited-hosts.ts";
import { chargeOf, chargePage } from "./page-charges.ts";
import { givenUp, skipMessages } from "./page-errors.ts";

export type ReadPage = Extract<CrawledPage, { kind: "page" }>;

/** What came of reading a page. */
export type Reading =
  | { kind: "page"; page: ReadPage }
  /** To another page. */
  | { kind: "redirect"; url: string }
  | { kind: "skipped"; code: string; message: string }
  | { kind: "failed"; error: PageError; statusCode?: number }
  /** `isTry`: the page itself was tried, and not only its host. */
  | { kind: "postponed"; forMs: number; isTry: boolean }
  /** A quota of the key is used up. */
  | { kind: "refused" };

type Held = Extract<Reading, { kind: "failed" | "postponed" }>;
type Unread = Extract<Reading, { kind: "skipped" | "failed" | "refused" }>;

/** What the pages of one crawl are read with. */
export interface PageReader {
  context: CrawlerContext;
  crawl: StoredCrawl;
  /** The options for the requests of pages, with headers, cookies and actions. */
  options: SecretOptions;
  robots: RobotsCache;
  limits: LimitedHosts;
  /** Bounds how often a page of the crawl is asked for. */
  pacer?: Pacer | undefined;
  /** Rejects with `conflict` when another run has the crawl, since this process may have been paused. */
  confirmOwnership(): Promise<void>;
  /** Aborts requests under way. */
  signal: AbortSignal;
  /** Ends all waiting: fires with `signal`, and earlier when the service is about to stop. */
  stopSignal: AbortSignal;
}

/** What has led to a page that only a former crawl knew: no page does any more. */
export const formerCrawl = "former crawl";
/** Milliseconds that the scraper has for a page. */
export const pageTimeoutMs = 30_000;
/** The pauses before the second and the third try. */
const backoffMs = [1000, 4000];
const tries = backoffMs.length + 1;
/** A page of a host with a longer pause leaves its place to others. */
const shortPauseMs = 2000;

/** Reads one page when its host has a slot, if the host's robots.txt allows it. A batch names its pages, as a scrape does. */
export async function readPage(claim: Claim, reader: PageReader): Promise<Reading> {
  const request = {
    url: claim.url,
    spacingMs: 0,
    charge: chargeOf(reader.crawl, claim),
    isHidden: claim.from === formerCrawl,
  };
  if (reader.crawl.kind === "batch") return await fetchPage(request, claim, reader);
  const host = await hostRules(claim, reader);
  if ("kind" in host) return host;
  const isAgainstRobots = ignoresRobots(reader, claim.url);
  // A host that is given up has answered so for its robots.txt, too.
  if (reader.limits.reasonAgainst(claim.url) === undefined) {
    if ("failure" in host) return failureOf(host.failure, reader);
    if (!isAgainstRobots && !host.rules.allows(claim.url)) return robotsForbid;
  }
  const delayMs = 1000 * (reader.crawl.request.crawler.delay ?? 0);
  const askedMs = ("rules" in host && !isAgainstRobots && host.rules.crawlDelayMs) || 0;
  const crawlDelayMs = Math.max(delayMs, askedMs);
  const spacingMs = Math.min(crawlDelayMs, longestSpacingMs);
  return withUsage(await fetchPage({ ...request, spacingMs }, claim, reader), claim, host);
}

/** The page with what the host's robots.txt says of the use of its content, beside what it says itself. */
function withUsage(reading: Reading, { url }: Claim, host: HostRules): Reading {
  const stated = "rules" in host ? host.rules.usage(url) : [];
  if (reading.kind !== "page" || stated.length === 0) return reading;
  const { data } = reading.page;
  const content_usage = contentUsage([...stated, ...(data.metadata.content_usage?.statements ?? [])]);
  const metadata = { ...data.metadata, ...(content_usage && { content_usage }) };
  return { ...reading, page: { ...reading.page, data: { ...data, metadata } } };
}

/** Whether a page of a crawl is read whatever robots.txt and `nofollow` say. */
export function ignoresRobots(
  { context, crawl }: Pick<PageReader, "context" | "crawl">,
  url: string,
): boolean {
  return crawl.request.crawler.ignore_robots === true && context.isOwnHost(url);
}

/** The rules of the page's host, if they come before its next pause. */
async function hostRules(claim: Claim, reader: PageReader): Promise<HostRules | Held> {
  const held = heldBack(claim, reader);
  if (held) return held;
  try {
    return await untilAborted(reader.robots.rulesFor(claim.url), reader.limits.pausing(claim.url));
  } catch (error) {
    const paused = heldBack(claim, reader, error);
    if (paused) return paused;
    throw error;
  }
}

async function fetchPage(
  request: Omit<HostRequest, "through">,
  claim: Claim,
  reader: PageReader,
): Promise<Reading> {
  const held = heldBack(claim, reader);
  if (held) return held;
  const found = await fetchInSession(request, claim, reader).catch(
    error => heldBack(claim, reader, error) ?? failureOf(error, reader),
  );
  if (found.kind === "page") return await judgeStatus(found, claim, reader);
  if (found.kind === "redirect") reader.limits.taken(claim.url);
  return found;
}

/**
 * A page that is not asked for, since its host is given up or has asked for a pause. `error` is that of a page which has
 * waited for its slot until the pause began.
 */
function heldBack({ url }: Claim, { limits, stopSignal }: PageReader, error?: unknown): Held | undefined {
  stopSignal.throwIfAborted();
  const message = limits.reasonAgainst(url);
  if (message !== undefined) return { kind: "failed", error: { code: "upstream_error", message } };
  const forMs = limits.pauseMs(url);
  if (error === undefined ? forMs <= shortPauseMs : !(error instanceof HostPaused)) return undefined;
  return { kind: "postponed", forMs, isTry: false };
}

const robotsForbid: Reading = { kind: "skipped", code: "robots", message: skipMessages.robots };

/** Redirects of a page that are followed in a session. */
const mostFollowed = 5;

/**
 * Within the site of a session a redirect may end at its login: it is followed from step to step, as far as robots.txt
 * allows. Other redirects are not.
 */
async function fetchInSession(
  request: Omit<HostRequest, "through">,
  claim: Claim,
  reader: PageReader,
): Promise<CrawledPage> {
  const { kind, request: wanted } = reader.crawl;
  const through: string[] = [];
  for (;;) {
    const found = await fetchWithRetry({ ...request, through }, reader);
    const isEnd = found.kind === "page" || found.wasRead || !wanted.session || kind === "batch";
    if (isEnd || through.length === mostFollowed || through.includes(found.url)) return found;
    const { url } = found;
    if (!isSameSite(url, wanted.url) || !(await isAllowed({ ...claim, url }, reader))) return found;
    through.push(url);
  }
}

/** Whether the robots.txt of its host allows a page. */
async function isAllowed(claim: Claim, reader: PageReader): Promise<boolean> {
  if (ignoresRobots(reader, claim.url)) return true;
  const host = await hostRules(claim, reader);
  return "rules" in host && host.rules.allows(claim.url);
}

/** A URL, and the pause after it before the next request to its host. */
interface HostRequest {
  url: string;
  spacingMs: number;
  /** The id of its charge to the quotas of the key. */
  charge: string;
  /** Only a former crawl knew it. */
  isHidden: boolean;
  /** Redirects that are followed. */
  through: string[];
}

/** Repeats the call while no scraper or keys service answers or the scraper has died, but never after a page was read. */
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
  { url, spacingMs, charge, isHidden, through }: HostRequest,
  { context, crawl, options, limits, pacer, confirmOwnership, signal, stopSignal }: PageReader,
): Promise<CrawledPage> {
  const read = async () => {
    await confirmOwnership();
    const how = {
      ...((await chargePage(context, crawl, charge)) && { charge }),
      ...(isHidden && { hidden: true }),
      ...(through.length > 0 && { through }),
    };
    // An aborted wait does not end the call; its timeout does.
    return await untilAborted(context.crawlPage(crawl, requestFor(crawl, options, url), how), signal);
  };
  return await withAny([stopSignal, limits.pausing(url)], async mayWait => {
    await pacer?.turn(mayWait);
    return await context.hosts.request({ group: crawl.keyId, url, spacingMs }, mayWait, () =>
      context.scraperSlots.run(crawl.keyId, mayWait, read),
    );
  });
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
  { request: { output, proxy, session } }: StoredCrawl,
  options: SecretOptions,
  url: string,
): ScrapeRequest {
  const usual = { mode: "sync", breakdown: false, max_age: 0, timeout: pageTimeoutMs } as const;
  return { url, ...usual, output, ...options, proxy, ...(session && { session }) };
}

/** No scraper answers, or no keys service, without which a page cannot be charged: in a cluster they come and go. */
function isUnreachable(error: unknown): boolean {
  return isServiceUnavailable(error) || Object(error).type === endedNode || isUncharged(error);
}

/**
 * At a limit the page waits for the host that has answered, which may be another than that of its URL; a 503 without a time
 * is a try of the page itself.
 */
async function judgeStatus(page: ReadPage, claim: Claim, reader: PageReader): Promise<Reading> {
  const { final_url: answeredAt } = page.data.metadata;
  const answer = answerOf(page);
  if (new URL(answeredAt).host !== new URL(claim.url).host) reader.limits.taken(claim.url);
  if (isLimit(answer)) return await judgeLimit(answer, answeredAt, reader);
  reader.limits.taken(answeredAt);
  if (answer.status !== 503) return { kind: "page", page };
  const forMs = backoffMs[claim.tries];
  if (forMs !== undefined) return { kind: "postponed", forMs, isTry: true };
  const message = `The site answered 503 each of ${tries} times.`;
  return { kind: "failed", error: { code: "upstream_error", message }, statusCode: 503 };
}

async function judgeLimit(answer: Answer, url: string, reader: PageReader): Promise<Reading> {
  const { limits, context } = reader;
  const forMs = await pauseHost(url, answer, limits, context);
  if (forMs !== undefined) return { kind: "postponed", forMs, isTry: false };
  const error = { code: "upstream_error", message: limits.reasonAgainst(url) ?? "" };
  return { kind: "failed", error, statusCode: answer.status };
}

/** Errors of pages that a crawl passes over. What a batch names is its result. */
const skipped = new Set(["unsupported_media_type", "content_refused"]);

function failureOf(error: unknown, { context, crawl, stopSignal }: PageReader): Unread {
  stopSignal.throwIfAborted();
  const code = codeOf(error);
  if (code === "conflict") throw error;
  if (code === "quota_exceeded") return { kind: "refused" };
  if (code !== undefined && skipped.has(code) && crawl.kind !== "batch")
    return { kind: "skipped", code, message: (error as Error).message };
  if (code !== undefined) return { kind: "failed", error: { code, message: (error as Error).message } };
  const isLate = isCallTimeout(error);
  if (!isLate) context.onError("crawl_page.failed", crawl._id, error);
  const pageError = isLate
    ? { code: "scrape_timeout", message: "The page was not ready in time." }
    : { code: "internal_error", message: "The page could not be read." };
  return { kind: "failed", error: pageError };
}
