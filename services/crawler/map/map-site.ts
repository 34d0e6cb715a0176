import { TimeSlices } from "../../../mixins/async/time-slices.ts";
import { withTimeout } from "../../../mixins/async/timeout.ts";
import type { Caller } from "../../contracts/caller.ts";
import { fail } from "../../contracts/errors.ts";
import type { MapRequest, SiteMap } from "../../contracts/map.contract.ts";
import { crawlScope } from "../../domain/crawl/crawl-scope.ts";
import { rankPages } from "../../domain/crawl/rank-pages.ts";
import type { RobotsRules } from "../../domain/crawl/robots-rules.ts";
import { siteOf } from "../../domain/url/canonical-url.ts";
import type { CrawlerContext } from "../context.ts";
import { isAdmitted } from "../pages/crawl-rules.ts";
import { admitAt } from "../start-crawl.ts";
import { type Source, uniteSources } from "./found-pages.ts";
import { knownPages } from "./known-pages.ts";
import {
  type Entry,
  type MapRun,
  openMapRun,
  type ReadEntryPage,
  readEntry,
  readSitemaps,
  rulesFor,
} from "./map-sources.ts";

/**
 * Lists the pages of a site without reading them. A source that cannot be read in time, or at all, makes the answer
 * incomplete; without anything found, its error is the answer.
 */
export async function mapSite(
  context: CrawlerContext,
  caller: Pick<Caller, "keyId">,
  request: MapRequest,
  readEntryPage: ReadEntryPage,
): Promise<SiteMap> {
  const { href: url } = admitAt("url", request.url, context.egress);
  return await inTime(context, request, signal =>
    context.mapSlots.run(caller.keyId, signal, async () => {
      const timeMs = request.timeout * gatheringShare;
      const found = await withTimeout(timeMs, signal, gatherInTime =>
        gather(signal, context, { ...request, url }, caller.keyId, readEntryPage, timeMs, gatherInTime),
      );
      return await answer({ ...request, url }, found, signal);
    }),
  );
}

/** The share of a map's time that its sources get; the rest is for what follows. */
const gatheringShare = 0.8;

/** Puts together what was found. When the time is over, the answer has what was checked until then. */
async function answer(
  request: MapRequest,
  { sources, takes, problem }: Found,
  signal: AbortSignal,
): Promise<SiteMap> {
  const slices = new TimeSlices(signal);
  const { pages, isWhole } = await uniteSources(sources, takes, slices);
  if (pages.length === 0 && problem) throw problem;
  if (pages.length === 0) signal.throwIfAborted();
  const ranked = request.search === undefined ? pages : await rankPages(pages, request.search, slices);
  const data = ranked.slice(0, request.limit);
  return { url: request.url, data, total: pages.length, complete: isWhole };
}

interface Found {
  /** In the order of the answer. */
  sources: Source[];
  takes(url: string): boolean;
  /** Why the entry page could not be read. */
  problem?: Error;
}

async function gather(whole: AbortSignal, ...order: Parameters<typeof openMapRun>): Promise<Found> {
  const run = openMapRun(...order);
  try {
    return await readSources(run, whole);
  } finally {
    run.abort.abort();
  }
}

/**
 * The scope is that of the page to which the entry page's redirects lead. `whole` ends with the time of the map: what is
 * known of earlier crawls asks no site, and is read also when the sitemaps have taken all the time for sources.
 */
async function readSources(run: MapRun, whole: AbortSignal): Promise<Found> {
  const { context, keyId, request } = run;
  const rules = await rulesFor(run, request.url);
  // The sitemaps may take all the time there is: nothing that the map needs may begin after them.
  const [entry, listed] = await Promise.all([
    readEntryAndRules(run, rules),
    readSitemaps(run, request.url, rules),
  ]);
  const { landing, page, links, problem } = entry;
  const isElsewhere = siteOf(new URL(landing)) !== siteOf(new URL(request.url));
  const sitemaps = isElsewhere ? await readSitemaps(run, landing, entry.rules) : listed;
  const takes = takesOf(run, entry);
  const known =
    request.sitemaps === "only"
      ? []
      : [await knownPages(context, keyId, siteOf(new URL(landing)), takes, new TimeSlices(whole))];
  return { sources: [page, sitemaps, links, ...known], takes, ...(problem && { problem }) };
}

interface EntryAndRules extends Entry {
  /** Robots rules of the host to which the entry page leads. */
  rules: RobotsRules;
}

async function readEntryAndRules(run: MapRun, rules: RobotsRules): Promise<EntryAndRules> {
  const entry = await readEntry(run, rules);
  const isThere = new URL(entry.landing).origin === new URL(run.request.url).origin;
  return { ...entry, rules: isThere ? rules : await rulesFor(run, entry.landing) };
}

/** What a crawl from the entry page could take: its scope, the guard's rules, and the robots.txt of its host. */
function takesOf({ context, request }: MapRun, { landing, rules }: EntryAndRules): Found["takes"] {
  const { include_subdomains } = request;
  const scope = crawlScope(landing, {
    ...{ include_subdomains, include_entire_domain: false, include_external_links: false },
  });
  const { origin } = new URL(landing);
  const allows = (url: string) => {
    const { pathname, search } = new URL(url);
    return siteOf(new URL(url)) !== siteOf(new URL(landing)) || rules.allows(origin + pathname + search);
  };
  return url => scope(url) === "inside" && isAdmitted(context.egress, url) && allows(url);
}

async function inTime<Answer>(
  { closing }: CrawlerContext,
  { timeout }: MapRequest,
  work: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await withTimeout(timeout, closing, work);
  } catch (error) {
    if (closing.aborted)
      throw fail("overloaded", "The service is stopping. Try again shortly.", { retry_after: 1 }, error);
    if ((error as Error).name !== "TimeoutError") throw error;
    throw fail("scrape_timeout", `Nothing was found within ${timeout} ms.`, {}, error);
  }
}
