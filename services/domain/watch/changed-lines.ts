import { createHash } from "node:crypto";
import type { KeyedLine } from "./align.ts";
import type { Area } from "./line.ts";
import { changedBeyond, type Difference } from "./line-difference.ts";

/** A line that came or went on a page, in a form that is compared with lines of other pages. JSON. */
export interface ChangedLine {
  /** Names its text without noise: 12 characters. */
  hash: string;
  text: string;
  place: string;
  area: Area;
}

/** The lines by which a page differs from what was told of it, whether they count already or wait to be confirmed. JSON. */
export interface ChangedLines {
  came: ChangedLine[];
  gone: ChangedLine[];
}

/** Lines of a page beyond these are not compared with those of other pages. */
const maxChanged = 1000;
const maxText = 400;
/** Stands for what follows the lines that are kept of a page. */
export const beyondLines = "beyond";

export function changedLines({ added, removed, reordered, isBeyond }: Difference): ChangedLines {
  const rest: ChangedLine[] = isBeyond
    ? [{ hash: beyondLines, text: changedBeyond, place: beyondLines, area: "main" }]
    : [];
  return {
    came: [...rest, ...formsOf([...added, ...reordered.current])],
    gone: formsOf([...removed, ...reordered.old]),
  };
}

function formsOf(lines: readonly KeyedLine[]): ChangedLine[] {
  return [...new Set(lines)].slice(0, maxChanged).map(({ key, text, place, area }) => {
    return { hash: lineHash(key), text: text.slice(0, maxText), place, area };
  });
}

/** Names what a line says. */
export function lineHash(key: string): string {
  return createHash("sha256").update(key).digest("base64url").slice(0, 12);
}
