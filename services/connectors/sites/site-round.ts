import type { FoundPage } from "../../../mixins/site-pages/site-pages.ts";
import { type RobotsRules, sitemapsToRead } from "../../domain/crawl/robots-rules.ts";
import { isTrusted, weighLastmods } from "../../domain/site/lastmod-trust.ts";
import { beginRound, sampleSize } from "../../domain/site/site-memory.ts";
import {
  differenceIn,
  isDaily,
  type SitemapEntry,
  sortedEntries,
} from "../../domain/site/sitemap-difference.ts";
import { renewedSample } from "../../domain/site/witnesses.ts";
import { canonicalUrl } from "../../domain/url/canonical-url.ts";
import type { ConnectorTools } from "../connector.ts";
import { entryOf, hasBaseline, type Member, memoryOf, roundMs, type SiteTools } from "./site-member.ts";
import { checkedSite, type StoredNews } from "./site-news.ts";
import { type ListedInSitemap, type ReadSitemaps, readSitemaps } from "./site-sitemaps.ts";

/** Pages that are offered, marked or read in one step of the store. */
const slice = 1000;

/** Whether a round through a site is due: by its interval, or because somebody asked. */
export function isRoundDue(
  member: Member,
  { now, minIntervalMs }: Pick<ConnectorTools, "now" | "minIntervalMs">,
) {
  const { site, source } = member;
  if (site.round === 0) return true;
  // The first round ends when all pages were visited, however long that takes: until then nothing is news.
  if (!hasBaseline(member)) return false;
  if ((source.askedAt ?? 0) > site.roundAt) return true;
  return now() >= nextRoundAt(member, minIntervalMs);
}

export function nextRoundAt({ site, view }: Pick<Member, "site" | "view">, minIntervalMs: number): number {
  if (site.baselineAt === undefined) return Number.MAX_SAFE_INTEGER;
  const usual = site.roundAt + roundMs({ view }, minIntervalMs);
  return Math.min(usual, Math.max(site.wantedAt ?? usual, site.roundAt + minIntervalMs));
}

/**
 * Begins a round: reads the sitemaps by conditional requests, offers the pages that are new in them, and makes pages due
 * whose date there has changed, or that have left them; and the entry page and a sample, which each round visits.
 */
export async function openRound(
  member: Member,
  robots: RobotsRules,
  tools: ConnectorTools,
  site: SiteTools,
): Promise<void> {
  const { id, fence, source, view } = member;
  const isAsked = (source.askedAt ?? 0) > member.site.roundAt;
  if (member.isOpen) await closeRound(member, tools, site);
  const at = tools.now();
  member.site = beginRound(member.site, at);
  member.isOpen = true;
  const entry = canonicalUrl(source.externalId);
  if (entry)
    await site.pages.offer(
      id,
      fence,
      [{ ...entry, depth: 0, from: null, dueAt: at, foundAt: at }],
      member.limit,
    );
  if (view.sitemaps !== false) await compareSitemaps(member, robots, at, tools, site);
  const sample = await sampleOf(member, site);
  member.site = { ...member.site, sample };
  const present = await entryOf(member, site);
  const marks = [...(present ? [present.key] : []), ...(hasBaseline(member) ? sample : [])];
  await site.pages.mark(
    id,
    fence,
    marks.map(key => ({ key, dueBy: at })),
  );
  if (isAsked && hasBaseline(member)) await markAll(member, at, site);
  await site.pages.settle(id, fence, [], memoryOf(member));
}

async function compareSitemaps(
  member: Member,
  robots: RobotsRules,
  at: number,
  tools: ConnectorTools,
  site: SiteTools,
): Promise<void> {
  const roots = sitemapsToRead(robots, member.source.externalId);
  const read = await readSitemaps(roots, member.sitemaps, { ...tools, listSitemap: site.listSitemap });
  if (read.pages !== null) await offerListed(member, read, at, site);
  member.sitemaps = read.known;
}

