import { csvLine } from "../../domain/text/csv.ts";

/** A number or field of a source, as long as it stayed the same. Times are milliseconds since the epoch. */
export interface Run {
  field: string;
  value: number | string | boolean | null;
  first: number;
  last: number;
}

/** What a field was at a time. */
export interface Point {
  at: number;
  field: string;
  value: Run["value"];
}

/** The points of a series: each change, within `from` (inclusive) and `to` (exclusive), oldest first. */
export function changesOf(runs: readonly Run[], { from = 0, to = Number.POSITIVE_INFINITY } = {}): Point[] {
  return runs
    .filter(({ first, last }) => last >= from && first < to)
    .map(({ field, value, first }) => ({ at: Math.max(first, from), field, value }))
    .sort(byTime);
}

/**
 * Gives a point for each span in which the field was seen: its last value there. Spans begin at multiples of `everyMs` since the
 * epoch. At most `limit` points, the latest.
 */
export function sampled(
  runs: readonly Run[],
  everyMs: number,
  { from = 0, to = Number.POSITIVE_INFINITY, limit }: { from?: number; to?: number; limit: number },
): Point[] {
  const points: Point[] = [];
  for (const [field, own] of Map.groupBy(runs, each => each.field)) {
    const seen = new Map<number, Point>();
    for (const { value, first, last } of [...own].sort((a, b) => a.first - b.first)) {
      const [start, end] = [Math.max(first, from), Math.min(last, to - 1)];
      // No more spans than may be answered, however long the value stayed.
      const earliest = Math.max(spanOf(start, everyMs), spanOf(end, everyMs) - limit * everyMs);
      for (let at = earliest; at <= end; at += everyMs) seen.set(at, { at, field, value });
    }
    points.push(...seen.values());
  }
  return points.sort(byTime).slice(-limit);
}

function spanOf(at: number, everyMs: number): number {
  return Math.floor(at / everyMs) * everyMs;
}

function byTime(a: Point, b: Point): number {
  return a.at - b.at || (a.field < b.field ? -1 : 1);
}

const units: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Milliseconds of a span such as `6h`. */
export function spanMs(text: string): number {
  return Number(text.slice(0, -1)) * (units[text.slice(-1)] ?? 0);
}

/** Points as CSV. */
export function csvOf(points: readonly Point[]): string {
  const rows = points.map(({ at, field, value }) => [new Date(at).toISOString(), field, value]);
  return [["at", "field", "value"], ...rows].map(csvLine).join("");
}
