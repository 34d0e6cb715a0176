import type { SettledPage, SitePage } from "../../../mixins/site-pages/site-pages.ts";
import type { CheckedVersion, Post } from "../../contracts/connectors.contract.ts";
import { isTrusted, learnLastmod } from "../../domain/site/lastmod-trust.ts";
import { type FateStep, type FoundAt, nextFate, type Target, twinFate } from "../../domain/site/page-fate.ts";
import type { RoundCounts } from "../../domain/site/site-memory.ts";
import type { SiteNews } from "../../domain/site/site-news.ts";
import { nextVisit } from "../../domain/site/visit-pace.ts";
import { isSharedTarget, witnessOf } from "../../domain/site/witnesses.ts";
import { canonicalUrl } from "../../domain/url/canonical-url.ts";
import type { ConnectorTools } from "../connector.ts";
import { knownAfter, unreadState } from "../pages/known-page.ts";
import { checkOf } from "../pages/page-check.ts";
import type { PageState } from "../pages/page-state.ts";
import { versionOf } from "../pages/poll-page.ts";
import { type PageMemory, packPageMemory, unpackPageMemory } from "./page-memory.ts";
import { hasBaseline, type Member, memoryOf, roundMs, type SiteTools } from "./site-member.ts";
import { addedPage, changedPage, changedSite, movedPage, removedPage, type StoredNews } from "./site-news.ts";
import { contentOf, type Lead, type Sight } from "./site-visit.ts";
import type { Compared, Visited } from "./visit-record.ts";

/** A visit of which it is known what it means; or that it cannot be known yet. */
export interface Decided extends Visited {
  /** What it shows is to be seen once more, after so many milliseconds, before anything is made of it. */
  holdMs?: number;
  /** The time of the step was over. */
  isLate?: boolean;
}

/** What one visit leaves: pages to be written, the page itself first. */
interface Left {
  pages: SettledPage[];
  counted: (keyof RoundCounts)[];
  /** Pages that are to be visited now. */
  due?: string[];
}

