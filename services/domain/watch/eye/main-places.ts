import { splitBlocks } from "../../../../reader/content/blocks.ts";
import { keptByModel } from "../../../../reader/content/find-main.ts";
import { outlinePage, sumOver } from "../../../../reader/content/outline.ts";
import type { PageContext } from "../../../../reader/content/page-context.ts";
import { type ElementNode, isElement, isText, type PageNode } from "../../../../reader/html/tree.ts";
import type { Places } from "../../../../reader/lines/places.ts";
import { isMade, type Made } from "../../../../reader/lines/show-controls.ts";
import type { Area } from "../line.ts";

/**
 * Where the main content is: places that are in it, as `+place`, and parts of them that are not, as `-place`. One that begins
 * with `=` says what was there (`known-main.ts`).
 */
export type MainPlaces = readonly string[];

/** Places that are kept, at most; a page with more has the last ones judged by what is around them. */
const mostPlaces = 400;

/** Tells of each element whether what is directly in it is main content. */
export type IsMain = (element: ElementNode) => boolean;

/** Judges by the reader's model what the main content is. `areas`: what names itself a part beside it. */
export function findMainPlaces(
  body: ElementNode,
  places: Places,
  {
    page,
    made,
    areaOf,
  }: { page: PageContext; made: Made; areaOf: (element: ElementNode) => Area | undefined },
): MainPlaces {
  const blocks = splitBlocks(body).filter(
    ({ parent, nodes }) => !made.has(parent) && !nodes.every(node => isMade(node, made)),
  );
  if (blocks.length === 0) return ["+body"];
  const outline = outlinePage(body, blocks);
  const kept = keptByModel(outline, page);
  const isForum = holdsMost(outline.blocks, kept, ({ parent }) => areaOf(parent) === "comments");
  // A page's heading is that of its content, wherever it is.
  const heading = outline.blocks.findIndex(({ headingLevel }) => headingLevel === 1);
  const isMain = outline.blocks.map(
    ({ parent }, at) => (kept[at] === true || at === heading) && isAllowed(areaOf(parent), isForum),
  );
  const words = sumOver(outline, ({ shape }) => Math.max(1, shape.words));
  const mainWords = sumOver(outline, ({ shape }, at) => (isMain[at] ? Math.max(1, shape.words) : 0));
  const isFramed = (element: ElementNode) => outline.frames[element.frame]?.element === element;
  const shareOf = (element: ElementNode) =>
    isFramed(element) ? { all: words[element.frame] ?? 0, own: mainWords[element.frame] ?? 0 } : undefined;
  return rulesOf(body, places, shareOf) ?? ["+body"];
}

/** How much an element holds, and how much of that is main content. */
export interface Share {
  all: number;
  own: number;
}

/**
 * The places that hold the main content, where some do. `shareOf`: undefined for an element that is not told from what is
 * around it.
 */
export function rulesOf(
  body: ElementNode,
  places: Places,
  shareOf: (element: ElementNode) => Share | undefined,
): MainPlaces | undefined {
  const rules: { rule: string; words: number }[] = [];
  const cover = (element: ElementNode, { all, own }: Share, inherited: boolean): void => {
    if (all === 0) return;
    const isMost = own * 2 > all && (own === all || !isWrapper(element, own));
    if (isMost !== inherited) rules.push({ rule: `${isMost ? "+" : "-"}${places.of(element)}`, words: all });
    if (own === 0 || own === all) return;
    for (const child of element.childNodes) visit(child, isMost);
  };
  /** What holds hardly more of the content than one of its parts: what comes to the other parts is not content. */
  const isWrapper = (element: ElementNode, own: number): boolean =>
    element === body ||
    element.childNodes.some(child => isElement(child) && (shareOf(child)?.own ?? 0) >= 0.9 * own);
  const visit = (node: PageNode, inherited: boolean): void => {
    if (isText(node)) return;
    const share = shareOf(node);
    if (share !== undefined) cover(node, share, inherited);
    else for (const child of node.childNodes) visit(child, inherited);
  };
  cover(body, shareOf(body) ?? { all: 0, own: 0 }, false);
  if (!rules.some(({ rule }) => rule.startsWith("+"))) return undefined;
  return rules
    .sort((a, b) => b.words - a.words)
    .slice(0, mostPlaces)
    .map(({ rule }) => rule);
}

/** The areas whose content is not main, whatever the model says. */
function isAllowed(area: Area | undefined, isForum: boolean): boolean {
  if (area === "comments") return isForum;
  return area !== "consent" && area !== "related" && area !== "navigation" && area !== "dialog";
}

function holdsMost<Block extends { shape: { words: number } }>(
  blocks: readonly Block[],
  kept: readonly boolean[],
  test: (block: Block) => boolean,
): boolean {
  let [all, own] = [0, 0];
  for (const [at, block] of blocks.entries()) {
    if (kept[at] !== true) continue;
    all += block.shape.words;
    if (test(block)) own += block.shape.words;
  }
  return own * 2 > all;
}

/** Applies kept places to a page; undefined where most of them are gone. */
export function placedMain(body: ElementNode, places: Places, kept: MainPlaces): IsMain | undefined {
  const rules = new Map(kept.map(rule => [rule.slice(1), rule.startsWith("+")]));
  const isMain = new Map<ElementNode, boolean>();
  let found = 0;
  const visit = (element: ElementNode, inherited: boolean): void => {
    const rule = rules.get(places.of(element));
    if (rule === true) found++;
    const own = rule ?? inherited;
    isMain.set(element, own);
    for (const child of element.childNodes) if (isElement(child)) visit(child, own);
  };
  visit(body, false);
  const wanted = kept.filter(rule => rule.startsWith("+")).length;
  return found * 2 >= wanted ? element => isMain.get(element) === true : undefined;
}
