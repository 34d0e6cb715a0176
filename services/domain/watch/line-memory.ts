import { hashOf } from "../page-diff/compare-page.ts";
import { ignoredBlocks, isTracked, type Rotation, trackRotation } from "../page-diff/rotation.ts";
import { type Alignment, align, isGap, type KeyedLine } from "./align.ts";
import { type ChangedLines, changedLines } from "./changed-lines.ts";
import { heldBack } from "./counting.ts";
import type { Line, MutedLine } from "./line.ts";
import { type Difference, differenceOf } from "./line-difference.ts";
import { atOneEnd, keyed, type LinedPage, observeRest, type RestHabit, uncut } from "./lined-page.ts";
import { type Hidden, maskLines } from "./mask-lines.ts";
import { type Asked, askedFor, isHabitual, mutable, newsFor } from "./muting.ts";
import { type Habit, isOutside, mutedLines, observe } from "./restless.ts";
import { isConfirmed, isExact, type View } from "./view.ts";

/** What a watch remembers of a page's lines between two checks. JSON. */
export interface LineMemory {
  /** What was reported last: the hash of all of it, its lines as far as they are kept, and the hash of what follows. */
  hash: string;
  lines: Line[];
  rest: string;
  /** When the last check was, in milliseconds since the epoch. */
  at: number;
  /** What the last check found, where that is something else. */
  last?: Line[];
  lastRest?: string;
  /** Lines that have changed lately, and the restless ones among them. */
  restless?: Habit[];
  /** How what follows the kept lines has changed lately. */
  restHabit?: RestHabit;
  /** The next check confirms a change outside the main content, or is the second one of the watch. */
  confirms?: "change" | "baseline";
  /** Confirmations in a row that found something else again. */
  vain?: number;
  /** The blocks that the page rotates; absent while none does. */
  rotation?: Rotation;
}

/** A page compared with what is remembered of it. */
export interface Comparison {
  told: LinedPage;
  /** The page as far as it counts now: what is muted, or waits, is as it was reported last. */
  counted: LinedPage;
  /** Undefined where nothing that counts differs. */
  difference?: Difference;
  /** The lines by which it differs, also those that wait; absent for none. */
  lines?: ChangedLines;
  muted: MutedLine[];
  /** What follows the kept lines changes at nearly every check, and differs now. */
  isRestMuted: boolean;
  /** A change outside the main content counts if the next check finds it again. */
  isWaiting: boolean;
  /** The last check found the same. */
  isSame: boolean;
  memory: LineMemory;
}

/** After so many confirmations in vain none is asked for: the next check confirms when it comes. */
const mostVain = 3;

/** The memory of a first page; with lines outside the main content the next check comes soon, to learn which do not stay. */
export function firstMemory({ hash, lines, rest }: LinedPage, view: View, at: number): LineMemory {
  const isLearning = isConfirmed(view) && lines.some(isOutside);
  return { hash, lines: lines.map(unkeyed), rest, at, ...(isLearning && { confirms: "baseline" }) };
}

/** Compares a page with what is remembered of it. `at`: when the check began, in milliseconds since the epoch. */
export function compareLines(before: LineMemory, whole: LinedPage, view: View, at: number): Comparison {
  const asTheyAre = isExact(view);
  const { told, last, page } = sidesOf(before, whole, asTheyAre);
  const since = align(last.lines, page.lines);
  const interim = { at, gapMs: at - before.at, ...(before.confirms && { confirms: before.confirms }) };
  const habits = asTheyAre ? [] : observe(before.restless ?? [], since, interim);
  const isRestNew = last.rest !== page.rest;
  const restHabit = asTheyAre ? undefined : observeRest(before.restHabit, isRestNew, interim);
  const isRestless = restHabit?.since !== undefined;
  const restless = new Map(mutable(habits, page.lines.length, view).map(habit => [habit.place, habit]));
  const [was, is] = [told, page].map(({ lines }) => lines.map(({ key }) => key));
  const isFollowed = !asTheyAre && (before.rotation !== undefined || was?.join("\n") !== is?.join("\n"));
  const rotation = isFollowed ? trackRotation(before.rotation, was ?? [], is ?? []) : undefined;
  const compare = {
    told,
    page: isRestless ? { ...page, rest: told.rest } : page,
    isAsked: askedFor(view.when),
    restless,
    rotation,
    isKnown: isTracked(before.rotation),
    isNews: newsFor(view),
  };
  const found = counting(compare, isConfirmed(view) ? since : undefined);
  const compared = {
    ...{ told, ...found },
    muted: mutedLines([...restless.values()], page.lines),
    isRestMuted: isRestless && (isRestNew || told.rest !== page.rest),
    isSame: since.steps.every(step => !isGap(step)) && !isRestNew,
  };
  // Rotating lines are compared with the last report, whatever the page showed in between.
  const isRotation = found.difference === undefined && !isAlike(told.lines, found.counted.lines);
  const kept = isRotation ? told : uncut(found.counted, page, whole);
  const memory = remember(before, { kept, whole, at, habits, restHabit, rotation }, found.isWaiting);
  return { ...compared, memory };
}