const dayMs = 24 * 60 * 60 * 1000;
/** A page that is not there is looked at now and then: it may be back. */
const goneMs = 7 * dayMs;
const never = Number.MAX_SAFE_INTEGER;

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
  let untold = siteNews.map(news => JSON.stringify({ post: changedSite(news) } satisfies StoredNews));
  for (const phase of phases) {
    if (phase.length === 0) continue;
    const left: Left[] = [];
    const isLast = phase === phases[1];
    for (const visited of isLast ? await renewed(member, phase, site) : phase)
      left.push(await leftBy(visited, tools, site));
    for (const { counted } of left) countIn(member, counted);
    const pages = eachOnce(left.flatMap(each => each.pages));
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

/** What other visits have made of pages in the meantime. */
async function renewed(member: Member, visits: readonly Decided[], { pages }: SiteTools): Promise<Decided[]> {
  const keys = visits.map(({ row }) => row.page.key);
  const known = new Map((await pages.get(member.id, keys)).map(page => [page.key, page]));
  return visits.map(visited => {
    const page = known.get(visited.row.page.key);
    if (!page) return visited;
    return { ...visited, row: { ...visited.row, page, memory: unpackPageMemory(page.memory) } };
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

async function leftBy(visited: Decided, tools: ConnectorTools, site: SiteTools): Promise<Left> {
  const { row, at, sight } = visited;
  if (visited.holdMs !== undefined) return held(visited, visited.holdMs);
  if (sight.kind === "same") return there(visited, tools);
  const twin = await twinOf(visited, site);
  if (twin?.fate === "visit") return { ...held(visited, 0), due: [twin.page.key] };
  if (twin?.fate === "moved") return movedHere(visited, twin.page, tools);
  const { member, page, memory } = row;
  const found = await foundAt(visited);
  const step = nextFate({ state: page.state, ...(memory.missing && { missing: memory.missing }) }, found, {
    ...{ at, isTold: hasBaseline(member) },
    witness: witnessOf(member.site, page.key, memory.missing?.since ?? at),
  });
  if (found.is === "failed") return failed(visited, tools);
  if (step.state === "there") return there(visited, tools, step);
  return await absent(visited, step, site);
}

/** What the visit says of the page's fate. */
async function foundAt({ row: { member, page }, sight }: Visited): Promise<FoundAt> {
  if (sight.kind === "led") {
    const { isPermanent } = sight;
    return { is: "redirect", isPermanent, to: await targetOf(member, page.key, sight) };
  }
  if (sight.kind === "read" && sight.canonical) {
    const to = await targetOf(member, page.key, sight.canonical);
    return to.isInScope ? { is: "canonical", to } : { is: "page" };
  }
  return { is: sight.kind === "read" || sight.kind === "same" ? "page" : sight.kind };
}

async function targetOf({ rules, site, source }: Member, from: string, { to, key }: Lead): Promise<Target> {
  const isEntry = key === canonicalUrl(source.externalId)?.key;
  const isShared = isEntry || isSharedTarget(site, from, key);
  return { key, url: to, isInScope: await rules.takes(to), isShared };
}

/** A page that says what this new one says, and what that makes of it. */
async function twinOf({ row, sight }: Visited, { pages }: SiteTools) {
  const { member, page, memory } = row;
  if (sight.kind !== "read" || page.state !== "new" || memory.isKnown || !hasBaseline(member))
    return undefined;
  if (page.foundAt <= (member.site.baselineAt ?? 0)) return undefined;
  const content = contentOf(sight.seen);
  const twins = content === undefined ? [] : await pages.withContent(member.id, content);
  for (const twin of twins) {
    if (twin.key === page.key) continue;
    const fate = twinFate(twin, page.foundAt);
    if (fate !== "copy") return { fate, page: twin };
  }
  return undefined;
}

/** The page is as it was before this visit, and is visited again. */
function held({ row: { page, memory }, at, isLate = false }: Decided, holdMs: number): Left {
  const { news: _, ...kept } = page;
  const waits = isLate ? { waits: (memory.waits ?? 0) + 1 } : {};
  const packed = packPageMemory({ ...memory, ...waits });
  const visitedAt = page.state === "new" ? {} : { visitedAt: at };
  return { pages: [{ ...kept, ...visitedAt, dueAt: at + holdMs, memory: packed }], counted: ["visited"] };
}

function failed({ row, at, sight }: Visited, { minIntervalMs }: ConnectorTools): Left {
  const { member, page, memory } = row;
  const { news: _, ...kept } = page;
  const failures = (memory.failures ?? 0) + 1;
  const waitMs = Math.min(dayMs, minIntervalMs * 2 ** Math.min(failures + 1, 30));
  member.step.failed += 1;
  if (sight.kind === "failed") member.step.problem = sight.reason;
  return {
    pages: [{ ...kept, visitedAt: at, dueAt: at + waitMs, memory: packPageMemory({ ...memory, failures }) }],
    counted: ["visited", "failed"],
  };
}

/** The page is there: as it was, or read. */
function there(visited: Decided, tools: ConnectorTools, { tell }: Pick<FateStep, "tell"> = {}): Left {
  const { row, at, sight, compared } = visited;
  const { member, page } = row;
  const { missing: _, failures: __, waits: ___, isKnown, ...before } = row.memory;
  const change = compared?.verdict.change;
  const isChanged = change !== undefined && hasBaseline(member);
  const isFirst = before.state.told === undefined;
  const named = { url: page.url, title: sight.kind === "read" ? sight.title : page.title };
  if (sight.kind === "read" && page.depth === 0 && page.key === canonicalUrl(member.source.externalId)?.key)
    member.step.name = named.title || new URL(page.url).host;
  const changes = (before.state.changes ?? 0) + (isChanged ? 1 : 0);
  const isAdded = tell === "added" && !isKnown && isLaterThanBaseline(row);
  const post = isAdded ? addedPage(named, at) : isChanged ? changedPage(named, change, changes) : undefined;
  const version =
    sight.kind === "read" && compared && (post || isFirst) ? versionIn(sight, compared, page) : undefined;
  const state = stateAfter(visited, { ...before.state, changes }, version !== undefined, tools);
  learn(member, row, { isFirst, isChanged });
  const { dueAt, ...pace } = nextVisit({
    ...(before.pace && { pace: before.pace }),
    ...{
      at,
      isChanged,
      roundMs: roundMs(member, tools.minIntervalMs),
      isAsked: member.view.interval !== undefined,
    },
    isListed: page.listed !== undefined && page.listed.lastmod !== null && isTrusted(member.site.lastmod),
    random: tools.random(),
  });
  const lastmod = page.listed?.lastmod ?? undefined;
  const memory: PageMemory = { ...before, state, pace, ...(lastmod !== undefined && { lastmod }) };
  const content = sight.kind === "read" ? contentOf(sight.seen) : page.content;
  const confirmMs =
    compared?.verdict.confirm && !isFirst ? Math.min(30_000, tools.minIntervalMs / 2) : undefined;
  const { news: ____, content: _____, movedTo: ______, ...kept } = page;
  return {
    pages: [
      {
        ...kept,
        ...{ state: "there", title: named.title, visitedAt: at, memory: packPageMemory(memory) },
        dueAt: confirmMs === undefined ? dueAt : at + confirmMs,
        ...(content !== undefined && { content }),
        ...(post && { changedAt: at }),
        ...((post || version) && { news: [newsOf(post, version)] }),
      },
    ],
    counted: ["visited", isAdded ? "added" : isChanged ? "changed" : "unchanged"],
  };
}

/** Pages of the baseline that could not be read until later are no news. */
function isLaterThanBaseline({ member, page }: Visited["row"]): boolean {
  return page.state !== "new" || page.foundAt > (member.site.baselineAt ?? 0);
}

function newsOf(post: Post | undefined, version: CheckedVersion | undefined): string {
  return JSON.stringify({ ...(post && { post }), ...(version && { version }) } satisfies StoredNews);
}

/** What is kept of the page; undefined where the same is kept already. */
function versionIn(
  { polled }: Extract<Sight, { kind: "read" }>,
  { verdict, words }: Compared,
  { url }: SitePage,
): CheckedVersion | undefined {
  return polled.page && { item: url, ...versionOf(polled.page, verdict, words) };
}

function stateAfter(
  { at, sight, compared, row }: Decided,
  before: Partial<PageState>,
  isKept: boolean,
  tools: ConnectorTools,
): Partial<PageState> {
  const checked = { checkedAt: at };
  if (sight.kind === "same") return { ...unreadState(before, sight.unchanged, at), ...checked };
  if (sight.kind !== "read" || !compared) return before;
  const { kept, verdict, isSettled } = compared;
  const isFirst = row.memory.state.told === undefined;
  // The second visit of a page comes in its turn: it is no confirmation of the first.
  const { confirms, ...calm } = kept;
  const check = checkOf(sight.polled.job, sight.seen, verdict, 0);
  const page = isKept ? sight.polled.page?.hash : before.page;
  return {
    ...(isFirst && confirms === "baseline" ? calm : kept),
    ...(page !== undefined && { page }),
    ...{ changes: before.changes ?? 0, ...checked },
    ...knownAfter(sight.polled.known, check, isSettled || (isFirst && confirms === "baseline"), tools.now()),
  };
}

/** Whether what the sitemap says of the page is true. */
function learn(
  member: Member,
  { page, memory }: Visited["row"],
  { isFirst, isChanged }: { isFirst: boolean; isChanged: boolean },
): void {
  const lastmod = page.listed?.lastmod ?? null;
  if (isFirst || !hasBaseline(member) || lastmod === null) return;
  const isSaid = lastmod > (memory.lastmod ?? 0);
  if (isSaid || isChanged)
    member.site = { ...member.site, lastmod: learnLastmod(member.site.lastmod, { isSaid, isChanged }) };
}

/** The page has moved to where this new one is. */
function movedHere(visited: Decided, twin: SitePage, tools: ConnectorTools): Left {
  const { row, at } = visited;
  const here = there({ ...visited, row: { ...row, memory: { ...row.memory, isKnown: true } } }, tools);
  const reason = "What it said is at the new address now.";
  return {
    pages: [...here.pages, movedRow(twin, { key: row.page.key, url: row.page.url }, reason, at, true)],
    counted: ["visited", "moved"],
  };
}

function movedRow(
  page: SitePage,
  to: Pick<Target, "key" | "url">,
  reason: string,
  at: number,
  isTold: boolean,
): SettledPage {
  const { news: _, memory: __, content: ___, ...kept } = page;
  const named = { url: page.url, title: page.title };
  const post = movedPage(named, { from: page.url, to: to.url, reason, at });
  return {
    ...kept,
    ...{ state: "moved", movedTo: to.url, visitedAt: at, dueAt: never },
    ...(isTold && { changedAt: at, news: [newsOf(post, undefined)] }),
  };
}

/** The page is not there, or not any more. */
async function absent(visited: Decided, step: FateStep, site: SiteTools): Promise<Left> {
  const { row, at, sight } = visited;
  const { member, page, memory } = row;
  const { news: _, ...kept } = page;
  const { state, tell, to, missing, dueInMs, wantsWitness } = step;
  if (state === "missing") {
    const { missing: __, ...rest } = memory;
    const packed = packPageMemory({ ...rest, ...(missing && { missing }) });
    return {
      pages: [{ ...kept, state, visitedAt: at, dueAt: at + (dueInMs ?? 0), memory: packed }],
      counted: ["visited"],
      ...(wantsWitness && { due: member.site.sample }),
    };
  }
  if (state === "moved" && to) {
    const reason = movedReason(sight);
    const pages = [movedRow(page, to, reason, at, tell === "moved"), ...(await movedInto(row, to, at, site))];
    return { pages, counted: ["visited", ...(tell ? (["moved"] as const) : [])] };
  }
  const found = state === "alias" && to?.isInScope ? await aliasTarget(visited, to, site) : [];
  const named = { url: page.url, title: page.title };
  const post = tell === "removed" && removedPage(named, removedReason(sight), at);
  const { memory: ___, content: ____, ...rest } = kept;
  return {
    pages: [
      {
        ...rest,
        ...{ state, visitedAt: at, dueAt: at + goneMs },
        ...(to && { movedTo: to.url }),
        ...(post && { changedAt: at, news: [newsOf(post, undefined)] }),
      },
      ...found,
    ],
    counted: ["visited", ...(post ? (["removed"] as const) : [])],
  };
}

/** The page at the new address is no new one. */
async function movedInto(
  { member, page }: Visited["row"],
  { key, url }: Target,
  at: number,
  { pages }: SiteTools,
) {
  const [known] = await pages.get(member.id, [key]);
  if (known?.state === "there" || known?.state === "missing") return [];
  const { depth, from, listed } = known ?? page;
  return [
    {
      ...{ key, url, depth, from, title: page.title, state: "new" as const, dueAt: at, foundAt: at },
      ...(known && listed && { listed }),
      memory: packPageMemory({ state: {}, isKnown: true }),
    },
  ];
}

/** The page that an unread one leads to is a page of the site, too. */
async function aliasTarget(
  { row, at }: Visited,
  { key, url }: Target,
  { pages }: SiteTools,
): Promise<SettledPage[]> {
  const { member, page } = row;
  const { depth, from, foundAt } = page;
  await pages.offer(member.id, member.fence, [{ key, url, depth, from, dueAt: at, foundAt }], member.limit);
  return [];
}

function movedReason(sight: Sight): string {
  if (sight.kind !== "led") return "The page names the new address as its own.";
  return sight.isPermanent
    ? "The former address redirects there for good."
    : "The former address has redirected there in two visits an hour apart.";
}

function removedReason(sight: Sight): string {
  switch (sight.kind) {
    case "gone":
      return `It answered ${sight.status} in two visits.`;
    case "led":
      return `It leads to ${sight.to}, which is another page.`;
    case "refused":
    case "empty":
      return sight.reason;
    default:
      return "It was not found in two visits.";
  }
}
