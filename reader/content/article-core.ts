import { type Frame, type Outline, type OutlinedBlock, sumOver } from "./outline.ts";

/** Words of prose that a page has at least where it has an article. */
const minProse = 40;
const [nearlyAll, mostly] = [0.9, 0.6];
const minProseWords = 12;

/** The smallest element with nearly all prose that is kept, where prose is most of what is kept in it; not the body. */
export function coreOf(outline: Outline, kept: readonly boolean[]): Frame | undefined {
  const words = sumOver(outline, ({ shape }, at) => (kept[at] ? shape.words : 0));
  const prose = sumOver(outline, (block, at) => (kept[at] && isProse(block) ? block.shape.words : 0));
  const all = prose[0]!;
  if (all < minProse) return undefined;
  let core = outline.frames[0]!;
  for (const frame of outline.frames)
    if (frame.parent === core && prose[frame.index]! >= nearlyAll * all) core = frame;
  const isArticle = core.parent !== null && prose[core.index]! >= mostly * words[core.index]!;
  return isArticle ? core : undefined;
}

/** A long block that is mostly not links. */
export function isProse({ shape, linkWords }: OutlinedBlock): boolean {
  return shape.words >= minProseWords && linkWords < shape.words / 2;
}

export function endOf({ firstBlock, blocks }: Frame): number {
  return firstBlock + blocks;
}

/** Whether one of two elements holds the other. */
export function areNested(one: Frame, other: Frame): boolean {
  const [outer, inner] = one.depth < other.depth ? [one, other] : [other, one];
  return inner.firstBlock >= outer.firstBlock && endOf(inner) <= endOf(outer);
}
