import { type Alignment, type Gap, isGap, type KeyedLine, listOf, replacedIn, wordsOf } from "./align.ts";
import type { MutedLine } from "./line.ts";
import { formOf, ignoreFor, isOfNumbers, type LineForm, widened } from "./line-form.ts";

/** What is known of a line that has changed lately. JSON. */
export interface Habit {
  place: string;
  /** The last four checks, one bit each, the latest lowest: whether its text differed. */
  bits: number;
  /** The checks among them in which it had other words, not other numbers alone; absent for none. */
  others?: number;
  /** Checks since it changed. */
  rests: number;
  form: LineForm;
  /** What it shows, or showed last. */
  text: string;
  /** Since when it is restless, in milliseconds since the epoch. */
  since?: number;
}

/** Under which conditions two checks followed each other. */
export interface Interim {
  /** The time of the later check, and how long after the former it was; milliseconds. */
  at: number;
  gapMs: number;
  /** The later check confirms what the former one found, or is the second one of its watch. */
  confirms?: "change" | "baseline";
}

/** A line that differs so often in so many checks is restless. */
const [minChanges, checksSeen] = [3, 4];
/** A restless line that rests for so many checks counts again. */
export const checksOfRest = 5;
/** Other words after so long are what a day brings; other numbers may be a counter. */
const longGapMs = 4 * 60 * 60 * 1000;
/** Habits of a page, at most: those of the lines that changed last. */
const maxHabits = 1000;
const maxText = 400;

export function isOutside({ area }: Pick<KeyedLine, "area">): boolean {
  return area !== "main";
}

/** The habits after another check. `alignment`: from the lines of the check before to those of this one. */
export function observe(habits: readonly Habit[], alignment: Alignment, interim: Interim): Habit[] {
  const known = new Map(habits.map(habit => [habit.place, habit]));
  if (!alignment.isOther) follow(known, alignment);
  const changes = changesIn(alignment);
  const news = newsOfLists(changes, alignment);
  for (const change of changes) {
    const habit = news.has(change) ? undefined : changed(known.get(change.place), change, interim);
    if (habit) known.set(change.place, habit);
    else known.delete(change.place);
  }
  const places = new Set(changes.map(({ place }) => place));
  const all = [...known.values()].flatMap(habit =>
    places.has(habit.place) || interim.confirms ? habit : (rested(habit) ?? []),
  );
  return all.sort((a, b) => a.rests - b.rests).slice(0, maxHabits);
}

/** A line whose text differs, at its place: without `from` where nothing was, without `to` where nothing is. */
interface Change {
  place: string;
  from?: KeyedLine;
  to?: KeyedLine;
  isOutside: boolean;
}

/**
 * Gives habits the places to which their lines have come: a line above was inserted. A line without a habit ends that of
 * the place to which it comes.
 */
function follow(known: Map<string, Habit>, alignment: Alignment): void {
  const ways = waysIn(alignment).filter(([from, to]) => from !== to);
  const moving = ways.map(([from, to, isItself]) => ({ habit: known.get(from), to, isItself }));
  for (const [from] of ways) known.delete(from);
  for (const { habit, to, isItself } of moving)
    if (habit) known.set(to, { ...habit, place: to });
    else if (isItself) known.delete(to);
}

/** From where to where lines came, and whether they are the very same. */
type Way = [from: string, to: string, isItself: boolean];

function waysIn({ steps, moved }: Alignment): Way[] {
  const gaps = steps.filter(isGap);
  const gone = Map.groupBy(
    gaps.flatMap(gap => gap.gone).filter(({ key }) => moved.has(key)),
    ({ key }) => key,
  );
  return steps.flatMap((step): Way[] => {
    if (!isGap(step)) return [[step.was.place, step.is.place, true]];
    const replaced = [...replacedIn(step, moved)].map(([is, was]): Way => [was.place, is.place, false]);
    const carried = step.came.flatMap(({ key, place }): Way[] => {
      const was = gone.get(key)?.shift();
      return was ? [[was.place, place, true]] : [];
    });
    return [...replaced, ...carried];
  });
}

/** So many lines of one list in the main content, replaced together by other words, are news of the list. */
const [fewNews, manyNews] = [2, 3];

/** What is news of a list, or at least half of one: the more a list brings, the less it is a restless line. */
function newsOfLists(changes: Change[], { steps }: Alignment): Set<Change> {
  const others = changes.filter(
    ({ from, to, isOutside: isBeside }) => !isBeside && from && to && wordsOf(from.key) !== wordsOf(to.key),
  );
  if (others.length < fewNews) return new Set();
  const lines = steps.flatMap(step => (isGap(step) ? step.came : [step.is]));
  const sizes = Map.groupBy(lines, ({ place }) => listOf(place));
  const lists = Map.groupBy(others, ({ place }) => listOf(place));
  const isNews = ([list, { length }]: [string, Change[]]) =>
    length >= manyNews || (length >= fewNews && 2 * length >= (sizes.get(list)?.length ?? 0));
  return new Set([...lists].filter(isNews).flatMap(([, each]) => each));
}

/**
 * The lines that were replaced. Outside the main content also what comes to an empty place and leaves it empty: a box that
 * opens for a while. What is inserted into a list, or drops out of it, moves the others and leaves no place empty.
 */
