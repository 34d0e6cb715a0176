import {
  keysOf as keysOfBlocks,
  maxTextBytes,
  maxTextLines,
  type PageText,
} from "../../../../services/domain/page-diff/compare-page.ts";
import { type IgnoredBlocks, ignoredBlocks } from "../../../../services/domain/page-diff/rotation.ts";
import type { Line } from "../../../../services/domain/watch/line.ts";
import {
  changeOf,
  differenceOf,
  type PageChange,
} from "../../../../services/domain/watch/line-difference.ts";
import { keyed, type LinedPage } from "../../../../services/domain/watch/lined-page.ts";

/** The change from one text of a page to another, as an event shows it; undefined where they are the same. */
export function comparePage(
  before: PageText,
  after: PageText,
  ignored: IgnoredBlocks = ignoredBlocks(undefined),
): PageChange | undefined {
  const [old, current] = [kept(before, ignored), kept(after, ignored)];
  const difference = differenceOf(old, current, ignored.isShuffled);
  return difference && changeOf(difference, old, current);
}

/** The lines of a text, in the form in which they are compared. */
export function keysOf({ text }: PageText): string[] {
  return keysOfBlocks(text.split("\n"));
}

function kept({ hash, text }: PageText, { isRotating }: IgnoredBlocks): LinedPage {
  const lines = text
    .split("\n")
    .map((each, at): Line => ({ text: each, place: `line ${at + 1}`, area: "main" }));
  const counted = keyed(lines, false).filter(({ key }) => !isRotating(key));
  return { hash, lines: counted, rest: isCut(text) ? hash : "" };
}

function isCut(text: string): boolean {
  return Buffer.byteLength(text) > maxTextBytes - 4 || text.split("\n").length >= maxTextLines;
}
