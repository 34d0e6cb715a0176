import { playerClass } from "../clean/clean-link.ts";
import { type ElementNode, isBlock, isElement, isText, type PageNode, type TextNode } from "../html/tree.ts";

/** Text that a reader sees as one piece: a paragraph, a heading, a list item's own line, a row of a table. */
export interface Block {
  /** The element that holds it, directly or within inline elements. */
  parent: ElementNode;
  /** What it is made of, side by side in `parent` or in an inline element below it. */
  nodes: PageNode[];
  /** Runs of white space are one space. */
  text: string;
  /** Characters of `text` that are in links. */
  linkChars: number;
  links: number;
  /** Characters in bold or italics. */
  strongChars: number;
}

/** All blocks of a cleaned body, in document order. Time is linear in the page. */
export function splitBlocks(body: ElementNode): Block[] {
  const blocks: Block[] = [];
  splitElement(body, body, blocks);
  return blocks;
}

/** Splits `at`, which is `parent` or an inline element in it that holds blocks. */
function splitElement(at: ElementNode, parent: ElementNode, blocks: Block[]): void {
  const { childNodes } = at;
  let start = 0;
  for (let place = 0; place < childNodes.length; place++) {
    const child = childNodes[place] as PageNode;
    if (isText(child) || !splits(child)) continue;
    addBlock(childNodes, start, place, parent, blocks);
    start = place + 1;
    if (isPlayer(child)) continue;
    if (child.name === "pre" || (child.name === "tr" && isDataRow(child)))
      addBlock(child.childNodes, 0, child.childNodes.length, child, blocks);
    else splitElement(child, isBlock(child.name) ? child : parent, blocks);
  }
  addBlock(childNodes, start, childNodes.length, parent, blocks);
}

function splits(element: ElementNode): boolean {
  if (isBlock(element.name)) return true;
  for (const child of element.childNodes) if (isElement(child) && splits(child)) return true;
  return false;
}

/** The link that replaces a video or a frame. */
export function isPlayer({ name, attributes }: ElementNode): boolean {
  return name === "p" && attributes.get("class") === playerClass;
}

/** A row whose cells hold no blocks of their own. */
function isDataRow(row: ElementNode): boolean {
  return row.childNodes.every(
    cell => isText(cell) || !cell.childNodes.some(it => isElement(it) && splits(it)),
  );
}

/** Adds the nodes from `start` up to `end`, if there is anything to read in them. */
function addBlock(all: PageNode[], start: number, end: number, parent: ElementNode, blocks: Block[]): void {
  const first = all[start];
  if (start >= end || (end === start + 1 && isText(first as PageNode) && (first as TextNode).isWhitespace))
    return;
  const block: Block = { parent, nodes: all, text: "", linkChars: 0, links: 0, strongChars: 0 };
  let isSpaced = true;
  for (let at = start; at < end; at++) isSpaced = read(all[at] as PageNode, block, isSpaced, false, false);
  block.text = block.text.trim();
  if (block.text === "") return;
  block.nodes = all.slice(start, end);
  blocks.push(block);
}

const strong = new Set(["b", "strong", "em", "i"]);

/** Whether the text begins or ends with a space: read before each node, and set after it. */
function read(
  node: PageNode,
  block: Block,
  isSpaced: boolean,
  isInLink: boolean,
  isStrong: boolean,
): boolean {
  if (isText(node)) {
    const text = node.isWhitespace ? " " : node.text;
    if (text === " " && isSpaced) return true;
    block.text += text;
    if (isInLink) block.linkChars += text.length;
    if (isStrong) block.strongChars += text.length;
    return text.charCodeAt(text.length - 1) === 32;
  }
  const isApart = node.name === "br" || node.name === "td" || node.name === "th";
  if (isApart) block.text += " ";
  if (node.name === "a") block.links++;
  const inLink = isInLink || node.name === "a";
  const inStrong = isStrong || strong.has(node.name);
  let ends = isSpaced || isApart;
  for (const child of node.childNodes) ends = read(child, block, ends, inLink, inStrong);
  return ends;
}