/** What was reported last, what the last check found, and the page, cut at one line. */
function sidesOf(before: LineMemory, whole: LinedPage, asTheyAre: boolean) {
  const reported = { hash: before.hash, lines: keyed(before.lines, asTheyAre), rest: before.rest };
  const isOther = before.last !== undefined || before.lastRest !== undefined;
  const [told, page] = atOneEnd(reported, whole);
  if (!isOther) return { told, last: told, page };
  const found = {
    ...reported,
    lines: before.last ? keyed(before.last, asTheyAre) : reported.lines,
    rest: before.lastRest ?? before.rest,
  };
  const [last, shorter] = atOneEnd(found, page);
  const [shortest, cut] = atOneEnd(told, shorter);
  return { told: shortest, last, page: cut };
}

interface Compared {
  told: LinedPage;
  page: LinedPage;
  isAsked: Asked;
  restless: Map<string, Habit>;
  rotation: Rotation | undefined;
  /** Whether a line has come or gone lately, before this check. */
  isKnown(key: string): boolean;
  /** Whether a line counts although it comes and goes in turn. */
  isNews(key: string): boolean;
}

/** What counts of a page. `since`: what has changed since the last check, where only what stays counts outside the content. */
function counting(
  { told, page, isAsked, restless, rotation, isKnown, isNews }: Compared,
  since: Alignment | undefined,
): Pick<Comparison, "counted" | "isWaiting" | "difference" | "lines"> {
  const alignment = align(told.lines, page.lines);
  const ignored = ignoredBlocks(rotation);
  const isRotating = (key: string) => ignored.isRotating(key) && !isNews(key);
  const isRestless = (was: KeyedLine | undefined, is: KeyedLine | undefined) => {
    const habit = restless.get((is ?? was)?.place ?? "");
    return habit !== undefined && isHabitual(habit, was, is);
  };
  // Two texts take turns: the one may be known to rotate before the other.
  const replaced = (was: KeyedLine, is: KeyedLine) =>
    isRotating(was.key) && isKnown(is.key) && !isAsked(was, is);
  const by = (hidden: Pick<Hidden, "came" | "gone">) => {
    const counted = masked(page, maskLines(alignment, page.lines, { ...hidden, replaced }));
    const difference = differenceOf(told, counted, ignored.isShuffled);
    return { counted, ...(difference && { difference }) };
  };
  const muted: Pick<Hidden, "came" | "gone"> = {
    came: (is, was) => (isRotating(is.key) || isRestless(was, is)) && !isAsked(was, is),
    gone: (was, is) => (isRotating(was.key) || isRestless(was, is)) && !isAsked(was, is),
  };
  const atOnce = by(muted);
  const lines = atOnce.difference && { lines: changedLines(atOnce.difference) };
  if (since === undefined || !isBeside(atOnce.difference)) return { ...atOnce, ...lines, isWaiting: false };
  const fresh = freshIn(since);
  const settled = by({
    came: (is, was) => muted.came(is, was) || fresh.came.has(is),
    gone: (was, is) => muted.gone(was, is) || fresh.gone.has(was.key),
  });
  return { ...settled, ...lines, isWaiting: sizeOf(settled.difference) < sizeOf(atOnce.difference) };
}

/** Whether all that differs is outside the main content. */
function isBeside(difference: Difference | undefined): boolean {
  return difference !== undefined && sizeOf(difference) > 0 && linesIn(difference).every(isOutside);
}

