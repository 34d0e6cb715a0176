/* How two texts differ, as lines and the words within them. */

interface Part {
  text: string;
  kind: "same" | "added" | "removed";
}

/** A line as the API has it: `moved` is at its new place, a `gap` stands for lines that both texts have. */
export interface DiffLine {
  kind: "same" | "added" | "removed" | "changed" | "moved" | "gap";
  parts: readonly Part[];
  /** How many lines a gap leaves out. */
  skipped?: number | undefined;
}

/** Reads a unified diff, as events have it. A line that took the place of another is one changed line. */
export function linesOfUnified(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const flush = () => {
    lines.push(...paired(removed, added));
    removed = [];
    added = [];
  };
  for (const line of diff.split("\n")) {
    if (line.startsWith("-")) {
      if (added.length > 0) flush();
      removed.push(line.slice(1));
    } else if (line.startsWith("+")) added.push(line.slice(1));
    else {
      flush();
      if (line.startsWith(" ")) lines.push(whole("same", line.slice(1)));
    }
  }
  flush();
  return lines;
}

/** Lines of which only what was added and removed is known. */
export function linesOfLists(added: readonly string[], removed: readonly string[]): DiffLine[] {
  return paired([...removed], [...added]);
}

function whole(kind: "same" | "added" | "removed", text: string): DiffLine {
  return { kind, parts: [{ kind, text }] };
}

/** Pairs removed lines with the added ones that have most of their words; the others stay as they are. */
function paired(removed: string[], added: string[]): DiffLine[] {
  if (removed.length !== added.length)
    return [...removed.map(text => whole("removed", text)), ...added.map(text => whole("added", text))];
  return removed.flatMap((before, at) => {
    const after = added[at] ?? "";
    const parts = partsBetween(before, after);
    const isAlike = parts.some(({ kind, text }) => kind === "same" && /[\p{L}\p{N}]/u.test(text));
    return isAlike
      ? [{ kind: "changed" as const, parts }]
      : [whole("removed", before), whole("added", after)];
  });
}

/** Longer lines are shown as replaced as a whole: the work grows with the product of their words. */
const mostWords = 400;

/** The words that two lines share, and those that one of them has alone. */
export function partsBetween(before: string, after: string): Part[] {
  const [a, b] = [wordsOf(before), wordsOf(after)];
  if (a.length > mostWords || b.length > mostWords)
    return joined([
      { kind: "removed", text: before },
      { kind: "added", text: after },
    ]);
  const shared = sharedLengths(a, b);
  const parts: Part[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      parts.push({ kind: "same", text: a[i++] as string });
      j++;
    } else if (j === b.length || (i < a.length && at(shared, i + 1, j) >= at(shared, i, j + 1)))
      parts.push({ kind: "removed", text: a[i++] as string });
    else parts.push({ kind: "added", text: b[j++] as string });
  }
  return joined(parts);
}

/** Words and numbers with what is within them, spaces, and signs one by one. */
function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+(?:[.,'’][\p{L}\p{N}]+)*|\s+|[^\p{L}\p{N}\s]/gu) ?? [];
}

function at(table: number[][], i: number, j: number): number {
  return table[i]?.[j] ?? 0;
}

/** The length of the longest common part of what is left at each two places. */
function sharedLengths(a: string[], b: string[]): number[][] {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const row = table[i] as number[];
      row[j] =
        a[i] === b[j] ? at(table, i + 1, j + 1) + 1 : Math.max(at(table, i + 1, j), at(table, i, j + 1));
    }
  return table;
}

/** Neighbours of one kind as one part; a space between two changed words belongs to both. */
function joined(parts: Part[]): Part[] {
  const found: Part[] = [];
  for (const part of parts) {
    const last = found.at(-1);
    if (last?.kind === part.kind) found[found.length - 1] = { ...last, text: last.text + part.text };
    else found.push(part);
  }
  return found;
}

/** Lines to show, and runs of unchanged lines that are folded. */
export type Shown = { kind: "line"; line: DiffLine } | { kind: "fold"; lines: DiffLine[] };

/** Folds unchanged lines that are further than `around` lines from any change. */
export function folded(lines: readonly DiffLine[], around = 3): Shown[] {
  const shown: Shown[] = [];
  let run: DiffLine[] = [];
  const flush = (isLast: boolean) => {
    const [head, tail] = [shown.length === 0 ? 0 : around, isLast ? 0 : around];
    if (run.length <= head + tail + 1) shown.push(...run.map(asLine));
    else {
      shown.push(...run.slice(0, head).map(asLine));
      shown.push({ kind: "fold", lines: run.slice(head, run.length - tail) });
      shown.push(...run.slice(run.length - tail).map(asLine));
    }
    run = [];
  };
  for (const line of lines) {
    if (line.kind === "same") run.push(line);
    else {
      flush(false);
      shown.push(asLine(line));
    }
  }
  flush(true);
  return shown;
}

function asLine(line: DiffLine): Shown {
  return { kind: "line", line };
}
