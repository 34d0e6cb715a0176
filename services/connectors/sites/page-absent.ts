import type { SettledPage, SitePage } from "../../../mixins/site-pages/site-pages.ts";
import type { FateStep, Target } from "../../domain/site/page-fate.ts";
import type { ConnectorTools } from "../connector.ts";
import { type Decided, type Left, newsOf } from "./left-by-visit.ts";
import { packPageMemory } from "./page-memory.ts";
import { pageThere } from "./page-there.ts";
import { goneMs, type SiteTools } from "./site-member.ts";
import { movedPage, removedPage } from "./site-news.ts";
import { aroundMemory, type Row, type Sight } from "./site-visit.ts";

/** Milliseconds. A page that is missing may be at another address: a round looks for it before it is missed once more. */
const lookMs = 20_000;

/** The page is not there, or not any more. */
export async function pageAbsent(
  visited: Decided,
  step: FateStep,
  site: SiteTools,
  tools: ConnectorTools,
): Promise<Left> {
  const { row, at, sight } = visited;
  const { state, tell, to } = step;
  const dueAt = at + goneMs(row.member, tools.minIntervalMs);
  if (state === "missing") return missing(visited, step);
  if (state === "moved" && to) {
    const old = movedRow(row.page, to, { reason: movedReason(sight), at, dueAt, isTold: tell === "moved" });
    const pages = [old, ...(await movedInto(row, to, at, site))];
    return { pages, counted: ["visited", ...(tell ? (["moved"] as const) : [])] };
  }
  if (state === "alias" && to?.isInScope) await offerTarget(visited, to, site);
  const { news: _, memory: __, content: ___, ...kept } = row.page;
  const named = { url: kept.url, title: kept.title };
  const post = tell === "removed" && removedPage(named, removedReason(sight), at);
  const settled: SettledPage = {
    ...kept,
    ...{ state, visitedAt: at, dueAt },
    ...(to && { movedTo: to.url }),
    ...(post && { changedAt: at, news: [newsOf(post, undefined)] }),
  };
  return { pages: [settled], counted: ["visited", ...(post ? (["removed"] as const) : [])] };
}

function missing({ row, at }: Decided, { missing: since, dueInMs = 0, wantsWitness }: FateStep): Left {
  const { member, page, memory } = row;
  const { news: _, ...kept } = page;
  const { missing: __, ...rest } = memory;
  if (memory.missing === undefined) member.site = { ...member.site, wantedAt: at + lookMs };
  const packed = packPageMemory({ ...rest, ...(since && { missing: since }) }, aroundMemory(row));
  return {
    pages: [{ ...kept, state: "missing", visitedAt: at, dueAt: at + dueInMs, memory: packed }],
    counted: ["visited"],
    ...(wantsWitness && { due: member.site.sample }),
  };
}

/** The page has moved to where this new one is. */
export function movedHere(visited: Decided, twin: SitePage, tools: ConnectorTools): Left {
  const { row, at } = visited;
  const { pages } = pageThere(
    { ...visited, row: { ...row, memory: { ...row.memory, isKnown: true } } },
    tools,
  );
  const dueAt = at + goneMs(row.member, tools.minIntervalMs);
  const how = { reason: "What it said is at the new address now.", at, dueAt, isTold: true };
  return { pages: [...pages, movedRow(twin, row.page, how)], counted: ["visited", "moved"] };
}

function movedRow(
  page: SitePage,
  to: Pick<Target, "key" | "url">,
  { reason, at, dueAt, isTold }: { reason: string; at: number; dueAt: number; isTold: boolean },
): SettledPage {
  const { news: _, memory: __, content: ___, ...kept } = page;
  const named = { url: page.url, title: page.title };
  const post = movedPage(named, { from: page.url, to: to.url, reason, at });
  return {
    ...kept,
    ...{ state: "moved", movedTo: to.url, visitedAt: at, dueAt },
    ...(isTold && { changedAt: at, news: [newsOf(post, undefined)] }),
  };
}

/** The page at the new address is no new one: what it said is known. */
async function movedInto(
  { member, page, memory }: Row,
  { key, url }: Target,
  at: number,
  { pages }: SiteTools,
): Promise<SettledPage[]> {
  const [known] = await pages.get(member.id, [key]);
  if (known?.state === "there" || known?.state === "missing") return [];
  const { depth, from, listed } = known ?? page;
  const { known: _, page: __, ...state } = memory.state;
  return [
    {
      ...{ key, url, depth, from, title: page.title, state: "new", dueAt: at, foundAt: at },
      ...(known && listed && { listed }),
      memory: packPageMemory(
        { state, isKnown: true, ...(memory.pace && { pace: memory.pace }) },
        { url, dictionary: member.dictionary },
      ),
    },
  ];
}

/** The page that an unread one leads to is a page of the site, too. */
async function offerTarget({ row, at }: Decided, { key, url }: Target, { pages }: SiteTools): Promise<void> {
  const { member, page } = row;
  const { depth, from, foundAt } = page;
  await pages.offer(member.id, member.fence, [{ key, url, depth, from, dueAt: at, foundAt }], member.limit);
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
