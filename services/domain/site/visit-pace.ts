/** How often a page is visited. */
export interface PagePace {
  intervalMs: number;
}

/** What is known of a page when its next visit is chosen. */
export interface PaceFacts {
  /** Absent after its first visit. */
  pace?: PagePace;
  /** When the visit began, in milliseconds since the epoch. */
  at: number;
  isChanged: boolean;
  /** The interval between rounds, and whether the watch names it (`interval`). */
  roundMs: number;
  isAsked: boolean;
  /** The sitemaps say when this page changes, and are trusted. */
  isListed: boolean;
  /** From 0 to below 1. */
  random: number;
}

const dayMs = 24 * 60 * 60 * 1000;
/** Rounds after which a page is visited at the latest, where the watch names an interval. */
const mostRounds = 8;
const [longestMs, verifiedMs] = [7 * dayMs, 7 * dayMs];
/** The interval of a page grows by this factor while nothing changes. */
const growth = 1.5;

/** The pace of a page after a visit, and when the next one is due. */
export function nextVisit({
  pace,
  at,
  isChanged,
  roundMs,
  isAsked,
  isListed,
  random,
}: PaceFacts): PagePace & { dueAt: number } {
  const most = Math.max(roundMs, isAsked ? mostRounds * roundMs : longestMs);
  // Which page is visited when is chance from the first visit on: a round asks for a part of them.
  if (pace === undefined) {
    const firstMs = isListed ? verifiedMs : 2 * roundMs;
    return { intervalMs: Math.min(2 * roundMs, most), dueAt: at + spread(firstMs, random, 0.25) };
  }
  const wanted = isChanged ? pace.intervalMs / 2 : pace.intervalMs * growth;
  const intervalMs = Math.round(Math.min(most, Math.max(roundMs, wanted)));
  const waitMs = isListed && !isChanged ? Math.max(verifiedMs, intervalMs) : intervalMs;
  return { intervalMs, dueAt: at + spread(waitMs, random, isListed ? 0.5 : 0.9) };
}

/** A time between a part of a wait and all of it. */
function spread(waitMs: number, random: number, least: number): number {
  return Math.round(waitMs * (least + (1 - least) * random));
}
