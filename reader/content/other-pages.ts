import { areNested, coreOf, endOf } from "./article-core.ts";
import { isElsewhere } from "./furniture-words.ts";
import type { Frame, Outline, OutlinedBlock } from "./outline.ts";
import type { PageContext } from "./page-context.ts";

/**
 * Drops what leads from an article to other pages: lists of links or of figures beside and below it, and links within it below a heading
 * that says so in one of the main languages. A page without an article keeps its lists.
 */
export function dropLinks(outline: Outline, kept: readonly boolean[], page: PageContext): boolean[] {
  const result = [...kept];
  if (page.kind !== "" && !/article/i.test(page.kind)) return result;
  const core = coreOf(outline, kept);
  if (core === undefined) return result;
  let done = 0;
  for (const frame of outline.frames) {
    if (frame.firstBlock < done || areNested(core, frame)) continue;
    if (!isLinks(frame) && !isFigures(frame, outline.blocks)) continue;
    done = endOf(frame);
    result.fill(false, frame.firstBlock, done);
  }
  done = 0;
  outline.blocks.forEach((block, at) => {
    if (at < done || !isHeading(block)) return;
    done = endOfLinks(outline, at);
    result.fill(false, at, done);
  });
  return result;
}

const minLinks = 3;
const [mostLinks, littleProse] = [0.8, 0.2];

function isLinks({ blocks, linkWords, words, proseWords }: Frame): boolean {
  return blocks >= minLinks && linkWords >= mostLinks * words && proseWords <= littleProse * words;
}

const minFigures = 6;
const [digitShare, mostFigures] = [0.25, 0.6];

/** Prices of shares, rates, results: lines of numbers. */
function isFigures(frame: Frame, blocks: readonly OutlinedBlock[]): boolean {
  if (frame.blocks < minFigures || frame.proseWords > 0) return false;
  const lines = blocks.slice(frame.firstBlock, endOf(frame));
  const figures = lines.filter(({ shape, text }) => digitShare * text.length <= shape.digits);
  return figures.length >= mostFigures * lines.length;
}

const maxHeading = 8;

function isHeading({ text, shape, headingLevel, linkChars }: OutlinedBlock): boolean {
  return shape.words <= maxHeading && (headingLevel > 0 || linkChars === 0) && isElsewhere(text);
}

/** Dates and places stand between links; a block with more words is a text of its own. */
const [maxBetween, maxBlocks] = [12, 200];

/** The end of the links below a heading, within the element that holds both; the heading's own place if there are too few. */
function endOfLinks({ blocks }: Outline, heading: number): number {
  let around: Frame | null = blocks[heading]!.frame;
  while (around !== null && around.blocks < 2) around = around.outer;
  const last = around === null ? heading : Math.min(endOf(around), heading + maxBlocks);
  const level = blocks[heading]!.headingLevel || 6;
  let [end, links] = [heading + 1, 0];
  for (let at = heading + 1; at < last && at - end < 3; at++) {
    const { headingLevel, linkChars, text, shape } = blocks[at]!;
    if (headingLevel > 0 && linkChars === 0 && headingLevel <= level) break;
    if (linkChars > 0.6 * text.length) {
      links++;
      end = at + 1;
    } else if (shape.words > maxBetween || links === 0) break;
  }
  return links > 1 || (links === 1 && end === last) ? end : heading;
}
