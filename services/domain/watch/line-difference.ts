import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { firstBytes } from "../page-diff/compare-page.ts";
import { align, isGap, type KeyedLine } from "./align.ts";
import type { LinedPage } from "./lined-page.ts";
import { movesOf } from "./moves.ts";

/** The data of `web.page.changed`, beside title and url. */
export interface PageChange {
  previousHash: string;
  currentHash: string;
  /** Lines as the page shows them. */
  added: string[];
  removed: string[];
  /** Lines that have changed their place, with the words for it: `Alpha: moved from 3rd to 1st`. Absent without any. */
  moved?: string[];
  /** Unified diff of the lines; "" where the pages differ too much. */
  diff: string;
  /** What no line shows, in words: the page has changed beyond the text that is kept. */
  note?: string;
  truncated?: true;
}

const maxLines = 100;
const maxLineLength = 400;
const maxDiffBytes = 32 * 1024;
/** Limits the time of a diff, which grows with the square of the edits. */
const maxEdits = 1000;

/** What is said of a change that no line shows. */
export const changedBeyond = "The page has changed beyond the text that is kept.";

/** The lines in which two versions of a page differ. */
export interface Difference {
  added: KeyedLine[];
  removed: KeyedLine[];
  /** Where lines have changed their place, in words. */
  moved: string[];
  /** The lines that have changed their place, as they went and as they came. */
  reordered: { old: KeyedLine[]; current: KeyedLine[] };
  /** The lines are those that have changed their place. */
  isMove: boolean;
  /** Unified diff; "" where the pages differ too much. */
  patch: string;
  /** The pages differ beyond the lines that are kept. */
  isBeyond: boolean;
}

/** How two versions of a page differ; undefined when they are the same, where `isShuffled` in whatever order. */
export function differenceOf(
  before: LinedPage,
  after: LinedPage,
  isShuffled = false,
): Difference | undefined {
  const [old, current] = [countedIn(before), countedIn(after)];
  const common = isShuffled ? inOrderOf(current, old) : old;
  if (before.rest === after.rest && joined(common) === joined(current)) return undefined;
  const [added, removed] = [without(current, common), without(common, current)];
  const moves = movedLines(common, current);
  const isMove = added.length + removed.length === 0;
  const patch = unifiedDiff(common, current);
  const isBeyond = before.rest !== after.rest;
  const rest = { moved: moves.words, reordered: moves, isMove, patch, isBeyond };
  return isMove ? { added: moves.current, removed: moves.old, ...rest } : { added, removed, ...rest };
}

/** A difference, as an event shows it. */
export function changeOf(difference: Difference, before: LinedPage, after: LinedPage): PageChange {
  const { patch } = difference;
  const [added, removed] = [shown(difference.added), shown(difference.removed)];
  const moved = difference.moved;
  const isShown = added.length + removed.length > 0;
  const isWhole =
    isShown && patch !== "" && patch.length <= maxDiffBytes && [added, removed, moved].every(fits);
  return {
    previousHash: before.hash,
    currentHash: after.hash,
    added: shortened(added),
    removed: shortened(removed),
    ...(moved.length > 0 && { moved: shortened(moved) }),
    diff: firstBytes(patch, maxDiffBytes),
    ...(difference.isBeyond && { note: changedBeyond }),
    ...(!isWhole && { truncated: true }),
  };
}

function countedIn({ lines }: LinedPage): KeyedLine[] {
  return lines.filter(({ key }) => key !== "");
}

function joined(lines: KeyedLine[]): string {
  return lines.map(({ key }) => key).join("\n");
}

/** `lines` in the order of a `model`; a line that the model lacks stays after its predecessor. */
function inOrderOf(model: KeyedLine[], lines: KeyedLine[]): KeyedLine[] {
  const places = Map.groupBy(model.keys(), index => model[index]?.key ?? "");
  let last = -1;
  const placed = lines.map(line => {
    last = places.get(line.key)?.shift() ?? last;
    return { line, place: last };
  });
  return placed.sort((a, b) => a.place - b.place).map(({ line }) => line);
}

/** The lines that have changed their place. */
function movedLines(old: KeyedLine[], current: KeyedLine[]) {
  const { steps, moved, isOther } = align(old, current);
  if (moved.size === 0 || isOther) return { old: [], current: [], words: [] };
  const isMoved = ({ key }: KeyedLine) => moved.has(key);
  const gaps = steps.filter(isGap);
  const words = movesOf(
    { old, current },
    {
      gone: gaps.flatMap(({ gone }) => gone).filter(isMoved),
      came: gaps.flatMap(({ came }) => came).filter(isMoved),
    },
  );
  return { old: old.filter(isMoved), current: current.filter(isMoved), words };
}

function shown(lines: KeyedLine[]): string[] {
  return lines.map(({ text }) => text);
}

/** Lines of `these` that are missing in `those`, counting repetitions. */
function without(these: KeyedLine[], those: KeyedLine[]): KeyedLine[] {
  const left = new Map<string, number>();
  for (const { key } of those) left.set(key, (left.get(key) ?? 0) + 1);
  return these.filter(({ key }) => {
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count <= 0;
  });
}

// A line that differs only in noise gets its new form in the old page too, so that the diff leaves it out.
function unifiedDiff(old: KeyedLine[], current: KeyedLine[]): string {
  const latest = new Map(current.map(({ key, text }) => [key, text]));
  const [previous, next] = [old, current].map(lines =>
    lines.map(({ key, text }) => `${latest.get(key) ?? text}\n`).join(""),
  );
  const options = { context: 2, maxEditLength: maxEdits, headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch("previous", "current", previous ?? "", next ?? "", "", "", options) ?? "";
}

function fits(lines: string[]): boolean {
  return lines.length <= maxLines && lines.every(line => Buffer.byteLength(line) <= maxLineLength);
}

function shortened(lines: string[]): string[] {
  return lines.slice(0, maxLines).map(line => firstBytes(line, maxLineLength));
}
