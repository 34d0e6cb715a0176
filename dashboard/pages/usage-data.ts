/* Requests per day and key, whatever endpoint they come from. */
import type { AllUsage } from "../../services/contracts/keys.contract.ts";
import type { Series } from "../parts/chart-shapes.ts";
import { sum } from "../parts/chart-shapes.ts";

export type Usage = AllUsage;

/** What the endpoints of one key answer: newest first, days without a request left out. */
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

/** The counts of some keys as one. */
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

/** In place of the name of a key that is gone. */
export const deleted = "deleted key";

/** As many as there are colours, but one. */
const ownColours = 5;

/** The largest keys as series of their own, and all that is left as one. */
export function seriesOf({ total, keys }: Usage): Series[] {
  const own = keys.slice(0, keys.length === ownColours + 1 ? ownColours + 1 : ownColours);
  const rest = total.map((all, at) => all - sum(own.map(({ requests }) => requests[at] ?? 0)));
  const series = own.map(({ name, requests }) => ({ name: name ?? deleted, values: requests }));
  return sum(rest) > 0 ? [...series, { name: "All others", values: rest }] : series;
}

const dayFormat = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", timeZone: "UTC" });

/** `Nov 23`. */
export function shortDay(day: string): string {
  return dayFormat.format(new Date(`${day}T00:00:00Z`));
}
