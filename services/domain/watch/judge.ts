import type { Recipe } from "../../../reader/recipe/recipe.ts";
import {
  changeOf,
  type Difference,
  differenceOf,
  keysOf,
  type PageChange,
  type PageText,
} from "../page-diff/compare-page.ts";
import { ignoredBlocks, type Rotation, trackRotation } from "../page-diff/rotation.ts";
import type { MainPlaces } from "./eye/main-places.ts";
import type { MutedLine } from "./line.ts";
import { anyOf, shownLine } from "./patterns.ts";
import { changedFields, type FieldChanges, type Fields } from "./read-fields.ts";
import { isFull, isSeen, rememberLines, type SeenLines } from "./seen-lines.ts";
import type { Seen } from "./snapshot.ts";
import type { View, When } from "./view.ts";
import { crossing, type KnownValue, nextValue, numberOfLines } from "./watched-value.ts";

/** What a watch remembers of a page between two snapshots. JSON; the text aside at most some 100 KB. */
export interface Memory extends PageText {
  /** The blocks that the page rotates; absent while none does. */
  rotation?: Rotation;
  /** Where the main content is. */
  main?: MainPlaces;
  fields?: Fields;
  recipe?: Recipe;
  value?: KnownValue;
  /** Present only with `unique_lines`. */
  seen?: SeenLines;
}

/** The data of `web.page.changed`, beside title, url and pictures. */
export interface WatchChange extends PageChange {
  fields?: FieldChanges;
  value?: { from: number; to: number };
  /** With `unique_lines`: old lines are forgotten, and count as new if they come back. */
  memoryFull?: true;
}

/**
 * `same`: nothing differs; `changed`: it is an event; `held`: it differs, and a condition or a confirmation holds it;
 * `muted`: only what changes all the time differs.
 */
export type Outcome = "same" | "changed" | "held" | "muted";

/** Whether a snapshot is an event, and why. */
export interface Verdict {
  outcome: Outcome;
  /** A sentence for people. */
  why: string;
  /** Present when it is an event. */
  change?: WatchChange;
  memory: Memory;
  /** The lines whose changes are muted now. */
  muted: MutedLine[];
  /** A second check half a minute later is wanted: what it finds changed once more is restless. */
  confirm: boolean;
}

/**
 * Compares a snapshot with what is remembered. A text that must not, or must, be there holds the watch as it is: what changes
 * meanwhile counts once the condition is met. Changes that do not count for another reason are over.
 */
export function judge(before: Memory | undefined, snapshot: Seen, view: View, _at: number): Verdict {
  const none = { muted: [], confirm: false };
  if (before === undefined)
    return {
      ...none,
      outcome: "same",
      why: "This is the first check: changes count from here on.",
      memory: first(snapshot, view),
    };
  const held = heldBack(snapshot, view.when);
  if (held !== null)
    return { ...none, outcome: before.hash === snapshot.hash ? "same" : "held", why: held, memory: before };
  const isSame = before.hash === snapshot.hash;
  const rotation =
    !view.json && (!isSame || before.rotation !== undefined)
      ? trackRotation(before.rotation, keysOf(before), keysOf(snapshot))
      : undefined;
  const difference = differenceOf(before, snapshot, ignoredBlocks(rotation), view.json !== undefined);
  const { why, counted } = counting(difference, before, view);
  const verdict = report(before, snapshot, view, { why, counted });
  const isRotation = !isSame && difference === undefined;
  const silent = difference ? "held" : isRotation ? "muted" : "same";
  // Rotating blocks are compared with the last published text, whatever the page showed in between.
  const kept = isRotation
    ? { hash: before.hash, text: before.text }
    : { hash: snapshot.hash, text: snapshot.text };
  const memory = {
    ...kept,
    ...(rotation && { rotation }),
    ...further(before, snapshot, view, verdict.change !== undefined),
  };
  return { ...none, outcome: verdict.change ? "changed" : silent, ...verdict, memory };
}

/** What `judge` says of a first snapshot, or of one without a memory: null, without a reason, where the next change decides. */
export function foresee(snapshot: Seen, view: View): { wouldFire: false | null; why?: string } {
  const held = heldBack(snapshot, view.when);
  if (held !== null) return { wouldFire: false, why: held };
  if (snapshot.value === null) return { wouldFire: false, why: "No number is found for `when.value`." };
  return { wouldFire: null };
}

function first(snapshot: Seen, view: View): Memory {
  return { hash: snapshot.hash, text: snapshot.text, ...further(undefined, snapshot, view, false) };
}

function further(
  before: Memory | undefined,
  snapshot: Seen,
  view: View,
  isReported: boolean,
): Partial<Memory> {
  const value = nextValue(before?.value, snapshot.value, isReported);
  return {
    ...(snapshot.main && { main: snapshot.main }),
    ...(snapshot.fields && { fields: snapshot.fields }),
    ...(snapshot.recipe && view.json?.schema && { recipe: snapshot.recipe }),
    ...(value && { value }),
    ...(view.unique_lines && { seen: rememberLines(before?.seen ?? "", keysOf(snapshot)) }),
  };
}

/** Why a snapshot does not count at all, by conditions on the whole text; null when it does. */
function heldBack({ text }: PageText, when: When = {}): string | null {
  if (when.added_only || when.removed_only) return null;
  return unmet(text.split("\n"), when, "The page");
}

