import { gunzipSync, gzipSync } from "node:zlib";
import type { ViewPreview } from "../../contracts/watch.contract.ts";
import {
  changeOf,
  differenceOf,
  emptyText,
  firstBytes,
  isMaintenance,
  type PageText,
  readExactText,
  readPageText,
} from "../../domain/page-diff/compare-page.ts";
import { noiseRules } from "../../domain/page-diff/noise.ts";
import type { Habits } from "../../domain/polling/habits.ts";
import { foresee, judge, type Memory, type Verdict, type WatchChange } from "../../domain/watch/judge.ts";
import { shownLine } from "../../domain/watch/patterns.ts";
import type { SpentShare } from "../../domain/watch/picture-share.ts";
import type { Seen } from "../../domain/watch/snapshot.ts";
import type { View } from "../../domain/watch/view.ts";

/** What is known of the pace of a page. */
export interface PagePace {
  intervalMs: number;
  /** Milliseconds since the epoch: the latest check, and the latest change that became an event, or the first check. */
  checkedAt: number;
  newsAt: number;
  /** The hours at which it changes. */
  habits?: Habits;
}

/** The state of a page between polls, which only this connector writes. */
export interface PageState extends Omit<Memory, "text">, PagePace {
  /** The page's text: gzip, base64. */
  text: string;
  /** The version of the noise rules that made `hash`. */
  rules: number;
  /** The hash of the page that was kept last. */
  page?: string;
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

export function packText({ hash, text }: PageText): Pick<PageState, "hash" | "text" | "rules"> {
  return { hash, text: gzipSync(text).toString("base64"), rules: noiseRules };
}

/** A snapshot of a page, and what the last poll left of it. They are compared in a thread: the work grows with the page. */
export interface PolledSnapshot {
  state: Partial<PageState>;
  snapshot: Seen;
  view: View;
  title: string;
  /** When the check began, in milliseconds since the epoch. */
  at: number;
}

/** The verdict, and what is kept of the snapshot; or why the snapshot is none. */
export type ComparedSnapshot =
  | { ok: true; verdict: Omit<Verdict, "memory">; kept: ReturnType<typeof packMemory>; words: string }
  | { ok: false; reason: string };

export function compareSnapshot({ state, snapshot, view, title, at }: PolledSnapshot): ComparedSnapshot {
  const { before, after } = comparablePair(state, snapshot, view);
  if (before && isMaintenance({ title, text: snapshot.text }, before.text))
    return { ok: false, reason: maintenance };
  const { memory, ...verdict } = judge(before, after, view, at);
  // The whole page was hashed for `snapshot`, and perhaps the text that is stored for `after`.
  const kept = memory.hash === after.hash ? { ...memory, hash: snapshot.hash } : memory;
  return { ok: true, verdict, kept: packMemory(kept), words: newWords(snapshot, before) };
}

/** Bytes of what is new in a version, at most: it is searched for. */
const maxWords = 10 * 1024;

/** The lines that the page did not show at the check before. */
function newWords({ text }: Seen, before: Memory | undefined): string {
  const known = new Set(before?.text.split("\n"));
  const shown = text.split("\n").flatMap(line => (known.has(line) ? [] : shownLine(line)));
  return firstBytes(shown.join("\n"), maxWords);
}

/** A snapshot of a page, and what the key's own watch of it remembers; `reason` says why it remembers nothing. */
export interface PreviewedSnapshot extends PolledSnapshot {
  reason: string;
}

/** What a poll would make of a snapshot. */
export type ForeseenSnapshot = Pick<ViewPreview, "would_fire" | "why" | "change">;

const maintenance = "The site shows a maintenance page.";

export function foreseeSnapshot({
  state,
  snapshot,
  view,
  title,
  reason,
  at,
}: PreviewedSnapshot): ForeseenSnapshot {
  const { before, after } = comparablePair(state, snapshot, view);
  if (before === undefined) {
    const { wouldFire, why = `${reason}; the next change decides.` } = foresee(snapshot, view);
    return { would_fire: wouldFire, why, change: null };
  }
  if (isMaintenance({ title, text: snapshot.text }, before.text))
    return { would_fire: false, why: maintenance, change: null };
  const { why, change } = judge(before, after, view, at);
  if (change) return { would_fire: true, why, change: shownChange(change) };
  // What differs is shown also where it does not count.
  const difference = differenceOf(before, after, undefined, view.json !== undefined);
  const silent = difference && shownChange(changeOf(difference, before, after));
  return { would_fire: false, why, change: silent ?? null };
}

function shownChange({ added, removed, diff, fields, value }: WatchChange): ForeseenSnapshot["change"] {
  return { added, removed, diff, ...(fields && { fields }), ...(value && { value }) };
}

/** What is remembered, in the form of the state. */
function packMemory({ hash, text, ...rest }: Memory): Pick<PageState, "hash" | "text" | "rules"> {
  return { ...packText({ hash, text }), ...rest };
}

/**
 * What is remembered of a page, and the snapshot to compare it with. Where other noise rules made the stored hash, both are
 * hashed again, from the part of the text that is stored.
 */
function comparablePair(
  { hash, text, rules, rotation, main, fields, recipe, value, seen }: Partial<PageState>,
  snapshot: Seen,
  view: View,
): { before: Memory | undefined; after: Seen } {
  if (hash === undefined || text === undefined) return { before: undefined, after: snapshot };
  const kept = gunzipSync(Buffer.from(text, "base64")).toString();
  const rest = {
    ...(rotation && { rotation }),
    ...(main && { main }),
    ...(fields && { fields }),
    ...(recipe && { recipe }),
    ...(value && { value }),
    ...(seen !== undefined && { seen }),
  };
  if (rules === noiseRules) return { before: { hash, text: kept, ...rest }, after: snapshot };
  return {
    before: { ...hashed(kept, view), ...rest },
    after: { ...snapshot, ...hashed(snapshot.text, view) },
  };
}

function hashed(text: string, { json }: View): PageText {
  return (json ? undefined : readPageText(text)) ?? readExactText(text) ?? emptyText;
}
