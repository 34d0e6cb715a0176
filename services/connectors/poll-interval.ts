import type { Feed } from "../domain/feed/feed.ts";
import { type Habits, type Liveliness, longestWait, nextCheck } from "../domain/polling/habits.ts";
import { retryAfterMs } from "../domain/url/retry-after.ts";

/** Milliseconds. */
export const dayMs = 24 * 60 * 60 * 1000;
const backupPollMs = dayMs / 4;

/**
 * The next polling interval. It grows by a fifth while nothing new appears, so that a post is found within a fifth of
 * the time that the source was silent, and halves when something is new. It never exceeds a quarter of the source's
 * usual gap between posts, where that is known.
 */
export function nextInterval(
  previousMs: number,
  { found, gapMs = dayMs * 4, minMs }: { found: boolean; gapMs?: number; minMs: number },
): number {
  const wanted = Math.min(found ? previousMs / 2 : previousMs * 1.2, gapMs / 4);
  return Math.round(Math.min(dayMs, Math.max(minMs, wanted)));
}

/** The median gap between a feed's latest posts; their mean where most of them came at once. */
export function usualGap(dates: string[], now: number): number | undefined {
  const times = dates.map(date => Date.parse(date)).filter(time => time <= now);
  const latest = times.sort((a, b) => b - a).slice(0, 11);
  const [last] = latest;
  if (last === undefined || latest.length < 3) return undefined;
  const gaps = latest
    .slice(1)
    .map((time, index) => (latest[index] ?? time) - time)
    .sort((a, b) => a - b);
  const mean = (last - (latest.at(-1) ?? last)) / gaps.length;
  return gaps[Math.floor(gaps.length / 2)] || mean || undefined;
}

/**
 * The polling interval of a feed whose hub announces what is new. Polling is then a slow backup, but the next poll is
 * never later than the renewal of the lease.
 */
export function intervalWithHub(intervalMs: number, lease: { renewInMs: number } | undefined): number {
  return lease ? Math.min(Math.max(intervalMs, backupPollMs), lease.renewInMs) : intervalMs;
}

/** A delay plus up to a tenth, so that sources added at the same time spread out. */
export function jittered(delayMs: number, random: number): number {
  return Math.round(delayMs * (1 + random / 10));
}

/** Doubles with each failure, up to a day. Polling never stops for good. */
export function backoff(failures: number, minMs: number): number {
  return Math.min(dayMs, minMs * 2 ** Math.min(failures, 40));
}

const hourMs = 60 * 60 * 1000;

/** Milliseconds that a site asks for by `Retry-After`, at most a day; 0 if it asks for none. */
export function sitePauseMs(header: string | undefined, now: number): number {
  return Math.min(dayMs, retryAfterMs(header, now) ?? 0);
}

/**
 * Milliseconds for which an answer stays fresh (RFC 9111, 4.2), at most a day; 0 for one that must be revalidated. The
 * time that it spent in a cache on the way, `age` in seconds, is subtracted (RFC 9111, 5.1).
 */
export function freshness(cacheControl: string | undefined, age = "0"): number {
  if (cacheControl === undefined || /\bno-(cache|store)\b/i.test(cacheControl)) return 0;
  const seconds = Number(/(?:^|[\s,])max-age\s*=\s*"?(\d+)/i.exec(cacheControl)?.[1] ?? 0);
  const spent = /^\s*\d+\s*$/.test(age) ? Number(age) : 0;
  return Math.min(dayMs, Math.max(0, seconds - spent) * 1000);
}

/**
 * The shortest wait that a page's server asks for. Freshness counts up to an hour, and within the longest wait of the page:
 * longer values are cache rules for browsers, set once for a whole site, and say nothing about when the text changes.
 */
export function pageWait(headers: Record<string, string>, now: number, longestMs = hourMs): number {
  const freshMs = Math.min(hourMs, longestMs, freshness(headers["cache-control"], headers.age));
  return Math.max(freshMs, sitePauseMs(headers["retry-after"], now));
}

/** The wait before a second check that confirms the first: no wish of the server for caches, but one for a pause. */
export function confirmationMs(headers: Record<string, string>, now: number): number {
  return Math.max(30_000, sitePauseMs(headers["retry-after"], now));
}

/**
 * The shortest wait that a feed and its server ask for. What they ask is obeyed as far as no item can be lost, within
 * `windowMs`; a cache rule, which is often set once for a whole site, also within `longestMs`.
 */
export function feedWait(
  { ttlMinutes = 0 }: Pick<Feed, "ttlMinutes">,
  headers: Record<string, string>,
  now: number,
  { longestMs = dayMs, windowMs = dayMs } = {},
): number {
  const ttlMs = Math.min(dayMs, windowMs, ttlMinutes * 60_000);
  const freshMs = Math.min(longestMs, windowMs, freshness(headers["cache-control"], headers.age));
  return Math.max(ttlMs, freshMs, sitePauseMs(headers["retry-after"], now));
}

/** Moves an instant out of the hours and days at which the feed asks not to be read. */
export function afterSkippedTimes(
  at: number,
  { skipHours, skipDays }: Pick<Feed, "skipHours" | "skipDays">,
): number {
  for (let moved = at; moved < at + 8 * dayMs; moved = (Math.floor(moved / hourMs) + 1) * hourMs) {
    const date = new Date(moved);
    if (!skipHours.includes(date.getUTCHours()) && !skipDays.includes(date.getUTCDay())) return moved;
  }
  // A feed that excludes every hour contradicts itself.
  return at;
}

/** What is known of a source's pace: the interval that grows and shrinks, and the hours at which it has news. */
export interface Pace extends Liveliness {
  intervalMs: number;
  habits: Habits | undefined;
}

/** Milliseconds until the next check by a source's own pace: by its interval, or sooner, where it may have news. */
export function pacedWait(
  { intervalMs, habits, ...liveliness }: Pace,
  { now, random, minIntervalMs }: { now: number; random: number; minIntervalMs: number },
): number {
  return nextCheck(habits, now, {
    shortestMs: minIntervalMs,
    longestMs: longestWait(liveliness, now),
    wantedMs: jittered(intervalMs, random),
  });
}
