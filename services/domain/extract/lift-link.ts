import { isBlock } from "./element-kinds.ts";
import { adopt, type ElementNode, findElement, isElement, newElement, type PageNode } from "./tree.ts";

const headings = new Set(["h1", "h2", "h3", "h4", "h5", "h6"]);

/**
 * A link around a whole card cannot be said in markdown: its heading takes the link, and the rest stands beside it.
 * A link around blocks without a heading goes to the first block that has text of its own.
 */
export function liftLink(link: ElementNode): PageNode[] {
  if (!link.childNodes.some(child => isElement(child) && (isBlock(child.name) || holdsBlock(child))))
    return [link];
  const target = findElement(link, ({ name }) => headings.has(name)) ?? findElement(link, isTextBlock);
  if (target === undefined) return [link];
  adopt(target, [newElement("a", Object.fromEntries(link.attributes), target.childNodes)]);
  return [newElement("div", {}, link.childNodes)];
}

function holdsBlock(element: ElementNode): boolean {
  return findElement(element, ({ name }) => isBlock(name)) !== undefined;
}

function isTextBlock(element: ElementNode): boolean {
  return isBlock(element.name) && !holdsBlock(element) && element.textContent.trim() !== "";
}
