import { adopt, type ElementNode, isElement, isText, type PageNode } from "../html/tree.ts";
import { isPlayer } from "./blocks.ts";
import { type Frame, frameOf, type Outline, sumOver } from "./outline.ts";
import type { WholeParts } from "./whole-parts.ts";
import type { Verdicts } from "./whole-tables.ts";

/** An image is judged with the nearest element around it that holds so many words. */
const minWordsAround = 20;

/**
 * Removes the blocks that are not content, and what is left empty. What has no words (an image, a player, a rule) stays
 * where most of the words around it stay; in a part that stays whole, so does all but blocks of words that are not content.
 */
export function pruneBlocks(body: ElementNode, outline: Outline, { kept, stays }: WholeParts): void {
  const { blocks, frames } = outline;
  const removed = new Set<PageNode>();
  const words = sumOver(outline, ({ shape }) => shape.words);
  const keptWords = sumOver(outline, ({ shape }, at) => (kept[at] ? shape.words : 0));
  blocks.forEach(({ nodes, shape }, at) => {
    if (shape.words > 0 && kept[at] !== true) for (const node of nodes) removed.add(node);
  });
  const staysAround = (element: ElementNode): boolean => {
    for (let at: ElementNode | null = element; at !== null; at = at.parentNode) {
      const frame = frameOf(frames, at)?.index;
      const held = frame === undefined ? 0 : words[frame]!;
      if (frame !== undefined && held > 0 && (held >= minWordsAround || at === body))
        return keptWords[frame]! > held / 2;
    }
    return true;
  };
  for (const { nodes, parent, shape, frame } of blocks) {
    if (shape.words === 0 && !isWhole(frame, stays) && !staysAround(parent))
      for (const node of nodes) removed.add(node);
  }
  prune(body, { removed, stays, staysAround });
}

function isWhole(frame: Frame, stays: Verdicts): boolean {
  for (let at: Frame | null = frame; at !== null; at = at.parent) if (stays.has(at.element)) return true;
  return false;
}

interface Pruning extends Pick<WholeParts, "stays"> {
  removed: ReadonlySet<PageNode>;
  /** Whether what has no words stays in an element. */
  staysAround: (element: ElementNode) => boolean;
}

/** Whether it removed anything. */
function prune(element: ElementNode, pruning: Pruning): boolean {
  const { removed, stays, staysAround } = pruning;
  const before = element.childNodes;
  let changed = false;
  const isKept = (child: PageNode): boolean => {
    if (removed.has(child)) return false;
    if (isText(child)) return true;
    if (isMedia(child)) return staysAround(element);
    const verdict = stays.get(child);
    if (verdict === true) dropIn(child, removed);
    if (verdict !== undefined) return verdict;
    if (!prune(child, pruning)) return true;
    changed = true;
    return holdsAnything(child);
  };
  let kept: PageNode[] | undefined;
  for (let at = 0; at < before.length; at++) {
    const child = before[at] as PageNode;
    const stays = isKept(child);
    if (!stays) kept ??= before.slice(0, at);
    else kept?.push(child);
  }
  if (kept !== undefined) adopt(element, kept);
  return changed || kept !== undefined;
}

function dropIn(element: ElementNode, removed: ReadonlySet<PageNode>): void {
  adopt(
    element,
    element.childNodes.filter(child => !removed.has(child)),
  );
  for (const child of element.childNodes) if (isElement(child)) dropIn(child, removed);
}

function isMedia(element: ElementNode): boolean {
  return element.name === "img" || element.name === "hr" || isPlayer(element);
}

function holdsAnything(element: ElementNode): boolean {
  return element.childNodes.some(child =>
    isElement(child) ? isMedia(child) || child.name === "input" || holdsAnything(child) : !child.isWhitespace,
  );
}