function linesIn({ added, removed }: Difference): KeyedLine[] {
  return [...added, ...removed];
}

function sizeOf(difference: Difference | undefined): number {
  return difference ? linesIn(difference).length + difference.moved.length : 0;
}

/** The lines outside the main content that came or went since the last check. */
function freshIn({ steps }: Alignment): { came: Set<KeyedLine>; gone: Set<string> } {
  const gaps = steps.filter(isGap);
  const outside = (lines: KeyedLine[]) => lines.filter(isOutside);
  return {
    came: new Set(gaps.flatMap(({ came }) => outside(came))),
    gone: new Set(gaps.flatMap(({ gone }) => outside(gone)).map(({ key }) => key)),
  };
}

function masked(page: LinedPage, lines: KeyedLine[]): LinedPage {
  const isWhole = isAlike(lines, page.lines);
  return { ...page, lines, ...(!isWhole && { hash: hashOf([...lines.map(({ key }) => key), page.rest]) }) };
}

function isAlike(some: readonly KeyedLine[], others: readonly KeyedLine[]): boolean {
  return some.length === others.length && some.every(({ key }, index) => key === others[index]?.key);
}

interface Found {
  /** What is reported now. */
  kept: LinedPage;
  /** What the page shows. */
  whole: LinedPage;
  at: number;
  habits: Habit[];
  restHabit: RestHabit | undefined;
  rotation: Rotation | undefined;
}

/** The memory after a check that is over: what counts is reported, or passed over. */
function remember(
  before: LineMemory,
  { kept, whole, at, habits, restHabit, rotation }: Found,
  isWaiting: boolean,
): LineMemory {
  const vain = isWaiting ? (before.vain ?? 0) + (before.confirms === "change" ? 1 : 0) : 0;
  const isAsked = isWaiting && before.confirms !== "change" && vain < mostVain;
  return {
    ...{ hash: kept.hash, lines: kept.lines.map(unkeyed), rest: kept.rest, at },
    ...lastSeen(whole, kept),
    ...(habits.length > 0 && { restless: habits }),
    ...(restHabit && { restHabit }),
    ...(isAsked && { confirms: "change" }),
    ...(vain > 0 && { vain }),
    ...(rotation && { rotation }),
  };
}

/**
 * The memory after a check that reports nothing and passes over nothing. What no longer meets the condition that holds the
 * watch is as the page shows it: once it is met again, that is a change.
 */
export function heldMemory(
  before: LineMemory,
  { told, memory }: Comparison,
  page: LinedPage,
  view: View,
): LineMemory {
  const { restless, restHabit, at } = memory;
  const { rotation } = before;
  const kept = unmetIn(told, page, view);
  const { hash, lines, rest } = kept;
  return {
    ...{ hash, lines: lines.map(unkeyed), rest, at },
    ...lastSeen(page, kept),
    ...(restless && { restless }),
    ...(restHabit && { restHabit }),
    ...(rotation && { rotation }),
  };
}

/** What was reported last, without what met a condition there and does not meet it on the page. */
function unmetIn(told: LinedPage, page: LinedPage, { when }: View): LinedPage {
  if (heldBack(told, when) !== null) return told;
  const isAsked = askedFor(when);
  const isKept = (was: KeyedLine | undefined, is: KeyedLine | undefined) => !isAsked(was, is);
  const lines = maskLines(align(told.lines, page.lines), page.lines, {
    came: (is, was) => isKept(was, is),
    gone: isKept,
    replaced: isKept,
  });
  const unmet = { ...told, lines, hash: hashOf([...lines.map(({ key }) => key), told.rest]) };
  // A condition that only lines together met, or what is beyond the kept lines.
  return heldBack(unmet, when) === null ? page : unmet;
}

/** What a page shows, as far as it is not what is reported. */
function lastSeen(page: LinedPage, kept: LinedPage): Pick<LineMemory, "last" | "lastRest"> {
  const isKept =
    page.lines.length === kept.lines.length &&
    page.lines.every(
      ({ text, place }, at) => text === kept.lines[at]?.text && place === kept.lines[at]?.place,
    );
  return {
    ...(!isKept && { last: page.lines.map(unkeyed) }),
    ...(page.rest !== kept.rest && { lastRest: page.rest }),
  };
}

function unkeyed({ text, place, area }: KeyedLine): Line {
  return { text, place, area };
}
