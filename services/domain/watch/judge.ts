import type { Recipe } from "../../../reader/recipe/recipe.ts";
import { countingNews, type ItemNews } from "../feed/compare-feed.ts";
import type { FeedMemory } from "../feed/feed-memory.ts";
import { noiseRules } from "../page-diff/noise.ts";
import type { ChangedLines } from "./changed-lines.ts";
import { counting, heldBack, type Known, report, type WatchChange } from "./counting.ts";
import type { MainPlaces } from "./eye/main-places.ts";
import type { MutedLine } from "./line.ts";
import { changeOf, differenceOf, type PageChange } from "./line-difference.ts";
import { type Comparison, compareLines, firstMemory, heldMemory, type LineMemory } from "./line-memory.ts";
import { atOneEnd, keyed, type LinedPage, linedPage } from "./lined-page.ts";
import { compareList, type PageList } from "./page-items.ts";
import { type PassedLines, passOver } from "./pass-over.ts";
import type { Fields } from "./read-fields.ts";
import { rememberLines, type SeenLines } from "./seen-lines.ts";
import type { Seen } from "./snapshot.ts";
import { isExact, type View } from "./view.ts";
import { type KnownValue, nextValue } from "./watched-value.ts";

export type { WatchChange };

/** What a watch remembers of a page between two checks. JSON; the lines aside at most some 100 KB. */
export interface Memory extends LineMemory {
  /** Where the main content is. */
  main?: MainPlaces;
  fields?: Fields;
  recipe?: Recipe;
  value?: KnownValue;
  /** Present only with `unique_lines`. */
  seen?: SeenLines;
  /** Present only with `items`: how they were found, and those that were seen. */
  list?: { selector: string; seen: FeedMemory; rules: number };
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
  /** In place of `change`, where the view has `items`: the entries that are events, oldest first. */
  news?: ItemNews[];
  /** More entries are new, and the next check brings them. */
  isMore?: true;
  /** The lines by which it differs from what was told, also those that wait or are held; absent for none. */
  lines?: ChangedLines;
  /** How many lines differ, where that makes no event. */
  differs?: { added: number; removed: number };
  memory: Memory;
  /** The lines whose changes are muted now. */
  muted: MutedLine[];
  /** A second check half a minute later is wanted: what it finds changed once more is restless. */
  confirm: boolean;
}

/**
 * Compares a snapshot with what is remembered. A text that must not, or must, be there holds the watch as it is: what changes
 * meanwhile counts once the condition is met. Changes that do not count for another reason are over. What changes outside
 * the main content alone counts if the next check finds it again. `at`: when the check began, in milliseconds since the
 * epoch. `passed`: lines that are no change of this page, because they came or went on many pages of its site.
 */
export function judge(
  known: Memory | undefined,
  snapshot: Seen,
  view: View,
  at: number,
  passed?: PassedLines,
): Verdict {
  const page = linedPage(snapshot, view);
  if (snapshot.list) return judgeList(known?.list, snapshot.list, firstMemory(page, view, at), view);
  if (known === undefined) return first(page, snapshot, view, at);
  const before = passed ? passOver(known, page, passed, isExact(view)) : known;
  const compared = compareLines(before, page, view, at);
  const held = heldBack(page, view.when);
  if (held !== null) return heldVerdict(before, compared, { page, view, why: held });
  const told = knownOf(before, compared.told);
  const { why, change } = report(
    told,
    { ...snapshot, page: compared.counted },
    view,
    counting(compared.difference, told, view),
  );
  const memory = {
    ...compared.memory,
    ...further(before, compared.counted, snapshot, view, change !== undefined),
  };
  const verdict = change ? { outcome: "changed" as const, why, change } : silence(compared, why, view);
  return {
    ...verdict,
    ...linesOf(compared),
    ...{ memory, muted: compared.muted, confirm: memory.confirms !== undefined },
  };
}

/** Each new entry of a list is judged by itself, as an item of a feed is. A list that is found anew counts from then on. */
function judgeList(
  known: Memory["list"],
  { selector, items }: PageList,
  lines: LineMemory,
  view: View,
): Verdict {
  const found = compareList(known?.seen, items, known?.rules !== noiseRules);
  const isFoundAnew = known !== undefined && known.selector !== selector && found.known === 0;
  const { news, seen, isWhole } = isFoundAnew ? compareList(undefined, items) : found;
  const told = countingNews(news, view);
  const memory = { ...lines, list: { selector, seen, rules: noiseRules } };
  const rest = { memory, muted: [], confirm: false, ...(!isWhole && { isMore: true as const }) };
  if (news.length === 0)
    return { outcome: "same", why: known && !isFoundAnew ? noneNew : firstLook, ...rest };
  const entries = told.length === 1 ? "1 entry is" : `${told.length} entries are`;
  const left = told.length < news.length ? `, and the options leave out ${news.length - told.length}` : "";
  return {
    outcome: told.length > 0 ? "changed" : "held",
    why: `${entries} new${left}.`,
    differs: { added: news.length, removed: 0 },
    ...(told.length > 0 && { news: told }),
    ...rest,
  };
}

