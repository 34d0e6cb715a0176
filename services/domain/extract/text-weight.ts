import { type ElementNode, isText } from "./tree.ts";

/** How much text an element holds. */
export interface Weight {
  /** Characters that a reader sees, runs of white space as one. */
  chars: number;
  /** Those of them inside links. */
  linkChars: number;
  /** Those in paragraphs of prose: long enough, and mostly not links. */
  proseChars: number;
}

const nothing: Weight = { chars: 0, linkChars: 0, proseChars: 0 };
const proseBlocks = new Set(["p", "pre", "blockquote", "dd"]);
const minProse = 40;

/** Weighs every element of a tree in one pass. */
export function weighTree(root: ElementNode): (element: ElementNode) => Weight {
  const weights = new Map<ElementNode, Weight>();
  weigh(root, false, weights);
  return element => weights.get(element) ?? nothing;
}

function weigh(element: ElementNode, isInLink: boolean, weights: Map<ElementNode, Weight>): Weight {
  const isLink = isInLink || element.name === "a";
  const sum: Weight = { chars: 0, linkChars: 0, proseChars: 0 };
  let ownChars = 0;
  for (const child of element.childNodes) {
    if (isText(child)) {
      const chars = child.isWhitespace ? 0 : child.text.length;
      ownChars += chars;
      if (isLink) sum.linkChars += chars;
    } else {
      const weight = weigh(child, isLink, weights);
      sum.chars += weight.chars;
      sum.linkChars += weight.linkChars;
      sum.proseChars += weight.proseChars;
    }
  }
  sum.chars += ownChars;
  const isProse = proseBlocks.has(element.name) || (element.name === "div" && ownChars > sum.chars / 2);
  if (isProse && sum.chars >= minProse && sum.linkChars < sum.chars / 2) sum.proseChars = sum.chars;
  weights.set(element, sum);
  return sum;
}
