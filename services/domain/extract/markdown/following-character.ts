import { isBlock } from "../element-kinds.ts";
import { type ElementNode, indexIn, isText, type PageNode } from "../tree.ts";

/** How far to look for a sibling that has any content. */
const maxEmptySiblings = 20;

const markers: Record<string, string> = {
  a: "[",
  img: "!",
  code: "`",
  em: "*",
  i: "*",
  strong: "*",
  b: "*",
  del: "~",
  s: "~",
  sup: "<",
  sub: "<",
};

/** The first character of what follows a node in its block, as it will be written; the empty string at the block's end. */
export function followingCharacter(node: PageNode): string {
  let at = node;
  for (let parent = at.parentNode; parent !== null; parent = at.parentNode) {
    const from = indexIn(parent, at) + 1;
    for (const sibling of parent.childNodes.slice(from, from + maxEmptySiblings)) {
      const first = firstCharacter(sibling);
      if (first !== undefined) return first;
    }
    if (isBlock(parent.name)) return "";
    at = parent;
  }
  return "";
}

function firstCharacter(node: PageNode): string | undefined {
  if (isText(node))
    return node.text === "" ? undefined : String.fromCodePoint(node.text.codePointAt(0) ?? 32);
  if (node.name === "br" || isBlock(node.name)) return "";
  if (node.name === "img") return markers.img;
  const inner = firstInside(node);
  const marker = markers[node.name];
  return marker === undefined || inner === undefined || /^\s/.test(inner) ? inner : marker;
}

function firstInside(element: ElementNode): string | undefined {
  for (const child of element.childNodes) {
    const first = firstCharacter(child);
    if (first !== undefined) return first;
  }
  return undefined;
}