const noneNew = "No entry is new.";
const firstLook = "This is the first look at the list: entries count from here on.";

/** What `judge` says of a first snapshot, or of one without a memory: null, without a reason, where the next change decides. */
export function foresee(snapshot: Seen, view: View): { wouldFire: false | null; why?: string } {
  const held = heldBack(linedPage(snapshot, view), view.when);
  if (held !== null) return { wouldFire: false, why: held };
  if (snapshot.value === null) return { wouldFire: false, why: "No number is found for `when.value`." };
  return { wouldFire: null };
}

/** How a snapshot differs from what was reported last, whether that counts or not; undefined where it does not. */
export function differenceFrom(before: Memory, snapshot: Seen, view: View): PageChange | undefined {
  const told = { hash: before.hash, lines: keyed(before.lines, isExact(view)), rest: before.rest };
  const [old, current] = atOneEnd(told, linedPage(snapshot, view));
  const difference = differenceOf(old, current);
  return difference && changeOf(difference, old, current);
}

function first(page: LinedPage, snapshot: Seen, view: View, at: number): Verdict {
  const memory = { ...firstMemory(page, view, at), ...further(undefined, page, snapshot, view, false) };
  return {
    outcome: "same",
    why: "This is the first check: changes count from here on.",
    memory,
    muted: [],
    confirm: memory.confirms !== undefined,
  };
}

function heldVerdict(
  before: Memory,
  compared: Comparison,
  { page, view, why }: { page: LinedPage; view: View; why: string },
): Verdict {
  const { main, fields, recipe, value, seen } = before;
  const rest = {
    ...(main && { main }),
    ...(fields && { fields }),
    ...(recipe && { recipe }),
    ...(value && { value }),
    ...(seen !== undefined && { seen }),
  };
  const memory = { ...heldMemory(before, compared, page, view), ...rest };
  const outcome = compared.difference || compared.isWaiting ? "held" : "same";
  const { muted } = compared;
  return { outcome, why, ...differs(compared), ...linesOf(compared), memory, muted, confirm: false };
}

function knownOf({ fields, value, seen }: Memory, page: LinedPage): Known {
  return {
    page,
    ...(fields && { fields }),
    ...(value && { value }),
    ...(seen !== undefined && { seen }),
  };
}

function linesOf({ lines }: Comparison): Pick<Verdict, "lines"> {
  return lines ? { lines } : {};
}

/** Why a check makes no event. */
function silence(
  compared: Comparison,
  why: string,
  { when }: View,
): Pick<Verdict, "outcome" | "why" | "differs"> {
  const { difference, isWaiting, isSame } = compared;
  if (difference) return { outcome: "held", why, ...differs(compared) };
  if (isWaiting) return { outcome: "held", why: waiting };
  if (isSame) return { outcome: "same", why };
  const ofLines = mutedReason(compared);
  return { outcome: "muted", why: when?.value === undefined ? ofLines : `${why} ${ofLines}` };
}

function differs({ difference }: Comparison): Pick<Verdict, "differs"> {
  if (difference === undefined) return {};
  return { differs: { added: difference.added.length, removed: difference.removed.length } };
}

const waiting =
  "Only what is outside the main content has changed; it counts if the next check finds it again.";

function mutedReason({ muted, isRestMuted }: Comparison): string {
  if (!isRestMuted) return linesReason(muted.length);
  const beyond = "The page changes at nearly every check beyond the text that is kept: that is muted.";
  return muted.length === 0 ? beyond : `${linesReason(muted.length)} ${beyond}`;
}

function linesReason(count: number): string {
  if (count === 0) return "Only lines that come and go in turn have changed.";
  return `Only lines that are muted have changed: ${count === 1 ? "1 line changes" : `${count} lines change`} at nearly every check.`;
}

function further(
  before: Memory | undefined,
  { lines }: LinedPage,
  snapshot: Seen,
  view: View,
  isReported: boolean,
): Omit<Memory, keyof LineMemory> {
  const value = nextValue(before?.value, snapshot.value, isReported);
  const keys = () => lines.map(({ key }) => key);
  return {
    ...(snapshot.main && { main: snapshot.main }),
    ...(snapshot.fields && view.json && { fields: snapshot.fields }),
    ...(snapshot.recipe && view.json?.schema && { recipe: snapshot.recipe }),
    ...(value && { value }),
    ...(view.unique_lines && { seen: rememberLines(before?.seen ?? "", keys()) }),
  };
}
