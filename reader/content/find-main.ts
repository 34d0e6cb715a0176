import type { ElementNode } from "../html/tree.ts";
import { type BlockModel, ownModel } from "./block-model.ts";
import { splitBlocks } from "./blocks.ts";
import { type BlockScores, scoreBlocks } from "./classify.ts";
import { withRules } from "./content-rules.ts";
import { bestThreshold } from "./neighbourhood.ts";
import { type Frame, type Outline, outlinePage } from "./outline.ts";
import type { PageContext } from "./page-context.ts";
import { pruneBlocks } from "./prune-blocks.ts";
import { withoutRepeats } from "./repeats.ts";
import { type WholeParts, withWholeParts } from "./whole-parts.ts";

/** The blocks of a page, and which of them are its content. */
export interface JudgedPage extends WholeParts {
  model: BlockModel;
  outline: Outline;
  scores: BlockScores;
  /** A block with at least this share is content. */
  threshold: number;
}

/**
 * The main content of a cleaned body: the body, cut down to it. Splits it into blocks, scores each by what training has
 * learned, and keeps those that give the greatest expected F1. Never empty when the page has text. The page's title is in
 * its metadata; here it is where the page has it in its content or right above that.
 */
export function findMain(body: ElementNode, page: PageContext): ElementNode {
  const judged = judgePage(body, page);
  pruneBlocks(body, judged.outline, judged);
  return body;
}

/** Scores all blocks of a cleaned body. Changes nothing. */
export function judgePage(body: ElementNode, page: PageContext): JudgedPage {
  return judgeOutline(ownModel(), outlinePage(body, splitBlocks(body)), page);
}

/** Keeps the blocks of a page by their scores, and by what the page is made of. */
export function judgeOutline(model: BlockModel, outline: Outline, page: PageContext): JudgedPage {
  const scores = scoreBlocks(model, outline, page);
  const threshold = bestThreshold(outline.blocks, scores.shares);
  const own = keepBlocks(outline, scores.shares, threshold);
  const kept = outline.words <= maxSmall ? own : withRules(outline, own, page);
  return { model, outline, scores, threshold, ...withWholeParts(outline, kept) };
}

/**
 * Which blocks the model keeps, without the rules that read headings and facts: other words beside the content move
 * nothing into it.
 */
export function keptByModel(outline: Outline, page: PageContext): boolean[] {
  const { shares } = scoreBlocks(ownModel(), outline, page);
  const kept = keepBlocks(outline, shares, bestThreshold(outline.blocks, shares));
  return withWholeParts(outline, kept).kept;
}

/** For each block whether it is content by itself. */
function keepBlocks(outline: Outline, shares: Float64Array, threshold: number): boolean[] {
  if (outline.words <= maxSmall) return byLandmarks(outline, shares);
  return withoutRepeats(outline.blocks, byShare(outline, shares, threshold));
}

/** How far below the heading a price is that of what the page offers. */
const priceReach = 4;
const maxPriceWords = 12;

/** The blocks that reach the bar, and the price beside the heading where it comes near it. */
function byShare({ blocks }: Outline, shares: Float64Array, threshold: number): boolean[] {
  const heading = blocks.findIndex(({ headingLevel }) => headingLevel === 1);
  return blocks.map(({ shape }, at) => {
    const share = shares[at] ?? 0;
    const isPrice = shape.prices > 0 && shape.digits > 0 && shape.words <= maxPriceWords;
    const isBesideHeading = heading >= 0 && at > heading && at <= heading + priceReach;
    return share >= threshold || (isPrice && isBesideHeading && share >= threshold / 2);
  });
}

const maxSmall = 150;
const likely = 0.3;
const frames = new Set("nav header footer aside menu search".split(" "));
/** In an article these are parts of it. */
const inner = new Set(["header", "aside"]);
const frameRoles = new Set("navigation banner contentinfo complementary search".split(" "));

/**
 * So little text says little about itself: what is in a `main` or an `article` is content, what is in a frame around
 * content is not, and the rest is where it is the page's heading, or the model does not speak against it.
 */
function byLandmarks({ blocks }: Outline, shares: Float64Array): boolean[] {
  const kept = blocks.map(({ frame, headingLevel }, at) => {
    const isInContent = holds(frame, ({ name }) => name === "main" || name === "article");
    if (holds(frame, element => isFrame(element, isInContent))) return false;
    return isInContent || headingLevel === 1 || (shares[at] ?? 0) >= likely;
  });
  return blocks.some(({ shape }, at) => kept[at] && shape.words > 0) ? kept : blocks.map(() => true);
}

/** Whether the test is true of an element or of one around it. */
function holds(frame: Frame, test: (element: ElementNode) => boolean): boolean {
  for (let at: Frame | null = frame; at !== null; at = at.parent) if (test(at.element)) return true;
  return false;
}

function isFrame(element: ElementNode, isInContent: boolean): boolean {
  if (frameRoles.has(element.getAttribute("role"))) return true;
  return frames.has(element.name) && !(isInContent && inner.has(element.name));
}
