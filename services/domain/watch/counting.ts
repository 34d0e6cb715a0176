import { changedBeyond, changeOf, type Difference, type PageChange } from "./line-difference.ts";
import type { LinedPage } from "./lined-page.ts";
import { anyOf, shownLine } from "./patterns.ts";
import { changedValues } from "./read-extract.ts";
import { changedFields, type FieldChanges, type Fields } from "./read-fields.ts";
import { isFull, isSeen, type SeenLines } from "./seen-lines.ts";
import type { View, When } from "./view.ts";
import { crossing, type KnownValue } from "./watched-value.ts";

/** The data of `web.page.changed`, beside title, url and pictures. */
export interface WatchChange extends PageChange {
  fields?: FieldChanges;
  value?: { from: number; to: number };
  /** With `unique_lines`: old lines are forgotten, and count as new if they come back. */
  memoryFull?: true;
}

/** What was reported of a page last. */
export interface Known {
  page: LinedPage;
  fields?: Fields;
  value?: KnownValue;
  seen?: SeenLines;
}

/** What it shows now. */
interface Looked {
  page: LinedPage;
  fields?: Fields;
  value?: number | null;
}

/** Why a snapshot does not count at all, by conditions on the whole text; null when it does. */
export function heldBack({ lines }: LinedPage, when: When = {}): string | null {
  if (when.added_only || when.removed_only) return null;
  return unmet(
    lines.map(({ text }) => text),
    when,
    "The page",
  );
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
export function counting(
  difference: Difference | undefined,
  before: Known,
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
    counted.moved = [];
    if (counted.isMove) return { why: `Lines have changed their place; none was ${kind}.` };
    if (counted[kind].length === 0) return { why: `No line was ${kind}.` };
    const reason = unmet(
      counted[kind].map(({ text }) => text),
      when,
      `What was ${kind}`,
    );
    if (reason !== null) return { why: reason };
  }
  return { why: sentenceOf(counted), counted };
}

function sentenceOf({ added, removed, isMove }: Difference): string {
  if (isMove && added.length > 0) return `${lines(added.length)} changed place.`;
  if (added.length + removed.length === 0) return changedBeyond;
  if (removed.length === 0) return `${lines(added.length)} added.`;
  if (added.length === 0) return `${lines(removed.length)} removed.`;
  return `${lines(added.length)} added, ${lines(removed.length)} removed.`;
}

function lines(count: number): string {
  return count === 1 ? "1 line" : `${count} lines`;
}

/** The event, if there is one. A number that is watched decides alone, within the other conditions. */
export function report(
  before: Known,
  snapshot: Looked,
  view: View,
  { why, counted }: { why: string; counted?: Difference },
): { why: string; change?: WatchChange } {
  const { when = {}, json } = view;
  const limits = when.value;
  const isNarrowed = when.added_only || when.removed_only || view.unique_lines;
  const empty: Difference = {
    ...{ added: [], removed: [], moved: [], reordered: { old: [], current: [] } },
    ...{ isMove: false, patch: "", isBeyond: false },
  };
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
  before: Known,
  snapshot: Looked,
  view: View,
  more: Pick<WatchChange, "fields" | "value"> = {},
): WatchChange {
  const change = changeOf(counted, before.page, snapshot.page);
  const { truncated, ...whole } = change;
  // A number may change where no line of the view does.
  const isPart = truncated && !(more.value && counted.added.length + counted.removed.length === 0);
  const fields = view.extract
    ? changedValues(counted, [before.page.lines, snapshot.page.lines])
    : view.json && before.fields && snapshot.fields && changedFields(before.fields, snapshot.fields);
  return {
    ...whole,
    ...(isPart && { truncated }),
    ...(fields && { fields }),
    ...more,
    ...(view.unique_lines && isFull(before.seen ?? "") && { memoryFull: true as const }),
  };
}
