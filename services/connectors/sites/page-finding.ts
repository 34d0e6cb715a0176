import type { SitePage } from "../../../mixins/site-pages/site-pages.ts";
import { type FoundAt, isUnread, type Target, twinFate } from "../../domain/site/page-fate.ts";
import { isSharedTarget } from "../../domain/site/witnesses.ts";
import { canonicalUrl } from "../../domain/url/canonical-url.ts";
import type { Decided } from "./left-by-visit.ts";
import { hasBaseline, isOfBaseline, type Member, type SiteTools } from "./site-member.ts";
import { contentOf, type Lead, rowOf } from "./site-visit.ts";
import { leadName, type Visited } from "./visit-record.ts";

/** What the visit says of the page's fate. */
export async function foundAt({ row: { member, page }, sight, lead }: Decided): Promise<FoundAt> {
  const end = typeof lead === "object" ? lead.to : undefined;
  if (sight.kind === "led") {
    const { isPermanent } = sight;
    const to = await targetOf(member, page, end ?? sight);
    // Where no page of its own is, nothing has moved to.
    return { is: "redirect", isPermanent, to: end || isUnread(page.state) ? to : { ...to, isShared: true } };
  }
  if (sight.kind === "read" && end) {
    const to = await targetOf(member, page, end);
    return to.isInScope ? { is: "canonical", to } : { is: "page" };
  }
  return { is: sight.kind === "read" || sight.kind === "same" ? "page" : sight.kind };
}

async function targetOf({ rules, site, source }: Member, from: SitePage, { to, key }: Lead): Promise<Target> {
  const isEntry = key === canonicalUrl(source.externalId)?.key;
  const isShared = isEntry || isSharedTarget(site, from.key, leadName(from, { to, key }));
  return { key, url: to, isInScope: await rules.takes(to), isShared };
}

/** How often a new page waits for one that says the same, and how much longer each time (ms). */
const [mostWaits, waitMs] = [6, 5000];

/** A page that says what this new one says, and what that makes of it. */
export async function twinOf({ row, sight }: Visited, { pages }: SiteTools) {
  const { member, page, memory } = row;
  if (sight.kind !== "read" || page.state !== "new" || memory.isKnown || !hasBaseline(member))
    return undefined;
  if (isOfBaseline(member, page)) return undefined;
  const content = contentOf(sight.seen);
  const twins = content === undefined ? [] : await pages.withContent(member.id, content);
  for (const twin of twins) {
    if (twin.key === page.key) continue;
    // What a visit found that was held back, or failed, says nothing of whether it is there.
    const { checkedAt: visitedAt = 0 } = rowOf(member, twin).memory.state;
    const fate = twinFate({ state: twin.state, visitedAt }, page.foundAt);
    const waits = memory.waits ?? 0;
    const isOver = fate === "visit" && waits >= mostWaits;
    if (fate !== "copy" && !isOver) return { fate, page: twin, waitMs: waits * waitMs };
  }
  return undefined;
}
