import { setTimeout as sleep } from "node:timers/promises";
import { ulid } from "ulid";
import { untilAborted } from "../../../mixins/async/timeout.ts";
import { codeOf, fail } from "../../contracts/errors.ts";
import type { MapRequest } from "../../contracts/map.contract.ts";
import type { CrawledPage } from "../../contracts/page-reads.contract.ts";
import type { ScrapeRequest } from "../../contracts/scraper.contract.ts";
import type { RobotsRules } from "../../domain/crawl/robots-rules.ts";
import { sitemapsToRead } from "../../domain/crawl/robots-rules.ts";
import type { CrawlerContext } from "../context.ts";
import { answerOf, isLimit, LimitedHosts, pauseHost } from "../pages/limited-hosts.ts";
import { fetcherFor, type Get, RobotsCache } from "../robots/robots-cache.ts";
import { sitemapPages } from "../robots/sitemaps.ts";
import type { Source } from "./found-pages.ts";

/** Reads the entry page through the scraper, in one of the caller's scrape slots. */
export type ReadEntryPage = (mapId: string, request: ScrapeRequest) => Promise<CrawledPage>;

/** A map while it is made. */
export interface MapRun {
  context: CrawlerContext;
  id: string;
  keyId: string;
  request: MapRequest;
  readEntryPage: ReadEntryPage;
  /** Fetches robots.txt and sitemaps. */
  get: Get;
  limits: LimitedHosts;
  robots: RobotsCache;
  /** When its sources have to be read, in milliseconds since the epoch. */
  deadline: number;
  /** Ends what is under way when the map ends. */
  abort: AbortController;
  signal: AbortSignal;
}

export function openMapRun(
  context: CrawlerContext,
  request: MapRequest,
  keyId: string,
  readEntryPage: ReadEntryPage,
  timeMs: number,
  inTime: AbortSignal,
): MapRun {
  const id = `map_${ulid()}`;
  const abort = new AbortController();
  const signal = AbortSignal.any([inTime, abort.signal]);
  const limits = new LimitedHosts(context.now);
  const get = fetcherFor(context, { keyId, skipTlsVerification: true, limits }, signal);
  const deadline = context.now() + timeMs;
  const robots = new RobotsCache(get, signal);
  return { context, id, keyId, request, readEntryPage, get, limits, robots, deadline, abort, signal };
}

/** The rules of a URL's host. Throws when the host cannot be reached. */
export async function rulesFor({ robots }: MapRun, url: string): Promise<RobotsRules> {
  const host = await robots.rulesFor(url);
  if ("failure" in host) throw host.failure;
  return host.rules;
}

/** What the entry page gives. */
export interface Entry {
  /** The URL to which it leads. */
  landing: string;
  /** The page itself, unless it could not be read or was not found. */
  page: Source;
  links: Source;
  /** Why it could not be read. */
  problem?: Error;
}

const nothing: Source = { pages: [], isWhole: true };
const cut: Source = { pages: [], isWhole: false };

/** A map is possible without the entry page, but not when its site cannot be reached. */
const endured = new Set(["scrape_timeout", "target_blocked"]);

/** Reads the entry page, if robots.txt allows it. */
export async function readEntry(run: MapRun, rules: RobotsRules): Promise<Entry> {
  const { url, sitemaps } = run.request;
  const unread = { landing: url, page: nothing, links: nothing };
  if (sitemaps === "only") return unread;
  if (!rules.allows(url)) return { ...unread, page: cut, problem: robotsForbid() };
  try {
    return entryOf(await askScraper(run), url);
  } catch (error) {
    // A file, for example: it has no links.
    if (codeOf(error) === "unsupported_media_type") return unread;
    const problem = lateError(run, error);
    if (!endured.has(codeOf(problem) ?? "")) throw problem;
    return { ...unread, page: cut, problem };
  }
}

function robotsForbid(): Error {
  return fail("target_blocked", "The site's robots.txt does not allow this page, or could not be read.");
}

/** Asks again when a limit of the host is over, as long as there is time. */
async function askScraper(run: MapRun): Promise<CrawledPage> {
  const { context, id, keyId, request, limits, deadline, signal } = run;
  const read = await context.hosts.request({ group: keyId, url: request.url, spacingMs: 0 }, signal, () => {
    const leftMs = Math.max(deadline - context.now(), 1);
    return untilAborted(run.readEntryPage(id, pageRequest(request.url, leftMs)), signal);
  });
  if (read.kind === "redirect") return read;
  const { final_url } = read.data.metadata;
  const answer = answerOf(read);
  const waitMs = isLimit(answer) ? await pauseHost(final_url, answer, limits, context) : undefined;
  if (waitMs === undefined) return read;
  await sleep(waitMs, undefined, { signal });
  return await askScraper(run);
}

function pageRequest(url: string, timeout: number): ScrapeRequest {
  return {
    ...{ url, timeout, mode: "sync", breakdown: false, max_age: 0 },
    output: { formats: ["links"], screenshot: "viewport" },
    request: { device: "desktop", only_main_content: true, block_ads: true, skip_tls_verification: true },
    js_render: { enabled: true },
    proxy: { location: "US" },
  };
}

/** Links of an error page and links with `nofollow` are not followed, as in a crawl. */
function entryOf(read: CrawledPage, url: string): Entry {
  if (read.kind === "redirect") return { landing: url, page: cut, links: nothing };
  const { title, description, final_url, status_code } = read.data.metadata;
  if (status_code >= 400) return { landing: final_url, page: nothing, links: nothing };
  const followed = read.nofollow ? [] : read.links.filter(({ nofollow }) => !nofollow);
  const links = followed.map(({ url, text }) => ({
    ...{ url, title: null, description: null },
    ...(text !== undefined && { linkText: text }),
  }));
  return {
    landing: final_url,
    page: { pages: [{ url: final_url, title: title || null, description }], isWhole: true },
    links: { pages: links, isWhole: true },
  };
}

function lateError({ signal, request: { timeout } }: MapRun, error: unknown): Error {
  if (signal.reason?.name !== "TimeoutError") return error as Error;
  return fail("scrape_timeout", `The entry page was not ready within ${timeout} ms.`, {}, error);
}

/** The pages of the site's sitemaps, as many as there are in time. */
export async function readSitemaps(run: MapRun, url: string, rules: RobotsRules): Promise<Source> {
  const { context, keyId, get, request, signal } = run;
  if (request.sitemaps === "skip") return nothing;
  const found: Source = { pages: [], isWhole: true };
  const onGap = () => {
    found.isWhole = false;
  };
  const sitemaps = sitemapsToRead(rules, url);
  const tools = { get, reader: context.sitemaps, keyId, onGap };
  try {
    for await (const urls of sitemapPages(sitemaps, tools, signal))
      for (const each of urls) found.pages.push({ url: each, title: null, description: null });
  } catch (error) {
    if (signal.reason?.name !== "TimeoutError") throw error;
    onGap();
  }
  return found;
}
