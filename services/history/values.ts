import type { ValueRun } from "../../mixins/history/history.ts";
import { invalid } from "../contracts/errors.ts";
import type { Reading } from "./context.ts";
import { changesOf, csvOf, type Point, sampled, spanMs } from "./forms/series.ts";
import { iso } from "./shown.ts";
import { instantOf } from "./versions.ts";

interface Wanted {
  field?: string;
  from?: string;
  to?: string;
  every?: string;
  as: "json" | "csv";
  limit: number;
}

interface Series {
  data: { at: string; field: string; value: Point["value"] }[];
  truncated: boolean;
}

/** The values of a source over time, oldest first: at most `limit` points, the latest. */
export async function listValues(reading: Reading, wanted: Wanted): Promise<Series | string> {
  const { points, truncated } = await pointsOf(reading, wanted);
  if (wanted.as === "csv") return csvOf(points);
  return { data: points.map(point => ({ ...point, at: iso(point.at) })), truncated };
}

/** Runs that are read for one answer, at most. */
const maxRuns = 20_000;

async function pointsOf(reading: Reading, wanted: Wanted): Promise<{ points: Point[]; truncated: boolean }> {
  const { limit, every } = wanted;
  const span = spanOf(reading, wanted);
  const runs = await runsOf(reading, wanted, span);
  const points =
    every === undefined ? changesOf(runs, span) : sampled(runs, everyOf(every), { ...span, limit });
  const isCut = points.length > limit || runs.length >= maxRuns;
  return { points: points.slice(-limit), truncated: isCut };
}

function spanOf({ context, held }: Reading, { from, to }: Wanted): { from: number; to: number } {
  const start = from === undefined ? held.readsFrom : instantOf("from", from);
  const end = to === undefined ? context.now() + 1 : instantOf("to", to);
  if (end <= start && from !== undefined && to !== undefined)
    throw invalid("to", "range", "`to` must be later than `from`.");
  return { from: Math.max(start, held.readsFrom), to: end };
}

function everyOf(every: string): number {
  const ms = spanMs(every);
  if (ms > 0) return ms;
  throw invalid("every", "malformed", "`every` must be a span such as 1h or 1d.");
}

/** The stored runs, with those that the latest check still extends. */
async function runsOf(
  { context, held }: Reading,
  { field }: Wanted,
  span: { from: number; to: number },
): Promise<Omit<ValueRun, "sourceId">[]> {
  const of = { ...(field !== undefined && { field }), ...span, limit: maxRuns, newest: true };
  const stored = await context.history.values(held.id, of);
  const current = held.values.filter(each => field === undefined || each.field === field);
  const isCurrent = (run: ValueRun) =>
    current.some(each => each.field === run.field && each.first === run.first);
  return [...stored.filter(run => !isCurrent(run)), ...current];
}
