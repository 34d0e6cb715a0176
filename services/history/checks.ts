import type { CheckRun } from "../../mixins/history/history.ts";
import { invalid } from "../contracts/errors.ts";
import type { Check } from "../contracts/history.contract.ts";
import type { Reading } from "./context.ts";
import { shownCheck } from "./shown.ts";

type Run = Omit<CheckRun, "sourceId">;

/** Runs that are read at a time. */
const chunk = 200;
/** Runs that are read for one answer, at most: many of them may be one row, or of another outcome. */
const maxRuns = 5000;

/** The checks of a source, newest first. Runs that differ in nothing but what others would see of the page are one row. */
export async function listChecks(
  reading: Reading,
  { outcome, cursor, limit }: { outcome?: Check["outcome"]; cursor?: string; limit: number },
): Promise<{ data: Check[]; next_cursor: string | null }> {
  const { held } = reading;
  const before = cursor === undefined ? undefined : positionOf(cursor);
  const rows: Run[] = [];
  let [isEnd, at, read] = [false, before, 0];
  while (!isEnd && rows.length <= limit && read < maxRuns) {
    const runs = await runsBefore(reading, at, chunk);
    isEnd = runs.length < chunk || (runs.at(-1)?.last ?? 0) < held.readsFrom;
    const readable = runs.filter(({ last }) => last >= held.readsFrom);
    for (const run of readable) if (outcome === undefined || run.outcome === outcome) append(rows, run);
    at = runs.at(-1)?.first;
    read += runs.length;
  }
  const shown = rows.slice(0, limit);
  const next = rows.length > limit ? shown.at(-1)?.first : at;
  return {
    data: shown.map(run => shownCheck(reading, run)),
    next_cursor: (rows.length > limit || !isEnd) && next !== undefined ? String(next) : null,
  };
}

/** Stored runs, after the one that is still growing. */
async function runsBefore(
  { context, held }: Reading,
  before: number | undefined,
  limit: number,
): Promise<Run[]> {
  const wanted = { limit, ...(before !== undefined && { before }) };
  const stored = await context.history.checks(held.id, wanted);
  const { run } = held;
  if (!run || (before !== undefined && run.first >= before)) return stored;
  return [run, ...stored.filter(({ first }) => first !== run.first)];
}

function append(rows: Run[], run: Run): void {
  const last = rows.at(-1);
  if (!last || !isSameRow(last, run)) {
    rows.push({ ...run });
    return;
  }
  last.first = run.first;
  last.count += run.count;
}

/** `later` has the facts of its latest check, which is what a row shows. */
function isSameRow(later: Run, run: Run): boolean {
  const made = later.eventId ?? run.eventId;
  return made === undefined && later.outcome === run.outcome && later.reason === run.reason;
}

function positionOf(cursor: string): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw invalid("cursor", "malformed", "`cursor` must be a `next_cursor` of this list.");
}
