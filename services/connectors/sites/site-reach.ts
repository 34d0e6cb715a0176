import { witnessOf } from "../../domain/site/witnesses.ts";
import { canonicalUrl } from "../../domain/url/canonical-url.ts";
import type { HostLimit } from "./host-limit.ts";
import type { Member, SiteTools } from "./site-member.ts";
import type { Row, Sight } from "./site-visit.ts";

/*
 * Whether the host of a site can be reached: the pauses that it asks for, and the visits that have failed since one last
 * succeeded. Both are in the memory of the site, so that all steps know them.
 */

/** A longer wait is not obeyed, as in crawls. */
const longestAskedMs = 60 * 60_000;
/** Pauses where the host names none: they double. */
const [firstPauseMs, longestPauseMs] = [1000, 60_000];
/** What was refused waits for another pause, up to this long, so that other pages come first. */
const longestLagMs = 10_000;
/** A host that refuses requests for longer, without taking one in between, cannot be read. */
const longestRefusalMs = 15 * 60_000;
/** A page that is refused so often is a page that fails. */
const mostRefusals = 7;
/** So many pages that fail one after another, the entry page among them, are a failure of the site. */
const failingPages = 3;

/** Nothing of the site is asked for until the pause is over. */
export function pauseSite(member: Member, { askedMs = 0 }: HostLimit, now: number): void {
  const { pause } = member.site;
  // Several requests may be under way when the host begins to refuse.
  const times = (pause?.times ?? 0) + (now >= (pause?.until ?? 0) ? 1 : 0);
  const usualMs = Math.min(firstPauseMs * 2 ** (times - 1), longestPauseMs);
  const until = now + Math.min(askedMs || usualMs, longestAskedMs);
  member.site = {
    ...member.site,
    pause: { since: pause?.since ?? now, until: Math.max(until, pause?.until ?? 0), times },
  };
}

/** Milliseconds until a site may be asked for something. */
export function pauseMs({ site: { pause } }: Member, now: number): number {
  return Math.max(0, (pause?.until ?? 0) - now);
}

/** When a page is due again that was refused for a limit; undefined where it was refused too often. */
export function dueAfterLimit({ site: { pause } }: Member, failures: number, at: number): number | undefined {
  if (failures >= mostRefusals || pause === undefined) return undefined;
  return pause.until + Math.min(longestLagMs, Math.max(0, pause.until - at));
}

/** Notes what a visit that began `at` says of the host. */
export function noteReach({ member, page: { key } }: Row, sight: Sight, at: number): void {
  const { pause, failing, ...site } = member.site;
  if (sight.kind === "refused") return;
  if (sight.kind !== "failed") {
    // A request that was under way when the host began to refuse ends no pause.
    member.site = pause && at < pause.until ? { ...site, pause } : site;
    return;
  }
  const isPatient = sight.limit !== undefined && at - (pause?.since ?? at) < longestRefusalMs;
  if (isPatient) return;
  const pages = [...new Set([...(failing?.pages ?? []), key])].slice(0, failingPages);
  const isEntry = failing?.isEntry === true || key === entryKey(member);
  member.site = { ...member.site, failing: { pages, isEntry, reason: sight.reason } };
}

const withoutPages =
  "Most pages of the site are missing or lead elsewhere. None of them counts as removed until others are there again, or three days have passed.";

/**
 * Why the site cannot be read: most pages are missing; or visits of its entry page and of others have failed, and none has
 * succeeded since. Where that is not known yet, those pages become due whose visits say so.
 */
export async function problemOf(member: Member, { pages }: SiteTools): Promise<string | undefined> {
  const { id, fence, step, site } = member;
  if (witnessOf(site, "", site.roundAt) === "missing") return withoutPages;
  const { failing } = site;
  if (failing === undefined) return undefined;
  const counts = await pages.counts(id);
  const isMany = failing.pages.length >= Math.min(failingPages, counts.pages);
  if (failing.isEntry && isMany) return failing.reason;
  if (step.failed === 0) return undefined;
  const near = await pages.near(id, failing.pages[0] ?? "", 2 * failingPages);
  const others = near.flatMap(({ key }) => (failing.pages.includes(key) ? [] : key));
  const wanted = [...(failing.isEntry ? [] : [entryKey(member)]), ...others.slice(0, failingPages - 1)];
  await pages.mark(
    id,
    fence,
    wanted.map(key => ({ key, dueBy: 0 })),
  );
  return undefined;
}

function entryKey({ source }: Member): string {
  return canonicalUrl(source.externalId)?.key ?? "";
}
