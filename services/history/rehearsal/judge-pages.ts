import { judge, type Memory, type Verdict } from "../../domain/watch/judge.ts";
import type { Learned, Seen, Snapshot } from "../../domain/watch/snapshot.ts";
import { troubleIn } from "../../domain/watch/trouble-in.ts";
import type { View } from "../../domain/watch/view.ts";
import { type KeptVersion, snapshotOf } from "../forms/version-forms.ts";

/** Checks in a row that saw one version. */
export interface SeenRun {
  /** Milliseconds since the epoch. */
  first: number;
  last: number;
  count: number;
}

/** A version of a page with the checks that saw it, in order. */
export interface RehearsedPage {
  id: string;
  kept: KeptVersion;
  runs: SeenRun[];
}

/** A stretch of the past, oldest first, to be judged with a view. */
export interface RehearsalStep {
  /** What the stretch before left; absent for the first one. */
  memory?: Memory;
  pages: RehearsedPage[];
  view: View;
}

/** A check that would have been more than `same`. */
export interface JudgedCheck {
  at: number;
  version: string;
  outcome: Verdict["outcome"] | "failed";
  reason: string;
  change: { added: string[]; removed: string[] } | null;
}

export interface RehearsedStep {
  memory?: Memory;
  checks: JudgedCheck[];
}

/** Judges the kept versions as live checks would have judged them. Pure. */
export function rehearseStep({ memory, pages, view }: RehearsalStep): RehearsedStep {
  const checks: JudgedCheck[] = [];
  let before = memory;
  for (const { id, kept, runs } of pages) {
    const snapshot = snapshotOf(kept, view, learnedFrom(before));
    for (const at of runs.flatMap(timesOf)) {
      const judged = judgeCheck(before, snapshot, { view, at, title: kept.title });
      before = judged.memory;
      const { outcome, why: reason, change, news } = judged;
      if (outcome !== "same")
        checks.push({ at, version: id, outcome, reason, change: changeOf(change) ?? addedBy(news) });
    }
  }
  return { ...(before && { memory: before }), checks };
}

function learnedFrom({ recipe, main, list }: Partial<Memory> = {}): Learned {
  return { ...(recipe && { recipe }), ...(main && { main }), ...(list && { entries: list.selector }) };
}

type Judged = Pick<Verdict, "why" | "change" | "news"> & {
  outcome: JudgedCheck["outcome"];
  memory: Memory | undefined;
};

function judgeCheck(
  before: Memory | undefined,
  snapshot: Snapshot,
  { view, at, title }: { view: View; at: number; title: string },
): Judged {
  if (!snapshot.ok) return { outcome: "failed", why: snapshot.reason, memory: before };
  const trouble = troubleIn(title, snapshot, before);
  if (trouble !== null) return { outcome: "failed", why: trouble, memory: before };
  return judge(before, snapshot satisfies Seen, view, at);
}

function changeOf(change: Verdict["change"]): JudgedCheck["change"] {
  return change ? { added: change.added, removed: change.removed } : null;
}

function addedBy(news: Verdict["news"]): JudgedCheck["change"] {
  return news ? { added: news.map(({ item }) => item.title ?? item.id), removed: [] } : null;
}

/**
 * Checks of one run that are judged, at most: what is restless and what rests is decided by fewer. The ones left out see
 * what those before them saw.
 */
const maxJudged = 16;

/** When the checks of a run were: the first and the last are known, the others lie between. */
function timesOf({ first, last, count }: SeenRun): number[] {
  const judged = Math.min(count, maxJudged);
  if (judged <= 1) return [first];
  const step = (last - first) / (judged - 1);
  return Array.from({ length: judged }, (_, n) => Math.round(first + n * step));
}
