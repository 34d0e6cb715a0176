import { hashOf } from "../page-diff/compare-page.ts";
import { align, type Gap, isGap, type KeyedLine } from "./align.ts";
import { beyondLines, lineHash } from "./changed-lines.ts";
import type { Line } from "./line.ts";
import type { LineMemory } from "./line-memory.ts";
import { keyed, type LinedPage } from "./lined-page.ts";
import { withNoise } from "./mask-lines.ts";

/** Lines that came (`+` and the line's hash) or went (`-`) on many pages alike: they are no change of this page. */
export type PassedLines = ReadonlySet<string>;

/** A memory as if the passed lines had come and gone before: what still differs is the page's own change. */
export function passOver<Kept extends LineMemory>(
  before: Kept,
  page: LinedPage,
  passed: PassedLines,
  isExact: boolean,
): Kept {
  const isRestPassed = passed.has(`+${beyondLines}`);
  const rest = isRestPassed ? page.rest : before.rest;
  const lines = passedIn(before.lines, page, passed, isExact);
  const last = before.last && passedIn(before.last, page, passed, isExact);
  const hash = hashOf([...lines.map(({ key }) => key), rest]);
  return {
    ...before,
    ...{ hash, rest, lines: lines.map(unkeyed) },
    ...(last && { last: last.map(unkeyed) }),
    ...(isRestPassed && before.lastRest !== undefined && { lastRest: rest }),
  };
}

function passedIn(
  before: readonly Line[],
  page: LinedPage,
  passed: PassedLines,
  isExact: boolean,
): KeyedLine[] {
  const { steps } = align(keyed(before, isExact), page.lines);
  const lines = steps.flatMap(step => (isGap(step) ? passedGap(step, passed) : step.is));
  return withNoise(lines, page.lines);
}

/** What a gap was, with the passed lines as they are now: those above all others that came stay above. */
function passedGap({ gone, came }: Gap, passed: PassedLines): KeyedLine[] {
  const isPassed = ({ key }: KeyedLine) => passed.has(`+${lineHash(key)}`);
  const own = came.findIndex(line => !isPassed(line));
  const top = own === -1 ? came.length : own;
  const kept = gone.filter(({ key }) => !passed.has(`-${lineHash(key)}`));
  return [...came.slice(0, top), ...kept, ...came.slice(top).filter(isPassed)];
}

function unkeyed({ text, place, area }: KeyedLine): Line {
  return { text, place, area };
}
