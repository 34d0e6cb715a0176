import { isDeepStrictEqual } from "node:util";
import type { Checked } from "../../contracts/connectors.contract.ts";
import type { KnownPage } from "../../contracts/page-reads.contract.ts";
import type { ViewPreview } from "../../contracts/watch.contract.ts";
import { present } from "../../domain/json/fields.ts";
import { firstBytes } from "../../domain/page-diff/compare-page.ts";
import { isAtRest, restRotation } from "../../domain/page-diff/rotation.ts";
import type { Habits } from "../../domain/polling/habits.ts";
import {
  differenceFrom,
  foresee,
  judge,
  type Memory,
  type Verdict,
  type WatchChange,
} from "../../domain/watch/judge.ts";
import type { PageChange } from "../../domain/watch/line-difference.ts";
import { shownLine } from "../../domain/watch/patterns.ts";
import type { Seen } from "../../domain/watch/snapshot.ts";
import { isAbsent, troubleIn } from "../../domain/watch/trouble-in.ts";
import type { View } from "../../domain/watch/view.ts";
import type { SpentShare } from "../../domain/watch/watch-pictures.ts";
import { type PackedMemory, packMemory, unpackMemory } from "./packed-memory.ts";

/** What is known of the pace of a page. */
export interface PagePace {
  intervalMs: number;
  /** Milliseconds since the epoch: the latest check, and the latest change that became an event, or the first check. */
  checkedAt: number;
  newsAt: number;
  /** The hours at which it changes. */
  habits?: Habits;
}

/**
 * What a page's state keeps to tell that it is unchanged. What may differ from check to check is small and by itself: it
 * fits in the source's own document, which a poll writes anyway.
 */
export interface KnownState {
  /** What was read, and what came of it; absent while the same page read once more would change what is remembered. */
  known?: Pick<KnownPage, "url"> & Pick<Checked, "outcome" | "reason" | "values">;
  /** What was sent last; many pages are other bytes at each check, and say the same. */
  fingerprint: string;
  /** Validators; empty for none, because a field that is gone is no small change. */
  etag: string;
  lastModified: string;
  /** When the server last sent the page, in milliseconds since the epoch, and how often it was asked by conditions since. */
  sentAt: number;
  conditional: number;
  /** Checks since it was read. */
  unread: number;
}

/** The state of a page between polls, which only this connector writes. */
export interface PageState extends PackedMemory, PagePace, KnownState {
  /** The hash of the page that was kept last. */
  page?: string;
  /** The hash of the kept page with which the next one is compared. */
  toldPage?: string;
  name: string;
  /** Number of changes seen, so that a page which changes back gets a new revision. */
  changes: number;
  /** The last picture, as `scraper.pictureChange` answered it. */
  picture?: string;
  /** What pictures have spent of the watch's share. */
  pictured?: SpentShare;
}

export function pageState(state: Record<string, unknown>): Partial<PageState> {
  return state as Partial<PageState>;
}

/** A snapshot of a page, and what the last poll left of it. They are compared in a thread: the work grows with the page. */
export interface PolledSnapshot {
  state: Partial<PageState>;
  snapshot: Seen;
  view: View;
  title: string;
  /** When the check began, in milliseconds since the epoch. */
  at: number;
  /** Lines that are no change of this page (`PassedLines`), where it is one of a site, which may also say that it is none. */
  passed?: string[];
}

/** The verdict, and what is kept of the snapshot; or why the snapshot is none. */
export type ComparedSnapshot =
  | {
      ok: true;
      verdict: Omit<Verdict, "memory">;
      kept: PackedMemory;
      words: string;
      /** Another check that finds this snapshot would make nothing else of it. */
      isSettled: boolean;
    }
  | { ok: false; reason: string; isAbsent?: true };

export function compareSnapshot({
  state,
  snapshot,
  view,
  title,
  at,
  passed,
}: PolledSnapshot): ComparedSnapshot {
  const before = remembered(state, snapshot);
  const trouble = troubleIn(title, snapshot, before);
  if (trouble !== null) return { ok: false, reason: trouble };
  if (passed !== undefined && isAbsent(title, snapshot, before))
    return { ok: false, reason: "It says that nothing is there.", isAbsent: true };
  const { memory, ...verdict } = judge(before, snapshot, view, at, passed && new Set(passed));
  const isSettled = isQuiet(verdict) && isAtRest(memory.rotation) && isAlike(memory, before);
  return { ok: true, verdict, kept: packMemory(memory), words: newWords(snapshot, before), isSettled };
}

