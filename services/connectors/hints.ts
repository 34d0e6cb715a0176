import type { Feed } from "../domain/feed/feed.ts";
import { dayMs } from "./pace.ts";

const hourMs = 60 * 60 * 1000;

/** Milliseconds that a `Retry-After` asks for (RFC 9110, 10.2.3), at most a day. */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.min(dayMs, Math.max(0, ms));
}

/** Milliseconds for which an answer is fresh (RFC 9111, 4.2), at most a day; what must be revalidated is not. */
export function freshness(header: string | undefined): number {
  if (header === undefined || /\bno-(cache|store)\b/i.test(header)) return 0;
  const seconds = /(?:^|[\s,])max-age\s*=\s*"?(\d+)/i.exec(header)?.[1];
  return Math.min(dayMs, Number(seconds ?? 0) * 1000);
}

/** The shortest wait that a feed and its server ask for. */
export function askedWait(
  { ttlMinutes = 0 }: Pick<Feed, "ttlMinutes">,
  headers: Record<string, string>,
  now: number,
): number {
  const ttlMs = Math.min(dayMs, ttlMinutes * 60_000);
  return Math.max(ttlMs, freshness(headers["cache-control"]), retryAfter(headers["retry-after"], now) ?? 0);
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
