import { isBlock } from "./element-kinds.ts";
import type { Weight } from "./text-weight.ts";
import { adopt, type ElementNode, isElement } from "./tree.ts";

const minArticle = 1000;

/** In an article, blocks that are nearly all links lead elsewhere; in a listing they are the content and stay. */
export function dropTeasers(main: ElementNode, weigh: (element: ElementNode) => Weight): void {
  const { chars, linkChars, proseChars } = weigh(main);
  if (proseChars < minArticle || linkChars > 0.35 * chars) return;
  prune(main, weigh, chars);
}

function prune(parent: ElementNode, weigh: (element: ElementNode) => Weight, total: number): void {
  const kept = parent.childNodes.filter(child => !isElement(child) || !isTeaser(child, weigh(child), total));
  if (kept.length < parent.childNodes.length) adopt(parent, kept);
  for (const child of kept) if (isElement(child)) prune(child, weigh, total);
}

const groups = new Set(["ul", "ol", "div", "section", "table", "dl"]);

function isTeaser(element: ElementNode, { chars, linkChars }: Weight, total: number): boolean {
  if (!groups.has(element.name) || !isBlock(element.name)) return false;
  return chars > 20 && linkChars > 0.75 * chars && chars < 0.2 * total && countLinks(element) >= 3;
}

function countLinks(element: ElementNode): number {
  let count = 0;
  for (const child of element.childNodes) {
    if (isElement(child)) count += child.name === "a" ? 1 : countLinks(child);
  }
  return count;
}
