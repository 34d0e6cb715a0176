import type { UrlFilter } from "../../../mixins/crawl/url-filter.ts";
import type { FetchedDocument } from "../../../mixins/egress/fetch-document.ts";
import type { SitePage, SitePages } from "../../../mixins/site-pages/site-pages.ts";
import { usualPages } from "../../contracts/kind-options.ts";
import type { View } from "../../contracts/watch.contract.ts";
import type { ListedUrls } from "../../domain/crawl/read-sitemap.ts";
import { readSiteMemory, type SiteMemory } from "../../domain/site/site-memory.ts";
import { canonicalUrl } from "../../domain/url/canonical-url.ts";
import { intervalMs } from "../../domain/watch/schedule.ts";
import type { ConnectorTools, PolledSource } from "../connector.ts";
import { readDictionary, type SiteDictionary } from "./site-dictionary.ts";
import type { SiteRobots } from "./site-robots.ts";
import { type SiteRules, siteRules } from "./site-rules.ts";
import type { KnownSitemaps } from "./site-sitemaps.ts";

/** What sites are worked with beside the tools of a call. */
export interface SiteTools {
  pages: SitePages;
  filter: Pick<UrlFilter, "takes">;
  robots: SiteRobots;
  /** What a sitemap lists, compressed or not. */
  listSitemap(document: FetchedDocument): Promise<ListedUrls>;
  /** Fires when the service stops. */
  signal: AbortSignal;
}

/** A view of a site, in one step. */
export interface Member {
  source: PolledSource;
  /** The site among `SitePages`, and the right to write it. */
  id: string;
  fence: number;
  view: View;
  rules: SiteRules;
  /** Pages, at most. */
  limit: number;
  /** News up to this one are in the log. */
  told: number;
  site: SiteMemory;
  sitemaps: KnownSitemaps;
  /** What its pages have in common; undefined until some were read. */
  dictionary: SiteDictionary | undefined;
  /** A round is under way: pages that were due when it began may not have been visited. */
  isOpen: boolean;
  /** What this step did. */
  step: MemberStep;
}

interface MemberStep {
  startedAt: number;
  visited: number;
  failed: number;
  news: number;
  /** Keys of pages that links of this step have named. */
  offered: Set<string>;
  name?: string;
}

/** What `SitePages` keeps as the memory of a site. */
interface KeptMemory {
  site: SiteMemory;
  sitemaps: KnownSitemaps;
  isOpen: boolean;
  dictionary?: string;
}

/** Takes a view of a site over. Throws `conflict` where a later poll has done so. */
export async function openMember(
  source: PolledSource,
  tools: Pick<ConnectorTools, "admit" | "now">,
  { pages, filter, signal }: SiteTools,
): Promise<Member> {
  const { id = "", fence = 0, view = {}, state, externalId } = source;
  const told = typeof state.told === "number" ? state.told : 0;
  const { memory } = await pages.open(id, fence);
  if (told > 0) await pages.acknowledge(id, fence, told);
  const kept = memory === null ? undefined : (JSON.parse(memory) as KeptMemory);
  return {
    ...{ source, id, fence, view: view as View, told },
    rules: siteRules(externalId, view as View, { admit: tools.admit, filter, signal }),
    limit: view.limit ?? usualPages,
    site: readSiteMemory(kept ? JSON.stringify(kept.site) : null, tools.now()),
    sitemaps: kept?.sitemaps ?? {},
    isOpen: kept?.isOpen ?? false,
    dictionary: kept?.dictionary === undefined ? undefined : readDictionary(kept.dictionary),
    step: { startedAt: tools.now(), visited: 0, failed: 0, news: 0, offered: new Set() },
  };
}

/** The memory of a site, as it is kept. */
export function memoryOf({ site, sitemaps, isOpen, dictionary }: Member): string {
  const kept: KeptMemory = { site, sitemaps, isOpen, ...(dictionary && { dictionary: dictionary.kept }) };
  return JSON.stringify(kept);
}

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/** Rounds after which a page that is not there is looked at: it may be back. */
const roundsGone = 8;

/** Milliseconds after which a page that is not there is looked at once more. */
export function goneMs(member: Pick<Member, "view">, minIntervalMs: number): number {
  return Math.min(dayMs, roundsGone * roundMs(member, minIntervalMs));
}

/** Addresses that are followed from the one that was given. */
const mostMoves = 5;

/** The entry page, where it is now; undefined before it is known. */
export async function entryOf({ id, source }: Member, { pages }: SiteTools): Promise<SitePage | undefined> {
  let key = canonicalUrl(source.externalId)?.key ?? "";
  for (let moves = 0; ; moves += 1) {
    const [page] = await pages.get(id, [key]);
    const next = page?.movedTo === undefined ? undefined : canonicalUrl(page.movedTo)?.key;
    const isElsewhere = page?.state === "moved" || page?.state === "alias";
    if (!isElsewhere || next === undefined || moves >= mostMoves) return page;
    key = next;
  }
}

/** Milliseconds between two rounds: what the view wants, else an hour, or less where the installation polls more often. */
export function roundMs({ view }: Pick<Member, "view">, minIntervalMs: number): number {
  return view.interval === undefined ? Math.min(hourMs, 60 * minIntervalMs) : intervalMs(view.interval);
}

/** Whether all pages of the first round were visited: what is found from then on is news. */
export function hasBaseline({ site }: Pick<Member, "site">): boolean {
  return site.baselineAt !== undefined;
}

/** Whether a page was found before the first round had ended, or through one that was: that it is there is no news. */
export function isOfBaseline(
  { site }: Pick<Member, "site">,
  { foundAt }: Pick<SitePage, "foundAt">,
): boolean {
  return foundAt <= (site.baselineAt ?? 0);
}