async function offerListed(
  member: Member,
  { pages, isWhole }: ReadSitemaps,
  at: number,
  site: SiteTools,
): Promise<void> {
  const { id, fence, limit } = member;
  const entries = await entriesOf(member, pages ?? []);
  const times = entries.map(({ lastmod }) => lastmod);
  member.site = { ...member.site, lastmod: weighLastmods(member.site.lastmod, times) };
  const believed = {
    ...{ at, isComplete: isWhole, isDaily: isDaily(entries, at) },
    isTrusted: isTrusted(member.site.lastmod),
  };
  for (let [next, after, isLast] = [0, "", false]; !isLast; ) {
    const known = await site.pages.listed(id, after, slice);
    isLast = known.length < slice;
    const difference = differenceIn(entries, next, known, { ...believed, isLast });
    const marks = difference.marks.map(({ isDue, ...mark }) => ({ ...mark, ...(isDue && { dueBy: at }) }));
    if (marks.length > 0) await site.pages.mark(id, fence, marks);
    // What is due already comes first: a page that is new may be one that has moved.
    const found = difference.fresh.map(
      ({ key, url, lastmod }): FoundPage => ({
        ...{ key, url, depth: 0, from: null, listed: { lastmod }, dueAt: at + 1, foundAt: at },
      }),
    );
    for (let from = 0; from < found.length; from += slice)
      await site.pages.offer(id, fence, found.slice(from, from + slice), limit);
    next = difference.next;
    after = known.at(-1)?.key ?? after;
  }
}

/** What the sitemaps list of the pages that the view takes. */
async function entriesOf({ rules }: Member, pages: readonly ListedInSitemap[]): Promise<SitemapEntry[]> {
  const lastmods = new Map(pages.map(({ url, lastmod }) => [canonicalUrl(url)?.key ?? "", lastmod]));
  const addresses = await rules.listed(pages.map(({ url }) => url));
  return sortedEntries(addresses.map(({ key, url }) => ({ key, url, lastmod: lastmods.get(key) ?? null })));
}

/** The pages that each round visits, wherever they are in the site. */
async function sampleOf({ id, site }: Member, { pages }: SiteTools): Promise<string[]> {
  if (site.baselineAt === undefined) return site.sample;
  const known = await pages.get(id, site.sample);
  // Pages that are missing stay in it: they tell when the whole site is not there.
  const kept = new Set(
    known.flatMap(({ key, state }) => (state === "there" || state === "missing" ? key : [])),
  );
  if (kept.size >= sampleSize) return site.sample;
  const candidates: string[] = [];
  for await (const some of allKeys(id, pages))
    candidates.push(...some.flatMap(({ key, state }) => (state === "there" ? key : [])));
  return renewedSample(site, key => !kept.has(key), candidates);
}

async function* allKeys(id: string, pages: SiteTools["pages"]) {
  for (let after = ""; ; ) {
    const some = await pages.listed(id, after, slice);
    yield some;
    const last = some.at(-1)?.key;
    if (last === undefined || some.length < slice) return;
    after = last;
  }
}

/** Somebody wants to know now what has changed. */
async function markAll({ id, fence }: Member, at: number, { pages }: SiteTools): Promise<void> {
  for await (const some of allKeys(id, pages)) {
    const wanted = some.filter(({ state }) => state !== "alias");
    await pages.mark(
      id,
      fence,
      wanted.map(({ key }) => ({ key, dueBy: at })),
    );
  }
}

/** Ends a round in which every page was visited that was due, and tells of it where that is wanted. */
export async function closeRound(
  member: Member,
  tools: Pick<ConnectorTools, "now">,
  site: SiteTools,
): Promise<void> {
  const { id, fence, view } = member;
  const at = tools.now();
  const isFirst = !hasBaseline(member);
  if (isFirst) member.site = { ...member.site, baselineAt: at };
  member.isOpen = false;
  const [entry] = await site.pages.get(id, [canonicalUrl(member.source.externalId)?.key ?? ""]);
  if (!view.checks || !entry) return await site.pages.settle(id, fence, [], memoryOf(member));
  const { pages } = await site.pages.counts(id);
  const post = checkedSite({
    ...{
      started_at: new Date(member.site.roundAt).toISOString(),
      ended_at: new Date(at).toISOString(),
      pages,
    },
    ...member.site.counts,
  });
  const { news: _, ...row } = entry;
  const told = JSON.stringify({ post } satisfies StoredNews);
  await site.pages.settle(id, fence, [{ ...row, news: [told] }], memoryOf(member));
  member.step.news += 1;
}