/** Why lines do not meet `contains` and `not_contains`; null when they do. */
function unmet(lines: readonly string[], { contains = [], not_contains: without = [] }: When, what: string) {
  if (contains.length + without.length === 0) return null;
  const texts = [lines.join("\n"), lines.map(shownLine).join("\n")];
  if (contains.length > 0 && !texts.some(anyOf(contains)))
    return `${what} says nothing of \`when.contains\`.`;
  return texts.some(anyOf(without)) ? `${what} says something of \`when.not_contains\`.` : null;
}

/** The part of a difference that counts, and a sentence about it. */
function counting(
  difference: Difference | undefined,
  before: Memory,
  { when = {}, unique_lines }: View,
): { why: string; counted?: Difference } {
  if (difference === undefined) return { why: "Nothing has changed that counts." };
  const counted = { ...difference };
  if (unique_lines) {
    const wasSeen = isSeen(before.seen ?? "");
    counted.added = counted.added.filter(({ key }) => !wasSeen(key));
    if (counted.added.length === 0) return { why: "No line was added that the page has not shown before." };
  }
  if (when.added_only || when.removed_only) {
    const [kind, other] = when.added_only ? (["added", "removed"] as const) : (["removed", "added"] as const);
    counted[other] = [];
    if (counted.isMove) return { why: `Lines have changed their place; none was ${kind}.` };
    if (counted[kind].length === 0) return { why: `No line was ${kind}.` };
    const reason = unmet(
      counted[kind].map(({ shown }) => shown),
      when,
      `What was ${kind}`,
    );
    if (reason !== null) return { why: reason };
  }
  return { why: sentenceOf(counted), counted };
}

function sentenceOf({ added, removed, isMove }: Difference): string {
  if (isMove && added.length > 0) return `${lines(added.length)} changed place.`;
  if (added.length + removed.length === 0) return "The page has changed beyond the text that is kept.";
  if (removed.length === 0) return `${lines(added.length)} added.`;
  if (added.length === 0) return `${lines(removed.length)} removed.`;
  return `${lines(added.length)} added, ${lines(removed.length)} removed.`;
}

function lines(count: number): string {
  return count === 1 ? "1 line" : `${count} lines`;
}

/** The event, if there is one. A number that is watched decides alone, within the other conditions. */
function report(
  before: Memory,
  snapshot: Seen,
  view: View,
  { why, counted }: { why: string; counted?: Difference },
): { why: string; change?: WatchChange } {
  const { when = {}, json } = view;
  const limits = when.value;
  const isNarrowed = when.added_only || when.removed_only || view.unique_lines;
  const empty: Difference = { added: [], removed: [], isMove: false, patch: "" };
  if (limits === undefined) {
    const fields = json && before.fields && snapshot.fields && changedFields(before.fields, snapshot.fields);
    if (counted === undefined || (json && fields === undefined)) return { why };
    return { why, change: changeWith(counted, before, snapshot, view, fields && { fields }) };
  }
  const crossed = crossing(before.value, snapshot.value ?? null, limits);
  if (crossed.value === undefined) return { why: crossed.why };
  if (isNarrowed && counted === undefined) return { why };
  return {
    why: crossed.why,
    change: changeWith(counted ?? empty, before, snapshot, view, { value: crossed.value }),
  };
}

function changeWith(
  counted: Difference,
  before: Memory,
  snapshot: Seen,
  view: View,
  more: Pick<WatchChange, "fields" | "value"> = {},
): WatchChange {
  const change = changeOf(counted, before, snapshot);
  const { truncated, ...whole } = change;
  // A number may change where no line of the view does.
  const isPart = truncated && !(more.value && counted.added.length + counted.removed.length === 0);
  const fields =
    view.json && before.fields && snapshot.fields && changedFields(before.fields, snapshot.fields);
  return {
    ...whole,
    ...(isPart && { truncated }),
    ...(fields && { fields }),
    ...more,
    ...(view.unique_lines && isFull(before.seen ?? "") && { memoryFull: true as const }),
  };
}

/** What is known of an item of a feed. */
export interface ItemText {
  title: string | null;
  /** The text without markup. */
  text: string | null;
  /** Language tag, where the item or its feed names one. */
  language?: string;
  /** It was known already, and has changed. */
  isUpdate: boolean;
}

/**
 * Whether an item of a feed counts: no pattern of `ignore` is found in its title or text, and what `when` wants is there.
 * Each item is judged once, so its number counts where it is below or above a limit, whatever the one before was.
 */
export function itemJudge({ ignore = [], when = {} }: View): (item: ItemText) => boolean {
  const { contains = [], not_contains: without = [], added_only: isAddedOnly, value } = when;
  const [isUnwanted, isWanted] = [anyOf([...ignore, ...without]), anyOf(contains)];
  return ({ title, text, language = "", isUpdate }) => {
    const whole = [title ?? "", text ?? ""].join("\n");
    if (isUpdate && isAddedOnly) return false;
    if (isUnwanted(whole)) return false;
    if (contains.length > 0 && !isWanted(whole)) return false;
    if (value === undefined) return true;
    const number = numberOfLines(whole.split("\n"), language);
    if (number === null) return false;
    const { below = Number.NEGATIVE_INFINITY, above = Number.POSITIVE_INFINITY } = value;
    return number < below || number > above;
  };
}
