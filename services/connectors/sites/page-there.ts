import type { SettledPage, SitePage } from "../../../mixins/site-pages/site-pages.ts";
import type { CheckedVersion, Post } from "../../contracts/connectors.contract.ts";
import { isTrusted, learnLastmod } from "../../domain/site/lastmod-trust.ts";
import type { FateStep } from "../../domain/site/page-fate.ts";
import { nextVisit } from "../../domain/site/visit-pace.ts";
import { canonicalUrl } from "../../domain/url/canonical-url.ts";
import type { ConnectorTools } from "../connector.ts";
import { knownAfter, unreadState } from "../pages/known-page.ts";
import { checkOf } from "../pages/page-check.ts";
import type { PageState } from "../pages/page-state.ts";
import { versionOf } from "../pages/poll-page.ts";
import { type Decided, type Left, newsOf } from "./left-by-visit.ts";
import { type PageMemory, packPageMemory } from "./page-memory.ts";
import { hasBaseline, isOfBaseline, roundMs } from "./site-member.ts";
import { addedPage, changedPage, type NamedPage } from "./site-news.ts";
import { aroundMemory, contentOf, type Row, type Sight } from "./site-visit.ts";
import type { Compared } from "./visit-record.ts";

/** What came of a page that is there. */
interface Made {
  named: NamedPage;
  post: Post | undefined;
  isAdded: boolean;
  isChanged: boolean;
  /** Its first visit. */
  isFirst: boolean;
}

/** The page is there: as it was, or read. */
export function pageThere(visited: Decided, tools: ConnectorTools, step: Pick<FateStep, "tell"> = {}): Left {
  const { row, at, sight, compared } = visited;
  const { page } = row;
  const { missing: _, failures: __, waits: ___, isKnown, ...before } = row.memory;
  const made = madeOf(visited, step);
  const { named, post, isAdded, isChanged, isFirst } = made;
  const isKept = post !== undefined || isFirst || isKnown === true;
  const version = sight.kind === "read" && compared && isKept ? versionIn(sight, compared, page) : undefined;
  const changes = (before.state.changes ?? 0) + (isChanged ? 1 : 0);
  const state = stateAfter(visited, { ...before.state, changes }, version !== undefined, tools);
  nameSite(row, sight, named);
  learn(row, made);
  const { dueAt, ...pace } = paceAfter(visited, isChanged, tools);
  const lastmod = page.listed?.lastmod ?? undefined;
  const memory: PageMemory = { ...before, state, pace, ...(lastmod !== undefined && { lastmod }) };
  const content = sight.kind === "read" ? contentOf(sight.seen) : page.content;
  const confirms = compared?.verdict.confirm && !isFirst;
  const { news: ____, content: _____, movedTo: ______, ...kept } = page;
  const settled: SettledPage = {
    ...kept,
    ...{
      state: "there",
      title: named.title,
      visitedAt: at,
      memory: packPageMemory(memory, aroundMemory(row)),
    },
    dueAt: confirms ? at + Math.min(confirmMs, tools.minIntervalMs / 2) : dueAt,
    ...(content !== undefined && { content }),
    ...(post && { changedAt: at }),
    ...((post || version) && { news: [newsOf(post, version)] }),
  };
  return { pages: [settled], counted: ["visited", isAdded ? "added" : isChanged ? "changed" : "unchanged"] };
}

/** Before a change beside the content is told, it is seen once more. */
const confirmMs = 30_000;

function madeOf({ row, at, sight, compared }: Decided, { tell }: Pick<FateStep, "tell">): Made {
  const { member, page, memory } = row;
  const change = hasBaseline(member) ? compared?.verdict.change : undefined;
  const isFirst = memory.state.told === undefined;
  const named = { url: page.url, title: sight.kind === "read" ? sight.title : page.title };
  const isAdded = tell === "added" && !memory.isKnown && isLaterThanBaseline(row);
  const changed = change && changedPage(named, change, (memory.state.changes ?? 0) + 1);
  const post = isAdded ? addedPage(named, at) : changed;
  return { named, post, isAdded, isChanged: change !== undefined, isFirst };
}

/** Pages of the baseline that could not be read until later are no news. */
function isLaterThanBaseline({ member, page }: Row): boolean {
  return page.state !== "new" || !isOfBaseline(member, page);
}

/** A site is called as its entry page is. */
function nameSite({ member, page }: Row, { kind }: Sight, { title }: NamedPage): void {
  if (kind !== "read" || page.key !== canonicalUrl(member.source.externalId)?.key) return;
  member.step.name = title || new URL(page.url).host;
}

function paceAfter({ row, at }: Decided, isChanged: boolean, { minIntervalMs, random }: ConnectorTools) {
  const { member, page, memory } = row;
  const hasLastmod = page.listed !== undefined && page.listed.lastmod !== null;
  return nextVisit({
    ...(memory.pace && { pace: memory.pace }),
    ...{ at, isChanged, roundMs: roundMs(member, minIntervalMs), random: random() },
    isAsked: member.view.interval !== undefined,
    isListed: hasLastmod && isTrusted(member.site.lastmod),
  });
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
function learn({ member, page, memory }: Row, { isFirst, isChanged }: Made): void {
  const lastmod = page.listed?.lastmod ?? null;
  if (isFirst || !hasBaseline(member) || lastmod === null) return;
  const isSaid = lastmod > (memory.lastmod ?? 0);
  if (isSaid || isChanged)
    member.site = { ...member.site, lastmod: learnLastmod(member.site.lastmod, { isSaid, isChanged }) };
}
