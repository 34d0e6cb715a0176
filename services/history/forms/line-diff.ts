import { diffArrays } from "diff";

/** A part of a line: what both versions have, or one of them. */
export interface DiffPart {
  kind: "same" | "added" | "removed";
  text: string;
}

/** A line of a comparison. `gap`: `skipped` lines that both versions have are left out. */
export interface DiffLine {
  kind: "same" | "added" | "removed" | "changed" | "moved" | "gap";
  parts: DiffPart[];
  skipped?: number;
}

/** How two versions differ, line by line. */
export interface LineDiff {
  added: string[];
  removed: string[];
  /** Lines that are in both, at another place, with the words for it. */
  moved: string[];
  lines: DiffLine[];
  /** The versions differ too much to be compared line by line: one is shown after the other. */
  isRough?: true;
}

/** Lines of context around what changed. */
const context = 3;
/** Limits the time of a comparison, which grows with the square of the edits. */
const maxEdits = 1000;
/** Characters of two lines that are compared by words, and words that may differ. */
const [maxWorded, maxWordEdits] = [8000, 400];
/** How alike two lines are that are shown as one that changed. */
const likeness = 0.4;

/** Compares the lines of two versions. */
export function diffLines(before: readonly string[], after: readonly string[]): LineDiff {
  const edits = diffArrays([...before], [...after], { maxEditLength: maxEdits });
  const steps = edits ?? [
    { value: [...before], removed: true, added: false },
    { value: [...after], removed: false, added: true },
  ];
  const gone = steps.flatMap(({ value, removed }) => (removed ? value : []));
  const come = steps.flatMap(({ value, added }) => (added ? value : []));
  const moved = commonOf(gone, come);
  const lines = hunksOf(steps).flatMap(hunk => linesOf(hunk, new Map(moved), new Map(moved)));
  return {
    added: without(come, moved),
    removed: without(gone, moved),
    moved: movesOf(moved, before, after),
    lines: inContext(lines),
    ...(edits === undefined && { isRough: true as const }),
  };
}

interface Step {
  value: string[];
  added?: boolean;
  removed?: boolean;
}

/** What was removed and added at one place, or lines that are the same. */
interface Hunk {
  same: string[];
  removed: string[];
  added: string[];
}

function hunksOf(steps: readonly Step[]): Hunk[] {
  const hunks: Hunk[] = [];
  for (const { value, added, removed } of steps) {
    const last = hunks.at(-1);
    if (!added && !removed) hunks.push({ same: value, removed: [], added: [] });
    else if (last && last.same.length === 0) last[added ? "added" : "removed"].push(...value);
    else hunks.push({ same: [], removed: removed ? value : [], added: added ? value : [] });
  }
  return hunks;
}

/** How often each line is in both lists. */
function commonOf(gone: readonly string[], come: readonly string[]): Map<string, number> {
  const counts = countsOf(gone);
  const common = new Map<string, number>();
  for (const [line, count] of countsOf(come)) {
    const both = Math.min(count, counts.get(line) ?? 0);
    if (both > 0) common.set(line, both);
  }
  return common;
}

function countsOf(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

function without(lines: readonly string[], moved: ReadonlyMap<string, number>): string[] {
  const left = new Map(moved);
  return lines.filter(line => !takes(left, line));
}

/** Takes one of the moved lines, where there is one left. */
function takes(left: Map<string, number>, line: string): boolean {
  const count = left.get(line) ?? 0;
  if (count > 0) left.set(line, count - 1);
  return count > 0;
}

/** A moved line is shown at its new place only. */
function linesOf(
  { same, removed, added }: Hunk,
  movedAway: Map<string, number>,
  movedHere: Map<string, number>,
): DiffLine[] {
  const gone = removed.filter(line => !takes(movedAway, line));
  const lines: DiffLine[] = same.map(text => whole("same", text));
  let next = 0;
  for (const line of added) {
    if (takes(movedHere, line)) {
      lines.push({ kind: "moved", parts: [{ kind: "same", text: line }] });
      continue;
    }
    const at = gone.findIndex((each, index) => index >= next && areAlike(each, line));
    if (at === -1) {
      lines.push(whole("added", line));
      continue;
    }
    lines.push(...gone.slice(next, at).map(text => whole("removed", text)));
    lines.push({ kind: "changed", parts: diffWords(gone[at] ?? "", line) });
    next = at + 1;
  }
  return [...lines, ...gone.slice(next).map(text => whole("removed", text))];
}

function whole(kind: "same" | "added" | "removed", text: string): DiffLine {
  return { kind, parts: [{ kind, text }] };
}

/** Decides by the share of words that both have. */
function areAlike(one: string, other: string): boolean {
  const [mine, yours] = [wordsOf(one), wordsOf(other)];
  if (mine.length === 0 || yours.length === 0) return false;
  const counts = countsOf(mine);
  const both = yours.filter(word => takes(counts, word)).length;
  return (2 * both) / (mine.length + yours.length) >= likeness;
}

function wordsOf(line: string): string[] {
  return line.slice(0, maxWorded).match(/[\p{L}\p{N}]+/gu) ?? [];
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** How a line differs, by words in any script. */
export function diffWords(before: string, after: string): DiffPart[] {
  const isLong = before.length + after.length > maxWorded;
  const edits = isLong
    ? undefined
    : diffArrays(segmentsOf(before), segmentsOf(after), { maxEditLength: maxWordEdits });
  if (edits === undefined)
    return [
      { kind: "removed", text: before },
      { kind: "added", text: after },
    ];
  return edits.map(({ value, added, removed }) => ({
    kind: added ? ("added" as const) : removed ? ("removed" as const) : ("same" as const),
    text: value.join(""),
  }));
}

function segmentsOf(line: string): string[] {
  return Array.from(segmenter.segment(line), ({ segment }) => segment);
}

/** Moves that are told in words, at most. */
const maxMoves = 50;

function movesOf(
  moved: ReadonlyMap<string, number>,
  before: readonly string[],
  after: readonly string[],
): string[] {
  return [...moved.keys()].slice(0, maxMoves).map(line => {
    const [from, to] = [before.indexOf(line) + 1, after.indexOf(line) + 1];
    return from === to ? line : `${line}: moved from line ${from} to line ${to}`;
  });
}

/** The lines around what changed; longer stretches without a change become gaps. */
function inContext(lines: readonly DiffLine[]): DiffLine[] {
  const isNear = new Uint8Array(lines.length);
  for (const [at, { kind }] of lines.entries())
    if (kind !== "same") isNear.fill(1, Math.max(0, at - context), at + context + 1);
  const shown: DiffLine[] = [];
  let skipped = 0;
  const gap = () => {
    if (skipped > 0) shown.push({ kind: "gap", parts: [], skipped });
    skipped = 0;
  };
  for (const [at, line] of lines.entries()) {
    if (!isNear[at]) {
      skipped += 1;
      continue;
    }
    gap();
    shown.push(line);
  }
  gap();
  return shown;
}
