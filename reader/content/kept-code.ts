import { endOf } from "./article-core.ts";
import type { Outline, OutlinedBlock } from "./outline.ts";

/** Words of what is set beside code and is not kept: its language, its file, a button. */
const mostLabel = 4;
/** Words that are always few, and the share of what is kept that is little. */
const [fewWords, little] = [60, 0.1];
const mostBlocks = 2;
/** How many elements around code, each of which holds more, both its neighbours may be in. */
const levels = 3;

/**
 * Keeps a block or two of code between blocks that are kept, in the same container, where that is little of the content.
 * The model judges code by its words, which may be those of furniture: a licence, a login, names of links. Where a page
 * has more of it, it judges better by what all of that has in common.
 */
export function keepCode(outline: Outline, kept: readonly boolean[]): boolean[] {
  const { blocks } = outline;
  if (!blocks.some((block, at) => isCode(block) && !kept[at])) return [...kept];
  const before = neighbours(blocks, kept, 1);
  const after = neighbours(blocks, kept, -1);
  const isBetween = blocks.map(
    (block, at) => !kept[at] && isCode(block) && areTogether(block, before[at]!, after[at]!),
  );
  const words = (among: readonly boolean[]) =>
    blocks.reduce((sum, { shape }, at) => (among[at] ? sum + shape.words : sum), 0);
  const isMuch = words(isBetween) > Math.max(fewWords, little * words(kept));
  if (isMuch || isBetween.filter(Boolean).length > mostBlocks) return [...kept];
  return kept.map((isKept, at) => isKept || isBetween[at]!);
}

function isCode({ parent }: OutlinedBlock): boolean {
  return parent.name === "pre";
}

/** For each block the place of the text beside it, past other code and labels; -1 where that is not kept. */
function neighbours(blocks: readonly OutlinedBlock[], kept: readonly boolean[], step: 1 | -1): Int32Array {
  const places = new Int32Array(blocks.length);
  let last = -1;
  for (let at = step > 0 ? 0 : blocks.length - 1; at >= 0 && at < blocks.length; at += step) {
    places[at] = last;
    const block = blocks[at]!;
    const isText = !isCode(block) && (kept[at] || block.shape.words > mostLabel);
    if (isText) last = kept[at] ? at : -1;
  }
  return places;
}

/** Whether an element near the code holds what is before and after it. */
function areTogether({ frame }: OutlinedBlock, before: number, after: number): boolean {
  if (before < 0 || after < 0) return false;
  let at = frame.outer;
  for (let level = 0; level < levels && at !== null; level++, at = at.outer)
    if (at.firstBlock <= before && after < endOf(at)) return true;
  return false;
}
