import { type Alignment, type Gap, isGap, type KeyedLine, replacedIn } from "./align.ts";

/** What does not count of a page now: it is shown as it was reported last. */
export interface Hidden {
  /** A line that came, at its present place; `was`: the one that it replaced, if there was one. */
  came(line: KeyedLine, was?: KeyedLine): boolean;
  /** A line that is gone, at the place where it was; `is`: the one that replaced it. */
  gone(line: KeyedLine, is?: KeyedLine): boolean;
  /** A line that replaced another one. */
  replaced(was: KeyedLine, is: KeyedLine): boolean;
}

/**
 * A page in which what is hidden is as it was: a hidden line that came is left out, or has the text of the one that it
 * replaces; one that is hidden and gone is still there. `alignment`: from what was reported to what the page shows, of
 * which noise alone is left as it is.
 */
export function maskLines(
  { steps, moved }: Alignment,
  current: readonly KeyedLine[],
  hidden: Hidden,
): KeyedLine[] {
  const masked = steps.flatMap(step => (isGap(step) ? maskGap(step, moved, hidden) : step.is));
  return withNoise(masked, current);
}

function maskGap(gap: Gap, moved: Set<string>, hidden: Hidden): KeyedLine[] {
  const replaced = replacedIn(gap, moved);
  const isHidden = (line: KeyedLine) => {
    const was = replaced.get(line);
    return hidden.came(line, was) || (was !== undefined && hidden.replaced(was, line));
  };
  const later = new Map([...replaced].map(([is, was]) => [was, is]));
  const shown: KeyedLine[] = [];
  const waiting = [...gap.came];
  for (const was of gap.gone) {
    const is = later.get(was);
    if (is === undefined || !isHidden(is)) {
      if (hidden.gone(was, is)) shown.push(was);
      continue;
    }
    while (waiting.length > 0 && waiting[0] !== is) pushShown(waiting.shift());
    waiting.shift();
    shown.push({ ...was, place: is.place, area: is.area });
  }
  for (const line of waiting) pushShown(line);
  return shown;

  function pushShown(line: KeyedLine | undefined): void {
    if (line && !isHidden(line)) shown.push(line);
  }
}

/** Puts the lines of noise where they are on the page: they are kept as text, and compared by none. */
export function withNoise(masked: KeyedLine[], current: readonly KeyedLine[]): KeyedLine[] {
  if (current.every(({ key }) => key !== "")) return masked;
  const after = new Map<KeyedLine | undefined, KeyedLine[]>();
  let last: KeyedLine | undefined;
  for (const line of current) {
    if (line.key !== "") last = line;
    else after.set(last, [...(after.get(last) ?? []), line]);
  }
  return [undefined, ...masked].flatMap(line => [...(line ? [line] : []), ...(after.get(line) ?? [])]);
}
