import { diffArrays } from "diff";
import type { Line } from "./line.ts";

/** A line, and the form in which it is compared: without noise, "" for a line of nothing else. */
export interface KeyedLine extends Line {
  key: string;
}

/** What differs between two lines that stayed: the lines that went, and those that came. */
export interface Gap {
  gone: KeyedLine[];
  came: KeyedLine[];
}
/** A line that stayed, in both forms. */
interface Stayed {
  was: KeyedLine;
  is: KeyedLine;
}

/** How a page became another, from its beginning to its end. Lines of noise alone are left out. */
export interface Alignment {
  steps: (Gap | Stayed)[];
  /** The pages have so little in common that nothing is known of single lines. */
  isOther: boolean;
  /** Keys of lines that have changed their place. */
  moved: Set<string>;
}

/** Limits the time, which grows with the square of the edits. */
const maxEdits = 1000;

export function isGap(step: Gap | Stayed): step is Gap {
  return "gone" in step;
}

/** Finds the lines that two pages have in common, in their order. */
export function align(before: readonly KeyedLine[], after: readonly KeyedLine[]): Alignment {
  const [old, current] = [before.filter(isCompared), after.filter(isCompared)];
  const start = commonStart(old, current);
  const end = commonStart(old.slice(start).reverse(), current.slice(start).reverse());
  const inner = edits(old.slice(start, old.length - end), current.slice(start, current.length - end));
  const steps = [
    ...stayed(old.slice(0, start), current.slice(0, start)),
    ...inner.steps,
    ...stayed(old.slice(old.length - end), current.slice(current.length - end)),
  ];
  return { steps, isOther: inner.isOther, moved: movedKeys(steps.filter(isGap)) };
}

function isCompared({ key }: KeyedLine): boolean {
  return key !== "";
}

function commonStart(old: KeyedLine[], current: KeyedLine[]): number {
  const end = old.findIndex(({ key }, index) => key !== current[index]?.key);
  return end === -1 ? old.length : end;
}

function edits(old: KeyedLine[], current: KeyedLine[]): Pick<Alignment, "steps" | "isOther"> {
  if (old.length + current.length === 0) return { steps: [], isOther: false };
  const parts = diffArrays(keys(old), keys(current), { maxEditLength: maxEdits });
  if (parts === undefined) return { steps: [{ gone: old, came: current }], isOther: true };
  const steps: Alignment["steps"] = [];
  let [from, to] = [0, 0];
  for (const { added, removed, count } of parts) {
    const [gone, came] = [old.slice(from, from + count), current.slice(to, to + count)];
    if (!added && !removed) steps.push(...stayed(gone, came));
    else joinGap(steps, removed ? { gone, came: [] } : { gone: [], came });
    if (!added) from += count;
    if (!removed) to += count;
  }
  return { steps, isOther: false };
}

function joinGap(steps: Alignment["steps"], { gone, came }: Gap): void {
  const last = steps.at(-1);
  if (last === undefined || !isGap(last)) steps.push({ gone, came });
  else {
    last.gone.push(...gone);
    last.came.push(...came);
  }
}

function keys(lines: KeyedLine[]): string[] {
  return lines.map(({ key }) => key);
}

function stayed(old: KeyedLine[], current: KeyedLine[]): Stayed[] {
  return old.flatMap((was, index) => {
    const is = current[index];
    return is ? { was, is } : [];
  });
}

function movedKeys(gaps: Gap[]): Set<string> {
  const gone = new Set(gaps.flatMap(gap => keys(gap.gone)));
  return new Set(gaps.flatMap(gap => keys(gap.came)).filter(key => gone.has(key)));
}

/**
 * The lines of a gap that were replaced: by the line that came, the one that was there before. They say the same in other
 * numbers, are at the same place, or are as many in the same list. A line that only moved is replaced by none.
 */
export function replacedIn({ gone, came }: Gap, moved: Set<string>): Map<KeyedLine, KeyedLine> {
  const pairs = new Map<KeyedLine, KeyedLine>();
  const left = {
    gone: gone.filter(({ key }) => !moved.has(key)),
    came: came.filter(({ key }) => !moved.has(key)),
  };
  pair(left, pairs, ({ key }) => (/\p{L}{2}/u.test(key) ? wordsOf(key) : undefined));
  pair(left, pairs, ({ place }) => place);
  if (left.gone.length === left.came.length)
    pair(left, pairs, ({ place, area }) => `${area} ${listOf(place)}`);
  return pairs;
}

function pair(
  left: Gap,
  pairs: Map<KeyedLine, KeyedLine>,
  nameOf: (line: KeyedLine) => string | undefined,
): void {
  if (left.gone.length === 0 || left.came.length === 0) return;
  const waiting = Map.groupBy(left.gone, nameOf);
  const taken = new Set<KeyedLine>();
  left.came = left.came.filter(line => {
    const name = nameOf(line);
    const former = name === undefined ? undefined : waiting.get(name)?.shift();
    if (former === undefined) return true;
    pairs.set(line, former);
    taken.add(former);
    return false;
  });
  left.gone = left.gone.filter(line => !taken.has(line));
}

/** Numbers with words right behind them, which are no tokens: "9left". */
const numberBeforeWord = /(?<![\p{L}\p{N}])\p{N}+(?=\p{L}{3,}(?![\p{L}\p{N}]))/gu;
/** Numbers, and tokens with digits in them. A letter of a script without spaces belongs to none. */
const numbered =
  /[[\p{L}\p{N}_\-]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]]*\p{N}[[\p{L}\p{N}_.,:'’+\-]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]]*/gv;

/** A text without its numbers, and without tokens, which have digits in them. */
export function wordsOf(text: string): string {
  return text.replace(numberBeforeWord, "$& ").replace(numbered, "#");
}

/** The list to which a place belongs: the place without its positions. */
export function listOf(place: string): string {
  return place.replace(/[:+-]?\d+/g, "");
}
