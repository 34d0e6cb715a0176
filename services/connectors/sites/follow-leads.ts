import type { SitePage } from "../../../mixins/site-pages/site-pages.ts";
import { isUnread } from "../../domain/site/page-fate.ts";
import type { Member } from "./site-member.ts";
import type { SiteStep } from "./site-step.ts";
import { type Lead, type Row, rowOf, type Sight } from "./site-visit.ts";
import type { Visited } from "./visit-record.ts";

/*
 * A page that leads to another address has moved there only where a page of its own is: what the address shows is read before
 * anything is told. And a site that leads visitors to one address for a while (to log in, say) leads all of its pages there.
 */

/** Where a lead ends. `nowhere`: no page of its own is there, or it leads back; `unknown`: it could not be read now. */
export type Followed = { to: Lead } | "nowhere" | "unknown";

/** Addresses that are followed, one after the other. */
const mostHops = 3;
/** Pages of the sample that are asked whether they lead away, too. */
const fewWitnesses = 3;

/** Visits pages of the sample where a page that was there redirects: they may lead to the same address. */
export async function askSample(
  member: Member,
  visits: readonly Visited[],
  step: SiteStep,
): Promise<Visited[]> {
  if (!visits.some(({ sight, row }) => sight.kind === "led" && !isUnread(row.page.state))) return [];
  const seen = new Set(visits.map(({ row }) => row.page.key));
  const missing = fewWitnesses - member.site.sample.filter(key => seen.has(key)).length;
  if (missing <= 0) return [];
  const sample = await step.site.pages.get(member.id, member.site.sample);
  const fresh = sample.filter(({ key, state, news }) => !isUnread(state) && !seen.has(key) && !news?.length);
  return await step.visit(fresh.slice(0, missing).map(page => [rowOf(member, page)]));
}

/** Says of each visit whose page leads to another one of the site where that ends. */
export async function followLeads<Of extends Visited>(
  member: Member,
  visits: readonly Of[],
  step: SiteStep,
): Promise<(Of & { lead?: Followed })[]> {
  const seen = new Map(visits.map(({ row, sight }) => [row.page.key, sight]));
  const followed: (Of & { lead?: Followed })[] = [];
  for (const visited of visits) {
    const lead = await followedFrom(member, visited, seen, step);
    followed.push(lead ? { ...visited, lead } : visited);
  }
  return followed;
}

async function followedFrom(
  member: Member,
  { row: { page }, sight }: Visited,
  seen: Map<string, Sight | null>,
  step: SiteStep,
): Promise<Followed | undefined> {
  // A page that was never read and redirects is another address of a page that is visited in its turn.
  let to = sight.kind === "led" && isUnread(page.state) ? undefined : leadOf(sight);
  if (!to) return undefined;
  for (let hops = 0; hops < mostHops; hops += 1) {
    if (to.key === page.key || !(await member.rules.takes(to.to))) return "nowhere";
    const target = await sightAt(member, page, to, seen, step);
    if (target === null || target.kind === "failed") return "unknown";
    const next = leadOf(target);
    if (!next) return target.kind === "read" || target.kind === "same" ? { to } : "nowhere";
    to = next;
  }
  return "nowhere";
}

function leadOf(sight: Sight): Lead | undefined {
  if (sight.kind === "led") return sight;
  return sight.kind === "read" ? sight.canonical : undefined;
}

/** What an address shows: it is read whole, and nothing is made of it. Null where there is no time. */
async function sightAt(
  member: Member,
  from: SitePage,
  { key, to: url }: Lead,
  seen: Map<string, Sight | null>,
  step: SiteStep,
): Promise<Sight | null> {
  const known = seen.get(key);
  if (known && known.kind !== "same") return known;
  const page: SitePage = {
    ...{ key, url, depth: from.depth, from: from.url, title: "", state: "new" },
    ...{ dueAt: from.dueAt, foundAt: from.foundAt },
  };
  const sight = await step.look({ member, page, memory: { state: {} } } satisfies Row);
  seen.set(key, sight);
  return sight;
}
