/* Requests per day and key, in one form for all endpoints that count them. */
import type { AllUsage } from "../../services/contracts/keys.contract.ts";
import type { Series } from "../parts/chart-shapes.ts";
import { sum } from "../parts/chart-shapes.ts";

export type Usage = AllUsage;

/** A day as the endpoints of one key answer it. They answer the newest first, without days that had no request. */
export interface DayCount {
  day: string;
  requests: number;
}

const dayMs = 86_400_000;

/** The last days in UTC, oldest first. */
export function lastDays(days: number, nowMs: number): string[] {
  return Array.from({ length: days }, (_, at) =>
    new Date(nowMs - (days - 1 - at) * dayMs).toISOString().slice(0, 10),
  );
}

/** Combines the counts of several keys. */
export function usageOf(
  keys: { id: string; name: string; owner: string; counts: DayCount[] }[],
  days: string[],
): Usage {
  const rows = keys
    .map(({ id, name, owner, counts }) => {
      const byDay = new Map(counts.map(({ day, requests }) => [day, requests]));
      return { key_id: id, name, owner, requests: days.map(day => byDay.get(day) ?? 0) };
    })
    .sort((a, b) => sum(b.requests) - sum(a.requests));
  return { days, total: days.map((_, at) => sum(rows.map(row => row.requests[at] ?? 0))), keys: rows };
}

/** The name that is shown for a key that was deleted. */
export const deleted = "deleted key";

/** There is a colour more than this; the last one is for all other keys. */
const ownColours = 5;

/** Makes a series for each of the largest keys, and one for all others. */
export function seriesOf({ total, keys }: Usage): Series[] {
  const own = keys.slice(0, keys.length === ownColours + 1 ? ownColours + 1 : ownColours);
  const rest = total.map((all, at) => all - sum(own.map(({ requests }) => requests[at] ?? 0)));
  const series = own.map(({ name, requests }) => ({ name: name ?? deleted, values: requests }));
  return sum(rest) > 0 ? [...series, { name: "All others", values: rest }] : series;
}

const dayFormat = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", timeZone: "UTC" });

/** Writes a day as `Nov 23`. */
export function shortDay(day: string): string {
  return dayFormat.format(new Date(`${day}T00:00:00Z`));
}
