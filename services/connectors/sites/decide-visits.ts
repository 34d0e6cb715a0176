import { TimeSlices } from "../../../mixins/async/time-slices.ts";
import { sortLines } from "../../domain/site/shared-lines.ts";
import { siteNews } from "../../domain/site/site-news.ts";
import { askSample, followLeads } from "./follow-leads.ts";
import type { Decided } from "./left-by-visit.ts";
import { settleVisits } from "./settle-visits.ts";
import type { Member } from "./site-member.ts";
import type { SiteStep } from "./site-step.ts";
import { rowOf } from "./site-visit.ts";
import { compare, type Visited } from "./visit-record.ts";

/** Milliseconds until a page is looked at once more whose places may show something else at each visit. */
const againMs = 30_000;
/** Steps whose time was over before it was known whose a change is; after these it is the page's own. */
const mostWaits = 2;
/** Times that neighbours are looked at, one after the other: each of them may have changes of its own. */
const mostLooks = 4;

/**
 * Decides what visits mean: which changes are the pages' own, and which are the site's, for which neighbours are visited, too;
 * and writes it.
 */
export async function decideVisits(member: Member, visits: Visited[], step: SiteStep): Promise<void> {
  const { site } = step;
  const { pages } = await site.pages.counts(member.id);
  const all = [...visits, ...(await askSample(member, visits, step))];
  for (let looks = 0; looks < mostLooks; looks += 1) {
    const wanted = await undecidedIn(member, all, pages, step);
    if (wanted.length === 0 || !step.hasTime()) break;
    const more = await lookAround(member, wanted, all, step);
    if (more.length === 0) break;
    all.push(...more);
  }
  const noted = all.flatMap(({ visit }) => visit ?? []);
  const told = siteNews(member.site, noted, { pages, at: step.tools.now() });
  const decided: Decided[] = [];
  const slices = new TimeSlices(site.signal);
  for (const visited of all) {
    if (!(await slices.next())) site.signal.throwIfAborted();
    decided.push(await decidedVisit(member, visited, pages, step));
  }
  member.site = told.memory;
  const since = Math.min(...all.map(({ at }) => at));
  const followed = (await followLeads(member, decided, step)).map(each => ({ ...each, since }));
  await settleVisits(member, followed, told.news, step.tools, site);
}

/** The pages of which it is not known yet whose their changes are, and how many others are to be looked at for each. */
async function undecidedIn(
  { site }: Member,
  visits: readonly Visited[],
  pages: number,
  { site: { signal } }: SiteStep,
): Promise<{ key: string; look: number }[]> {
  const wanted: { key: string; look: number }[] = [];
  const slices = new TimeSlices(signal);
  for (const { visit, row } of visits) {
    if (!(await slices.next())) signal.throwIfAborted();
    const look = visit ? sortLines(site, visit, { pages }).look : 0;
    if (look > 0) wanted.push({ key: row.page.key, look });
  }
  return wanted;
}

/** Visits neighbours of pages that were not visited yet, and the sample. */
async function lookAround(
  member: Member,
  wanted: readonly { key: string; look: number }[],
  visited: readonly Visited[],
  step: SiteStep,
): Promise<Visited[]> {
  const { pages } = step.site;
  const known = new Set(visited.map(({ row }) => row.page.key));
  const most = Math.max(...wanted.map(({ look }) => look));
  const sample = await pages.get(member.id, member.site.sample);
  const near = await Promise.all(
    wanted.map(({ key, look }) => pages.near(member.id, key, look + visited.length)),
  );
  const neighbours = near.flatMap((each, n) => {
    const fresh = each.filter(({ key }) => !known.has(key)).slice(0, wanted[n]?.look);
    for (const { key } of fresh) known.add(key);
    return fresh;
  });
  const others = sample.filter(({ key, state }) => state === "there" && !known.has(key)).slice(0, most);
  const rows = [...neighbours, ...others].filter(({ news }) => !news?.length);
  return await step.visit(rows.map(page => [rowOf(member, page)]));
}

async function decidedVisit(
  member: Member,
  visited: Visited,
  pages: number,
  step: SiteStep,
): Promise<Decided> {
  const { visit, row, at } = visited;
  if (!visit?.lines) return visited;
  const waits = row.memory.waits ?? 0;
  const isLate = !step.hasTime();
  const isLast = waits >= mostWaits || !isLate;
  const open = sortLines(member.site, visit, { pages });
  if (open.again) return { ...visited, holdMs: againMs };
  if (open.look > 0 && !isLast) return { ...visited, holdMs: 0, isLate: true };
  const { passed } = sortLines(member.site, visit, { pages, isLast: true });
  if (passed.length === 0) return visited;
  const again = await compare({ row, at, sight: visited.sight }, step.tools, passed);
  return { ...visited, ...again };
}
