import { type Gap, type KeyedLine, listOf } from "./align.ts";
import { shownLine } from "./patterns.ts";

/**
 * Says of lines that have changed their place from where to where: by their places in their list, or on the page. `moves`:
 * the lines as they went, and as they came.
 */
export function movesOf(
  { old, current }: { old: readonly KeyedLine[]; current: readonly KeyedLine[] },
  { gone, came }: Gap,
): string[] {
  const waiting = Map.groupBy(gone, ({ key }) => key);
  const [from, to] = [ranksOf(old), ranksOf(current)];
  return came.flatMap(line => {
    const former = waiting.get(line.key)?.shift();
    return former ? `${shownLine(line.text)}: moved ${wayOf(from.get(former), to.get(line))}` : [];
  });
}

/** Where a line is: in its list, and on the page; and how long the list is. Counted from 1. */
interface Rank {
  inList: number;
  onPage: number;
  length: number;
}

function ranksOf(lines: readonly KeyedLine[]): Map<KeyedLine, Rank> {
  const lists = Map.groupBy(lines.entries(), ([, { area, place }]) => `${area} ${listOf(place)}`);
  const ranks = new Map<KeyedLine, Rank>();
  for (const list of lists.values())
    for (const [at, [index, line]] of list.entries())
      ranks.set(line, { inList: at + 1, onPage: index + 1, length: list.length });
  return ranks;
}

function wayOf(from?: Rank, to?: Rank): string {
  if (from === undefined || to === undefined) return "";
  const isInList = from.length > 1 && to.length > 1 && from.inList !== to.inList;
  return isInList
    ? `from ${ordinal(from.inList)} to ${ordinal(to.inList)}`
    : `from line ${from.onPage} to line ${to.onPage}`;
}

function ordinal(n: number): string {
  const teens = n % 100 >= 11 && n % 100 <= 13;
  return `${n}${teens ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th")}`;
}
