import { type KeyedLine, wordsOf } from "./align.ts";
import { isOfNumbers, widened } from "./line-form.ts";
import { anyOf } from "./patterns.ts";
import type { Habit } from "./restless.ts";
import type { View, When } from "./view.ts";

/**
 * Whether a change of a line is one that a view asks for: no habit mutes it. `was`: what it replaces, `is`: what the page
 * shows now; one of them is undefined where a line only came or went.
 */
export type Asked = (was: KeyedLine | undefined, is: KeyedLine | undefined) => boolean;

/** A line that begins or ceases to meet `contains` or `not_contains`, or meets it in other words. */
export function askedFor({ contains = [], not_contains: without = [] }: When = {}): Asked {
  if (contains.length + without.length === 0) return () => false;
  const [isWanted, isUnwanted] = [anyOf(contains), anyOf(without)];
  const meets = (line: KeyedLine | undefined) =>
    line === undefined ? "" : `${isWanted(line.text)} ${isUnwanted(line.text)}`;
  const nothing = "false false";
  return (was, is) => {
    const [before, now] = [meets(was) || nothing, meets(is) || nothing];
    if (before !== now) return true;
    return now !== nothing && wordsOf(was?.key ?? "") !== wordsOf(is?.key ?? "");
  };
}

/** Whether a change is what its line does all the time: where that differs in its numbers alone, other words are news. */
export function isHabitual({ form }: Habit, was: KeyedLine | undefined, is: KeyedLine | undefined): boolean {
  if (is === undefined || !isOfNumbers(form)) return true;
  return was ? wordsOf(was.key) === wordsOf(is.key) : isOfNumbers(widened(form, is.text));
}

/** Whether a line counts although it takes turns with another one: words and prices that somebody has pointed at do. */
export function newsFor({ select = [] }: View): (key: string) => boolean {
  return key => select.length > 0 && (money.test(key) || /\p{L}/u.test(wordsOf(key)));
}

/** Among so many lines that somebody has pointed at, one is taken for a counter. */
const linesOfCounter = 10;
const money = /\p{Sc}|\b(?:EUR|USD|GBP|CHF|JPY|CNY|Fr|kr|zł|Kč|Rs)\b/u;

/**
 * The restless lines that are muted in a view: none where each new line or a number decides, and of what somebody has
 * pointed at only a few counters between many lines.
 */
export function mutable(habits: readonly Habit[], lineCount: number, view: View): Habit[] {
  const { select = [], unique_lines: isUnique, when = {} } = view;
  const isNarrowed = when.added_only || when.removed_only;
  if (isUnique || (when.value && isNarrowed)) return [];
  const restless = habits.filter(({ since }) => since !== undefined);
  if (select.length === 0) return restless;
  const counters = restless.filter(({ form, text }) => isOfNumbers(form) && !money.test(text));
  return counters.length * linesOfCounter < lineCount ? counters : [];
}