/** Nothing was reported or is muted, and nothing is to be confirmed. */
function isQuiet({ outcome, confirm, muted }: Omit<Verdict, "memory">): boolean {
  return outcome !== "changed" && !confirm && muted.length === 0;
}

/** Whether two memories differ in nothing but how long ago things were, which `rested` makes up for. */
function isAlike(memory: Memory, before: Memory | undefined): boolean {
  const timeless = { at: 0, rotation: undefined };
  return isDeepStrictEqual(present({ ...memory, ...timeless }), present({ ...before, ...timeless }));
}

/** The state, as if the checks that did not read the page had read it. */
function rested({ rotation, at, ...state }: Partial<PageState>): Partial<PageState> {
  const { unread = 0, checkedAt = at } = state;
  const now = rotation && restRotation(rotation, unread);
  const checked = unread > 0 ? checkedAt : at;
  return { ...state, ...(checked !== undefined && { at: checked }), ...(now && { rotation: now }) };
}

/** Bytes of what is new in a version, at most: it is searched for. */
const maxWords = 10 * 1024;

/** The lines that the page did not show at the check before. */
function newWords({ lines }: Seen, before: Memory | undefined): string {
  const known = new Set((before?.last ?? before?.lines)?.map(({ text }) => text));
  const shown = lines.flatMap(({ text }) => (known.has(text) ? [] : shownLine(text)));
  return firstBytes(shown.join("\n"), maxWords);
}

/** A snapshot of a page, and what the key's own watch of it remembers; `reason` says why it remembers nothing. */
export interface PreviewedSnapshot extends PolledSnapshot {
  reason: string;
}

/** What a poll would make of a snapshot. */
export type ForeseenSnapshot = Pick<ViewPreview, "would_fire" | "why" | "change">;

export function foreseeSnapshot({
  state,
  snapshot,
  view,
  title,
  reason,
  at,
}: PreviewedSnapshot): ForeseenSnapshot {
  const before = remembered(state, snapshot);
  if (before === undefined) {
    const { wouldFire, why = `${reason}; the next change decides.` } = foresee(snapshot, view);
    return { would_fire: wouldFire, why, change: null };
  }
  const trouble = troubleIn(title, snapshot, before);
  if (trouble !== null) return { would_fire: false, why: trouble, change: null };
  const { why, change, outcome } = judge(before, snapshot, view, at);
  if (snapshot.list) return { would_fire: outcome === "changed", why, change: null };
  if (change) return { would_fire: true, why, change: shownChange(change) };
  // What differs is shown also where it does not count.
  const silent = differenceFrom(before, snapshot, view);
  return { would_fire: false, why, change: silent ? shownChange(silent) : null };
}

function shownChange({
  added,
  removed,
  moved,
  diff,
  note,
  fields,
  value,
}: WatchChange | (PageChange & Pick<WatchChange, "fields" | "value">)): ForeseenSnapshot["change"] {
  const more = {
    ...(moved && { moved }),
    ...(note !== undefined && { note }),
    ...(fields && { fields }),
    ...(value && { value }),
  };
  return { added, removed, diff, ...more };
}

/** What is remembered of a page; undefined before the first check. */
function remembered(state: Partial<PageState>, snapshot: Seen): Memory | undefined {
  const { hash, told, rest, rules, at, ...others } = rested(state);
  if (hash === undefined || told === undefined || rest === undefined || rules === undefined) return undefined;
  const { lastRest, restHabit, confirms, vain, rotation, main, fields, recipe, value, seen, list } = others;
  const { isOfOtherRules, ...memory } = unpackMemory({
    ...{ hash, told, rest, rules, at: at ?? 0 },
    ...(lastRest !== undefined && { lastRest }),
    ...(restHabit && { restHabit }),
    ...(confirms && { confirms }),
    ...(vain !== undefined && { vain }),
    ...(rotation && { rotation }),
    ...(main && { main }),
    ...(fields && { fields }),
    ...(recipe && { recipe }),
    ...(value && { value }),
    ...(seen !== undefined && { seen }),
    ...(list && { list }),
  });
  if (!isOfOtherRules) return memory;
  const { lastRest: _, ...comparable } = memory;
  return { ...comparable, rest: snapshot.rest };
}
