import type { SettledPage } from "../../../mixins/site-pages/site-pages.ts";
import { nextFate } from "../../domain/site/page-fate.ts";
import type { RoundCounts } from "../../domain/site/site-memory.ts";
import type { SiteNews } from "../../domain/site/site-news.ts";
import { witnessOf } from "../../domain/site/witnesses.ts";
import type { ConnectorTools } from "../connector.ts";
import { type Decided, failed, held, type Left, newsOf } from "./left-by-visit.ts";
import { movedHere, pageAbsent } from "./page-absent.ts";
import { foundAt, twinOf } from "./page-finding.ts";
import { plainMemory } from "./page-memory.ts";
import { pageThere } from "./page-there.ts";
import { dictionaryOf } from "./site-dictionary.ts";
import { hasBaseline, type Member, memoryOf, type SiteTools } from "./site-member.ts";
import { changedSite } from "./site-news.ts";
import { rowOf } from "./site-visit.ts";

/**
 * Writes what visits of one view have found: each page with its news in one step, and the memory of the site with them.
 * `siteNews` go with the first page. New pages come last: one may be another that has moved, which is known then.
 */
export async function settleVisits(
  member: Member,
  visits: readonly Decided[],
  siteNews: readonly SiteNews[],
  tools: ConnectorTools,
  site: SiteTools,
): Promise<void> {
  const isNew = ({ row }: Decided) => row.page.state === "new";
  const phases = [visits.filter(each => !isNew(each)), visits.filter(isNew)];
  let untold = siteNews.map(news => newsOf(changedSite(news), undefined));
  for (const phase of phases) {
    if (phase.length === 0) continue;
    const left: Left[] = [];
    const isLast = phase === phases[1];
    const isSearching = await areOthersDue(member, visits, tools, site);
    for (const visited of isLast ? await renewed(member, phase, site) : phase)
      left.push(await leftBy(visited, isSearching, tools, site));
    for (const { counted } of left) countIn(member, counted);
    const pages = eachOnce(left.flatMap(each => each.pages));
    chooseDictionary(member, pages);
    const [first, ...others] = pages;
    if (!first) continue;
    const written = [{ ...first, news: [...untold, ...(first.news ?? [])] }, ...others];
    untold = [];
    await site.pages.settle(member.id, member.fence, written.map(withoutEmptyNews), memoryOf(member));
    member.step.news += written.reduce((sum, { news = [] }) => sum + news.length, 0);
    const due = left.flatMap(each => each.due ?? []);
    if (due.length > 0)
      await site.pages.mark(
        member.id,
        member.fence,
        due.map(key => ({ key, dueBy: 0 })),
      );
  }
}

/**
 * The first pages that are read together make the dictionary of those that are written after them: when it is in a page's
 * memory that it is needed, it has long been kept.
 */
function chooseDictionary(member: Member, pages: readonly SettledPage[]): void {
  member.dictionary ??= dictionaryOf(pages.flatMap(({ memory }) => (memory && plainMemory(memory)) ?? []));
}

/** What other visits have made of pages in the meantime. */
async function renewed(member: Member, visits: readonly Decided[], { pages }: SiteTools): Promise<Decided[]> {
  const keys = visits.map(({ row }) => row.page.key);
  const known = new Map((await pages.get(member.id, keys)).map(page => [page.key, page]));
  return visits.map(visited => {
    const page = known.get(visited.row.page.key);
    if (!page) return visited;
    return { ...visited, row: rowOf(member, page) };
  });
}

/** The last of what is written of a page counts, with all of its news. */
function eachOnce(pages: readonly SettledPage[]): SettledPage[] {
  const byKey = new Map<string, SettledPage>();
  for (const page of pages) {
    const before = byKey.get(page.key);
    byKey.set(page.key, before ? { ...page, news: [...(before.news ?? []), ...(page.news ?? [])] } : page);
  }
  return [...byKey.values()];
}

function withoutEmptyNews({ news, ...page }: SettledPage): SettledPage {
  return news && news.length > 0 ? { ...page, news } : page;
}

function countIn(member: Member, counted: (keyof RoundCounts)[]): void {
  const counts = { ...member.site.counts };
  for (const name of counted) counts[name] += 1;
  member.site = { ...member.site, counts };
}

/** How often, and how long (ms), a page waits until the one to which it leads can be read. */
const [mostWaits, unknownMs] = [2, 30_000];

/** Whether pages are due that were not visited now, beside those that are missing themselves. */
async function areOthersDue(
  { id }: Member,
  visits: readonly Decided[],
  { now }: ConnectorTools,
  { pages }: SiteTools,
): Promise<boolean> {
  if (!visits.some(({ row }) => row.memory.missing)) return false;
  const visited = new Set(visits.map(({ row }) => row.page.key));
  const due = await pages.due(id, now(), visited.size + mostMissing);
  return due.some(({ key, state }) => state !== "missing" && !visited.has(key));
}

/** How many missing pages may be due before others are seen. */
const mostMissing = 100;

async function leftBy(
  visited: Decided,
  isSearching: boolean,
  tools: ConnectorTools,
  site: SiteTools,
): Promise<Left> {
  const { row, at, sight } = visited;
  if (visited.holdMs !== undefined) return held(visited, visited.holdMs);
  if (sight.kind === "same") return pageThere(visited, tools);
  const twin = await twinOf(visited, site);
  if (twin?.fate === "visit") {
    return { ...held({ ...visited, isLate: true }, twin.waitMs), due: [twin.page.key] };
  }
  if (twin?.fate === "moved") return movedHere(visited, twin.page, tools);
  const { member, page, memory } = row;
  if (visited.lead === "unknown" && (memory.waits ?? 0) < mostWaits)
    return held({ ...visited, isLate: true }, unknownMs);
  const found = await foundAt(visited);
  const step = nextFate({ state: page.state, ...(memory.missing && { missing: memory.missing }) }, found, {
    ...{ at, isTold: hasBaseline(member) },
    witness: witnessOf(member.site, page.key, memory.missing?.since ?? visited.since ?? at),
    roundAt: member.site.roundAt,
    isSearching,
  });
  if (found.is === "failed") return failed(visited, tools);
  if (step.state === "there") return pageThere(visited, tools, step);
  return await pageAbsent(visited, step, site, tools);
}
