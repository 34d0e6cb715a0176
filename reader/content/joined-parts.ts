import { endOf } from "./article-core.ts";
import { isCommenting, isElsewhere } from "./furniture-words.ts";
import type { Outline, OutlinedBlock } from "./outline.ts";

/** Keeps the heading of what is kept, and one block between two that are made as it is. */
export function joinParts({ blocks }: Outline, kept: readonly boolean[]): boolean[] {
  const result = [...kept];
  blocks.forEach((block, at) => {
    if (kept[at] || !kept[at + 1] || isElsewhere(block.text) || isCommenting(block.text)) return;
    const after = blocks[at + 1]!;
    const isHeading = heads(block, after, at + 1);
    const before = kept[at - 1] ? blocks[at - 1] : undefined;
    result[at] = isHeading || (before !== undefined && isBetween(block, before, after));
  });
  return result;
}

/** Whether a block is the heading, within the same element, of what follows it. */
function heads(heading: OutlinedBlock, after: OutlinedBlock, place: number): boolean {
  const { parent } = heading.frame;
  return (
    heading.headingLevel > 0 &&
    heading.linkChars === 0 &&
    after.headingLevel === 0 &&
    after.linkChars <= after.text.length / 2 &&
    parent !== null &&
    place < endOf(parent)
  );
}

function isBetween(block: OutlinedBlock, before: OutlinedBlock, after: OutlinedBlock): boolean {
  if (block.linkChars > block.text.length / 2) return false;
  return [before, after].every(
    ({ frame }) => frame.parent === block.frame.parent && frame.signature === block.frame.signature,
  );
}
