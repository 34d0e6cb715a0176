import { keysOf } from "../page-diff/compare-page.ts";
import type { KeyedLine } from "./align.ts";
import type { Line } from "./line.ts";
import type { Seen } from "./snapshot.ts";
import type { View } from "./view.ts";

/** A page as it is compared: its lines, as far as they are kept, and the hash of what follows them, "" for nothing. */
export interface LinedPage {
  hash: string;
  lines: KeyedLine[];
  rest: string;
}

/** The page that a view sees. */
export function linedPage({ hash, lines, rest }: Seen, { json }: View): LinedPage {
  return { hash, lines: keyed(lines, json !== undefined), rest };
}

/** Lines with the form in which they are compared, and each with a place of its own. `isExact`: noise counts. */
export function keyed(lines: readonly Line[], isExact: boolean): KeyedLine[] {
  const keys = keysOf(
    lines.map(({ text }) => text),
    isExact,
  );
  const seen = new Map<string, number>();
  return lines.map((line, index) => {
    const count = (seen.get(line.place) ?? 0) + 1;
    seen.set(line.place, count);
    return { ...line, place: count === 1 ? line.place : `${line.place}~${count}`, key: keys[index] ?? "" };
  });
}
