import { adopt, type ElementNode, isElement, isText, type PageNode } from "../tree.ts";
import { isPlayer } from "./blocks.ts";
import { frameOf, type Outline } from "./outline.ts";

/** An image is judged with the nearest element around it that holds so many words. */
const minWordsAround = 20;

/**
 * Removes the blocks that are not content, and what is left empty. What has no words (an image, a player, a rule) stays
 * where most of the words around it stay.
 */
export function pruneBlocks(body: ElementNode, outline: Outline, kept: readonly boolean[]): void {
  const { blocks, frames } = outline;
  const removed = new Set<PageNode>();
  const words = wordsIn(outline, kept);
  blocks.forEach(({ nodes, shape }, at) => {
    if (shape.words > 0 && kept[at] !== true) for (const node of nodes) removed.add(node);
  });
  const staysAround = (element: ElementNode): boolean => {
    for (let at: ElementNode | null = element; at !== null; at = at.parentNode) {
      const frame = frameOf(frames, at)?.index;
      const held = frame === undefined ? 0 : words.all[frame]!;
      if (frame !== undefined && held > 0 && (held >= minWordsAround || at === body))
        return words.kept[frame]! > held / 2;
    }
    return true;
  };
  for (const { nodes, parent, shape } of blocks) {
    if (shape.words === 0 && !staysAround(parent)) for (const node of nodes) removed.add(node);
  }
  prune(body, removed, staysAround);
}

/** The words of all blocks and of those that are kept, in each element. */
function wordsIn({ blocks, frames }: Outline, isKept: readonly boolean[]) {
  const all = new Uint32Array(frames.length);
  const kept = new Uint32Array(frames.length);
  blocks.forEach(({ frame, shape }, at) => {
    all[frame.index]! += shape.words;
    if (isKept[at]) kept[frame.index]! += shape.words;
  });
  for (let at = frames.length - 1; at > 0; at--) {
    const above = frames[at]?.parent?.index ?? 0;
    all[above]! += all[at]!;
    kept[above]! += kept[at]!;
  }
  return { all, kept };
}

/** Whether it removed anything. */
function prune(
  element: ElementNode,
  removed: Set<PageNode>,
  staysAround: (element: ElementNode) => boolean,
): boolean {
  const before = element.childNodes;
  let changed = false;
  const isKept = (child: PageNode): boolean => {
    if (removed.has(child)) return false;
    if (isText(child)) return true;
    if (isMedia(child)) return staysAround(element);
    if (!prune(child, removed, staysAround)) return true;
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

function isMedia(element: ElementNode): boolean {
  return element.name === "img" || element.name === "hr" || isPlayer(element);
}

function holdsAnything(element: ElementNode): boolean {
  return element.childNodes.some(child =>
    isElement(child) ? isMedia(child) || child.name === "input" || holdsAnything(child) : !child.isWhitespace,
  );
}
