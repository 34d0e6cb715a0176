import { endOf } from "./article-core.ts";
import { isCommenting, isElsewhere } from "./furniture-words.ts";
import { keepCode } from "./kept-code.ts";
import { dropLinks } from "./other-pages.ts";
import { dropOtherTexts } from "./other-texts.ts";
import type { Outline, OutlinedBlock } from "./outline.ts";
import type { PageContext } from "./page-context.ts";
import { keepFacts } from "./small-facts.ts";
import { dropNamed } from "./small-furniture.ts";

/**
 * What the page is made of corrects what the model makes of single blocks: what belongs to other pages or to other people
 * goes, then facts within the content stay, with the headings above them.
 */
export function withRules(outline: Outline, kept: readonly boolean[], page: PageContext): boolean[] {
  const named = dropNamed(outline, kept);
  const own = dropLinks(outline, dropOtherTexts(outline, named, page), page);
  return joinParts(outline, keepCode(outline, keepFacts(outline, own, page)), page.title);
}

/** Keeps the heading of what is kept, and one block between two that are made as it is. */
function joinParts(outline: Outline, kept: readonly boolean[], title: string): boolean[] {
  return kept.map((isKept, at) => {
    if (isKept || !isJoined(outline, kept, title, at)) return isKept;
    const { text } = outline.blocks[at]!;
    return !isElsewhere(text) && !isCommenting(text);
  });
}

function isJoined({ blocks }: Outline, kept: readonly boolean[], title: string, at: number): boolean {
  const block = blocks[at]!;
  if (!kept[at + 1]) return isUnstated(block, title, nextKept(kept, at));
  const after = blocks[at + 1]!;
  if (heads(block, after, at + 1)) return true;
  return kept[at - 1] === true && isBetween(block, blocks[at - 1]!, after);
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

const reach = 4;

/** The place of what is kept next, a few blocks below; -1 if nothing is. */
function nextKept(kept: readonly boolean[], at: number): number {
  for (let next = at + 1; next <= at + reach; next++) if (kept[next]) return next;
  return -1;
}

/** Whether a block is the page's heading, above its content in the same element, and not in its title. */
function isUnstated(heading: OutlinedBlock, title: string, place: number): boolean {
  const { parent } = heading.frame;
  if (heading.headingLevel !== 1 || heading.linkChars > 0 || parent === null || place < 0) return false;
  return place < endOf(parent) && !title.toLowerCase().includes(heading.text.toLowerCase());
}
