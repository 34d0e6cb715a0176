import type { Feed } from "../domain/feed/feed.ts";
import { dayMs } from "./pace.ts";

const hourMs = 60 * 60 * 1000;

/** Milliseconds that a `Retry-After` asks for (RFC 9110, 10.2.3), at most a day. */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.min(dayMs, Math.max(0, ms));
}

/**
 * Milliseconds for which an answer stays fresh (RFC 9111, 4.2), at most a day; what must be revalidated is not. The
 * time that it has lain in a cache on the way, `age` in seconds, is over (RFC 9111, 5.1).
 */
export function freshness(cacheControl: string | undefined, age = "0"): number {
  if (cacheControl === undefined || /\bno-(cache|store)\b/i.test(cacheControl)) return 0;
  const seconds = Number(/(?:^|[\s,])max-age\s*=\s*"?(\d+)/i.exec(cacheControl)?.[1] ?? 0);
  const spent = /^\s*\d+\s*$/.test(age) ? Number(age) : 0;
  return Math.min(dayMs, Math.max(0, seconds - spent) * 1000);
}

/**
 * The shortest wait that a page's server asks for. Its freshness counts up to an hour: beyond that it is a rule for
 * browsers' caches, set once for a whole site, and tells nothing of when the text changes.
 */
export function pageWait(headers: Record<string, string>, now: number): number {
  const freshMs = Math.min(hourMs, freshness(headers["cache-control"], headers.age));
  return Math.max(freshMs, retryAfter(headers["retry-after"], now) ?? 0);
}

/** The shortest wait that a feed and its server ask for. */
export function askedWait(
  { ttlMinutes = 0 }: Pick<Feed, "ttlMinutes">,
  headers: Record<string, string>,
  now: number,
): number {
  const ttlMs = Math.min(dayMs, ttlMinutes * 60_000);
  const freshMs = freshness(headers["cache-control"], headers.age);
  return Math.max(ttlMs, freshMs, retryAfter(headers["retry-after"], now) ?? 0);
}

/** Moves an instant out of the hours and days at which the feed does not want to be read. */
export function outsideSkipped(
  at: number,
  { skipHours, skipDays }: Pick<Feed, "skipHours" | "skipDays">,
): number {
  for (let moved = at; moved < at + 8 * dayMs; moved = (Math.floor(moved / hourMs) + 1) * hourMs) {
    const date = new Date(moved);
    if (!skipHours.includes(date.getUTCHours()) && !skipDays.includes(date.getUTCDay())) return moved;
  }
  // A feed that is never to be read contradicts itself.
  return at;
}
