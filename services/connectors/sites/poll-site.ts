import type { SitePage } from "../../../mixins/site-pages/site-pages.ts";
import type { CheckedVersion, PollResult, Post } from "../../contracts/connectors.contract.ts";
import { refusalOf } from "../../domain/crawl/content-policy.ts";
import { contentUsage, type Use } from "../../domain/crawl/content-usage.ts";
import {
  type ConnectorTools,
  failedByError,
  failedPoll,
  type PolledSource,
  readingOf,
} from "../connector.ts";
import { decideVisits } from "./decide-visits.ts";
import { hasBaseline, type Member, memoryOf, openMember, type SiteTools } from "./site-member.ts";
import type { StoredNews } from "./site-news.ts";
import { pauseMs, problemOf } from "./site-reach.ts";
import { closeRound, isRoundDue, nextRoundAt, openRound } from "./site-round.ts";
import { SiteStep } from "./site-step.ts";
import { HostIsBusy, type Row, rowOf } from "./site-visit.ts";

/*
 * A poll of a site is one step of a work that never ends: it visits the pages that are due, as many as its time allows, and
 * answers what is to be told by now. All that it finds is in `SitePages` before it goes on, so that the next step, in
 * whatever process, continues after a crash at any moment.
 */

/** Pages that are visited before what came of them is written. */
const batchSize = 16;
/** News after which a step visits no more: what the next answer takes. */
const enoughNews = 180;
/** What one step answers at most: posts, and characters of all that goes with them. */
const [mostPosts, mostCharacters] = [50, 4_000_000];
const mostNews = 200;
/** Milliseconds between two steps while there is more to do; and where the host is busy. */
const [soonMs, busyMs] = [50, 1000];
/** Pages that fall due one by one are visited together, so late at most (ms). */
const gatherMs = 15_000;

/** Polls a site once for several views of it. */
export async function pollSites(
  sources: PolledSource[],
  tools: ConnectorTools,
  site: SiteTools,
): Promise<PollResult[]> {
  const members = await Promise.all(sources.map(source => openMember(source, tools, site)));
  const entryUrl = sources[0]?.externalId ?? "";
  let isBusy = members.some(member => pauseMs(member, tools.now()) > 0);
  if (isBusy) return await resultsOf(members, isBusy, tools, site);
  try {
    const due = members.filter(member => isRoundDue(member, tools));
    const robots = await (due.length > 0
      ? site.robots.refresh(entryUrl, tools)
      : site.robots.rulesFor(entryUrl, tools));
    if (!robots.allows(entryUrl)) return sources.map(source => failedPoll(source, tools, keptOut));
    const refusal = refusalOf(contentUsage(robots.usage(entryUrl)), usesOf(sources));
    if (refusal !== null)
      return sources.map(source => failedPoll(source, tools, refusal, { code: "content_refused" }));
    for (const member of due) await openRound(member, robots, tools, site);
    await visitDue(new SiteStep(members, tools, site));
  } catch (error) {
    if (!(error instanceof HostIsBusy)) return sources.map(source => failedByError(source, tools, error));
    isBusy = true;
  }
  return await resultsOf(members, isBusy, tools, site);
}

function resultsOf(
  members: readonly Member[],
  isBusy: boolean,
  tools: ConnectorTools,
  site: SiteTools,
): Promise<PollResult[]> {
  return Promise.all(members.map(member => resultOf(member, isBusy, tools, site)));
}

/** What the views of one poll want content for. */
function usesOf([source]: readonly PolledSource[]): readonly Use[] {
  return readingOf(source?.view ?? {}).content_uses ?? [];
}

const keptOut = "The site's robots.txt does not allow Magpie to read its entry page.";

async function visitDue(step: SiteStep): Promise<void> {
  const { members } = step;
  while (step.hasTime() && members.every(({ step: { news } }) => news < enoughNews)) {
    const groups = await dueGroups(step);
    if (groups.length === 0) return;
    const visits = await step.visit(groups);
    for (const member of members) {
      const own = visits.filter(({ row }) => row.member === member);
      if (own.length > 0) await decideVisits(member, own, step);
    }
    if (!step.isBusy) continue;
    for (const member of members)
      if (member.site.pause) await step.site.pages.settle(member.id, member.fence, [], memoryOf(member));
    throw new HostIsBusy("The host wants a pause.");
  }
}

/** The pages that are due in any view, with those of the other views that have them, too. */
async function dueGroups({ members, tools, site }: SiteStep): Promise<Row[][]> {
  const rows = await Promise.all(
    members.map(async member => {
      const due = await site.pages.due(member.id, tools.now(), batchSize);
      return due.map(page => rowOf(member, page));
    }),
  );
  const byKey = Map.groupBy(rows.flat(), ({ page }) => page.key);
  if (members.length > 1)
    for (const member of members) {
      const missing = [...byKey].filter(([, group]) => group.every(row => row.member !== member));
      const others = await site.pages.get(
        member.id,
        missing.map(([key]) => key),
      );
      for (const page of others)
        if (isWatched(page) && !page.news?.length) byKey.get(page.key)?.push(rowOf(member, page));
    }
  return [...byKey.values()];
}

