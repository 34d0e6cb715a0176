import type { Checked, PollResult } from "../../contracts/connectors.contract.ts";
import type { RunOfChecks, RunOfValue } from "../../contracts/held-source.contract.ts";
import type { MutedLine } from "../../domain/watch/line.ts";
import type { StoredSource } from "../sources.store.ts";

/*
 * What a source's own document holds of its latest checks, which a poll writes anyway: so a check that finds nothing new
 * needs no further write. It is bounded.
 */

const longestReason = 300;
const mostValues = 50;
const mostMuted = 50;
const longestLine = 300;

/** A check that has ended, as its run counts it. `at`: when it began, in milliseconds since the epoch. */
export interface EndedCheck extends Omit<RunOfChecks, "first" | "last" | "count"> {
  at: number;
}

/** What a poll says of its check. Connectors of networks say nothing of their own. */
export function endedCheck(
  result: PollResult,
  at: number,
  tookMs: number,
  found: Pick<RunOfChecks, "versionId" | "eventId" | "eventAt"> = {},
): EndedCheck {
  if (!result.ok) {
    const status = result.status === undefined ? {} : { status: result.status };
    return { at, outcome: "failed", reason: cut(result.reason, longestReason), tookMs, ...status };
  }
  const { outcome, reason, status, engine, ...check } = result.check ?? postsAsCheck(result.posts.length);
  return {
    at,
    outcome,
    reason: cut(reason, longestReason),
    tookMs: check.tookMs ?? tookMs,
    ...found,
    ...(status !== undefined && { status }),
    ...(engine && { engine }),
  };
}

function postsAsCheck(posts: number): Omit<Checked, "tookMs"> & { tookMs?: number } {
  if (posts === 0) return { outcome: "same", reason: "Nothing new was found." };
  return { outcome: "changed", reason: posts === 1 ? "1 post is new." : `${posts} posts are new.` };
}

/** The run that a check belongs to, and the one before it, where that has ended with it. */
export function runAfter(
  before: RunOfChecks | undefined,
  { at, ...check }: EndedCheck,
): { run: RunOfChecks; ended?: RunOfChecks } {
  const goesOn =
    before !== undefined &&
    before.outcome === check.outcome &&
    before.reason === check.reason &&
    before.versionId === check.versionId &&
    before.eventId === check.eventId;
  if (!goesOn) return { run: { ...check, first: at, last: at, count: 1 }, ...(before && { ended: before }) };
  return { run: { ...check, first: before.first, last: at, count: before.count + 1 } };
}

/** The values after a check, and those that have ended with it. A check that read no page anew leaves them as they were. */
export function valuesAfter(
  before: readonly RunOfValue[],
  result: PollResult,
  at: number,
): { values: RunOfValue[]; ended: RunOfValue[] } {
  if (!result.ok) return { values: [...before], ended: [] };
  const seen = result.check?.values;
  if (seen === undefined) return { values: before.map(each => ({ ...each, last: at })), ended: [] };
  const known = new Map(before.map(each => [each.field, each]));
  const values = Object.entries(seen)
    .slice(0, mostValues)
    .map(([name, value]) => {
      const [field, shown] = [
        name.slice(0, 200),
        typeof value === "string" ? cut(value, longestLine) : value,
      ];
      const run = known.get(field);
      return run?.value === shown ? { ...run, last: at } : { field, value: shown, first: at, last: at };
    });
  const going = new Set(values.map(({ field, first }) => `${first} ${field}`));
  return { values, ended: before.filter(({ field, first }) => !going.has(`${first} ${field}`)) };
}

/** The muted lines after a check. */
export function mutedAfter(before: readonly MutedLine[], result: PollResult): MutedLine[] {
  if (!result.ok || result.check?.muted === undefined) return [...before];
  return result.check.muted.slice(0, mostMuted).map(({ place, text, since, ignore }) => ({
    place: place.slice(0, longestLine),
    text: cut(text, longestLine),
    since,
    // A pattern that is cut is another one.
    ignore: ignore.length <= longestLine ? ignore : "",
  }));
}

/** What of it is in the source's document. */
export function checkFields(
  run: RunOfChecks,
  values: RunOfValue[],
  muted: MutedLine[],
): Pick<StoredSource, "run" | "values" | "muted"> {
  return { run, ...(values.length > 0 && { values }), ...(muted.length > 0 && { muted }) };
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