function changesIn({ steps, moved, isOther }: Alignment): Change[] {
  const gaps = steps.filter(isGap);
  if (gaps.length === 0) return [];
  if (isOther) return gaps.flatMap(gap => numbersIn(gap, moved));
  const places = { before: new Set<string>(), after: new Set<string>() };
  for (const step of steps)
    for (const [line, where] of isGap(step)
      ? [
          ...step.gone.map(line => [line, "before"] as const),
          ...step.came.map(line => [line, "after"] as const),
        ]
      : [[step.was, "before"] as const, [step.is, "after"] as const])
      places[where].add(line.place);
  return gaps.flatMap(gap => {
    const replaced = replacedIn(gap, moved);
    const former = new Set(replaced.values());
    const came = gap.came.filter(
      line => !replaced.has(line) && isOutside(line) && !places.before.has(line.place),
    );
    const gone = gap.gone.filter(
      line => !former.has(line) && isOutside(line) && !places.after.has(line.place),
    );
    return [
      ...[...replaced].map(([to, from]) => ({ place: to.place, from, to, isOutside: isOutside(to) })),
      ...came.map(to => ({ place: to.place, to, isOutside: true })),
      ...gone.map(from => ({ place: from.place, from, isOutside: true })),
    ];
  });
}

/** What differs in its numbers alone, where pages have so little in common that nothing else is known of single lines. */
function numbersIn(gap: Gap, moved: Set<string>): Change[] {
  return [...replacedIn(gap, moved)].flatMap(([to, from]) =>
    wordsOf(from.key) === wordsOf(to.key) ? { place: to.place, from, to, isOutside: isOutside(to) } : [],
  );
}

function changed(
  habit: Habit | undefined,
  change: Change,
  { at, gapMs, confirms }: Interim,
): Habit | undefined {
  const { place, from, to, isOutside: isBeside } = change;
  const text = to?.text ?? from?.text ?? habit?.text ?? "";
  const isOfTheDay = gapMs >= longGapMs && wordsOf(from?.key ?? "") !== wordsOf(to?.key ?? "");
  if (isOfTheDay && habit?.since === undefined) return habit;
  if (isOfTheDay && !isBeside && habit && !isOfNumbers(habit.form)) return undefined;
  const bits = nextBits(habit?.bits, true);
  const isAgain = confirms === "change" && ((habit?.bits ?? 0) & 1) === 1;
  const isRestless = isOften(bits) || (isBeside && isAgain);
  const since = habit?.since ?? (isRestless ? at : undefined);
  const others = nextBits(habit?.others, isOtherThan(habit, change));
  const form = nextForm(habit, others, [from?.text ?? habit?.text ?? text, text]);
  return {
    ...{ place, bits, rests: 0, form, text: text.slice(0, maxText) },
    ...(others > 0 && { others }),
    ...(since !== undefined && { since }),
  };
}

function isOtherThan(habit: Habit | undefined, { from, to }: Change): boolean {
  if (from && to) return wordsOf(from.key) !== wordsOf(to.key);
  return (
    habit !== undefined && to !== undefined && wordsOf(habit.text) !== wordsOf(to.text.slice(0, maxText))
  );
}

/**
 * The form of a line with another text. A restless number stays one when it gives way to words, until it does so at each
 * check; a line in which numbers alone differ lately is one again.
 */
function nextForm(habit: Habit | undefined, others: number, [former, text]: [string, string]): LineForm {
  if (habit === undefined) return formOf(former, text);
  const wide = widened(habit.form, text);
  if (isOfNumbers(wide)) return wide;
  const isNumber = habit.since !== undefined && isOfNumbers(habit.form);
  if ((others & 1) === 1) return isNumber && countOf(others) < checksSeen ? habit.form : wide;
  const fresh = formOf(former, text);
  return (isNumber || others === 0) && isOfNumbers(fresh) ? fresh : wide;
}

export function nextBits(bits = 0, isSet = false): number {
  return ((bits << 1) | (isSet ? 1 : 0)) & (2 ** checksSeen - 1);
}

export function isOften(bits: number): boolean {
  return countOf(bits) >= minChanges;
}

function countOf(bits: number): number {
  return bits.toString(2).replaceAll("0", "").length;
}

/** A habit after a check in which its line was the same; undefined where it is one no more. */
function rested({ bits, others: other, rests, ...habit }: Habit): Habit | undefined {
  const others = nextBits(other);
  const next = { ...habit, bits: nextBits(bits), rests: rests + 1, ...(others > 0 && { others }) };
  if (habit.since !== undefined) return next.rests < checksOfRest ? next : undefined;
  return next.bits > 0 ? next : undefined;
}

/** Muted lines that get a pattern, at most: a list shows no more. */
const maxPatterns = 50;

/** Restless lines, as lists show them. `lines`: those of the page, of which a pattern silences no other one. */
export function mutedLines(restless: readonly Habit[], lines: readonly KeyedLine[]): MutedLine[] {
  const places = new Set(restless.map(({ place }) => place));
  const others = lines.flatMap(line => (places.has(line.place) ? [] : line.text));
  return restless.flatMap(({ place, text, since, form }, at) =>
    since === undefined
      ? []
      : { place, text, since, ignore: at < maxPatterns ? ignoreFor(form, text, others) : "" },
  );
}
