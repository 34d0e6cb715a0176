import { keysOf, restOf } from "../page-diff/compare-page.ts";
import { align, isGap, type KeyedLine, replacedIn } from "./align.ts";
import type { Line } from "./line.ts";
import { checksOfRest, type Interim, isOften, nextBits } from "./restless.ts";
import type { Seen } from "./snapshot.ts";
import { isExact, type View } from "./view.ts";

/** A page as it is compared: its lines, as far as they are kept, and the hash of what follows them, "" for nothing. */
export interface LinedPage {
  hash: string;
  lines: KeyedLine[];
  rest: string;
}

/** The page that a view sees. */
export function linedPage({ hash, lines, rest }: Seen, view: View): LinedPage {
  return { hash, lines: keyed(lines, isExact(view)), rest };
}

/** Lines with the form in which they are compared, and each with a place of its own. `asTheyAre`: noise counts. */
export function keyed(lines: readonly Line[], asTheyAre: boolean): KeyedLine[] {
  const keys = keysOf(
    lines.map(({ text }) => text),
    asTheyAre,
  );
  const seen = new Map<string, number>();
  return lines.map((line, index) => {
    const count = (seen.get(line.place) ?? 0) + 1;
    seen.set(line.place, count);
    return { ...line, place: count === 1 ? line.place : `${line.place}~${count}`, key: keys[index] ?? "" };
  });
}

/**
 * Two pages that are cut at the same line: a line above that came, or grew, shifts the end of what is kept, and that is no
 * change of the lines there.
 */
export function atOneEnd(old: LinedPage, current: LinedPage): [LinedPage, LinedPage] {
  const isCut = old.rest !== "" || current.rest !== "";
  if (!isCut || lastKey(old) === lastKey(current)) return [old, current];
  const { steps, isOther, moved } = align(old.lines, current.lines);
  const gap = steps.at(-1);
  if (isOther || steps.length < 2 || gap === undefined || !isGap(gap)) return [old, current];
  const replaced = replacedIn(gap, moved);
  const left = current.rest === "" ? undefined : tailOf(gap.gone, new Set(replaced.values()));
  const entered = old.rest === "" ? undefined : tailOf(gap.came, new Set(replaced.keys()));
  // Where lines both came and went, the end itself has changed.
  return left && entered ? [old, current] : [cutBefore(old, left), cutBefore(current, entered)];
}

function lastKey({ lines }: LinedPage): string | undefined {
  return lines.findLast(({ key }) => key !== "")?.key;
}

/** The first of the lines at the end that are not among the `paired` ones. */
function tailOf(lines: readonly KeyedLine[], paired: ReadonlySet<KeyedLine>): KeyedLine | undefined {
  return lines[lines.findLastIndex(line => paired.has(line)) + 1];
}

function cutBefore(page: LinedPage, line: KeyedLine | undefined): LinedPage {
  if (line === undefined) return page;
  const end = page.lines.indexOf(line);
  const keys = page.lines.slice(end).map(({ key }) => key);
  return { ...page, lines: page.lines.slice(0, end), rest: restOf(keys, page.rest) };
}

/** A page that was made of `cut`, with all lines that `whole` keeps; where it names another rest, its end stays. */
export function uncut(page: LinedPage, cut: LinedPage, whole: LinedPage): LinedPage {
  if (page.rest !== cut.rest) return page;
  return { ...page, lines: [...page.lines, ...whole.lines.slice(cut.lines.length)], rest: whole.rest };
}

/** How often a page changes beyond the lines that are kept: of these nothing but a hash is known. JSON. */
export interface RestHabit {
  /** The last four checks, one bit each, the latest lowest: whether the rest differed. */
  bits: number;
  /** Checks since it changed. */
  rests: number;
  /** Since when it is restless, in milliseconds since the epoch: it makes no event until it rests. */
  since?: number;
}

/** The habit after another check; undefined where there is none. */
export function observeRest(
  habit: RestHabit | undefined,
  isChanged: boolean,
  { at, confirms }: Interim,
): RestHabit | undefined {
  if (isChanged) {
    const bits = nextBits(habit?.bits, true);
    const since = habit?.since ?? (isOften(bits) ? at : undefined);
    return { bits, rests: 0, ...(since !== undefined && { since }) };
  }
  if (habit === undefined || confirms) return habit;
  const next = { ...habit, bits: nextBits(habit.bits), rests: habit.rests + 1 };
  const isKept = habit.since === undefined ? next.bits > 0 : next.rests < checksOfRest;
  return isKept ? next : undefined;
}