function isWatched({ state }: SitePage): boolean {
  return state === "there" || state === "new" || state === "missing";
}

async function resultOf(
  member: Member,
  isBusy: boolean,
  tools: ConnectorTools,
  site: SiteTools,
): Promise<PollResult> {
  const { source, id, step, told } = member;
  const { baseline: _, ...state } = source.state;
  const now = tools.now();
  let news = await newsOf(member, site);
  const problem = news.last === undefined ? await problemOf(member, site) : undefined;
  if (problem !== undefined) {
    const waitMs = Math.max(await workInMs(member, tools, site), pauseMs(member, now), tools.minIntervalMs);
    return { ...failedPoll(source, tools, problem), nextInMs: waitMs };
  }
  const nextDue = await site.pages.nextDue(id);
  const isDone = nextDue === null || nextDue > now;
  const isConfirmed = !(await isConfirming(id, tools, site));
  if (isDone && isConfirmed && news.last === undefined && member.isOpen && !isBusy) {
    await closeRound(member, tools, site);
    news = await newsOf(member, site);
  }
  // Pages of which something is told are due again when the next step has acknowledged it.
  const hasMore = news.last !== undefined || (nextDue !== null && nextDue <= tools.now());
  const workMs = hasMore ? 0 : await workInMs(member, tools, site);
  const waitMs = isBusy ? Math.max(busyMs, pauseMs(member, tools.now())) : Math.max(soonMs, workMs);
  return {
    ok: true,
    posts: news.posts,
    state: {
      ...{ ...state, told: news.last ?? told },
      ...(step.name !== undefined && { name: step.name }),
      ...(!hasBaseline(member) && { baseline: true }),
    },
    nextInMs: waitMs,
    confirm: true,
    underWay: member.isOpen || isBusy || hasMore || !isConfirmed,
    ...(step.name !== undefined && step.name !== source.state.name && { source: { name: step.name } }),
    check: {
      outcome: news.posts.length > 0 ? "changed" : "same",
      reason: reasonOf(member, news.posts),
      tookMs: now - step.startedAt,
      items: news.items,
    },
  };
}

/** Milliseconds until a page or a round is due. */
async function workInMs(member: Member, tools: ConnectorTools, site: SiteTools): Promise<number> {
  const visitAt = await nextVisitAt(member.id, tools, site);
  return Math.min(visitAt, nextRoundAt(member, tools.minIntervalMs)) - tools.now();
}

/** Milliseconds until the second visit of a page that answered 404 or 410; with some to spare. */
const confirmationMs = 60_000;
const mostMissing = 50;

/** Whether a second visit says soon that a page is gone: a round ends with that. */
async function isConfirming(id: string, { now }: ConnectorTools, { pages }: SiteTools): Promise<boolean> {
  const missing = await pages.list(id, { states: ["missing"], limit: mostMissing });
  return missing.some(({ dueAt }) => dueAt <= now() + confirmationMs);
}

/** When the next step is to visit pages: at once what confirms a visit of late, and else what has become due by then. */
async function nextVisitAt(
  id: string,
  { now, minIntervalMs }: ConnectorTools,
  { pages }: SiteTools,
): Promise<number> {
  const gatheredAt = now() + Math.min(gatherMs, minIntervalMs);
  const soon = await pages.due(id, gatheredAt, batchSize);
  if (soon.length === 0) return (await pages.nextDue(id)) ?? Number.POSITIVE_INFINITY;
  const confirms = soon.find(
    ({ dueAt, visitedAt, foundAt }) => dueAt - (visitedAt ?? foundAt) <= confirmationMs,
  );
  return confirms?.dueAt ?? gatheredAt;
}

interface Told {
  posts: Post[];
  items: CheckedVersion[];
  /** The place of the last of them; absent for none. */
  last?: number;
}

/** What is to be told now, in order. */
async function newsOf({ id, told }: Member, { pages }: SiteTools): Promise<Told> {
  const news = await pages.news(id, told, mostNews);
  const found: Told = { posts: [], items: [] };
  let characters = 0;
  for (const { seq, post: text } of news) {
    const { post, version } = JSON.parse(text) as StoredNews;
    characters += text.length;
    const isFull = found.posts.length >= mostPosts || characters > mostCharacters;
    if (isFull && found.last !== undefined) break;
    if (post) found.posts.push(post);
    if (version) found.items.push(version);
    found.last = seq;
  }
  return found;
}

function reasonOf({ site: { baselineAt, counts } }: Member, posts: Post[]): string {
  if (baselineAt === undefined) return `The pages are read for the first time: ${counts.visited} so far.`;
  if (posts.length === 0) return "No page has changed.";
  return posts.length === 1 ? "1 change was found." : `${posts.length} changes were found.`;
}
