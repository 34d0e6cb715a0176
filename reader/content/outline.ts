import type { ElementNode } from "../html/tree.ts";
import type { Block } from "./blocks.ts";
import { areaBits, isList } from "./landmark-areas.ts";
import { shapeOf, type TextShape } from "./text-shape.ts";

/** A block with what is counted of it. */
export interface OutlinedBlock extends Block {
  shape: TextShape;
  linkWords: number;
  /** The element that holds it. */
  frame: Frame;
  headingLevel: number;
  /** Words of the page before it. */
  wordsBefore: number;
}

/** An element with what it holds. */
export interface Frame {
  /** Its place in `Outline.frames`. */
  index: number;
  element: ElementNode;
  parent: Frame | null;
  /** The nearest element around it that holds more blocks. */
  outer: Frame | null;
  depth: number;
  words: number;
  linkWords: number;
  /** Words in blocks of prose: long ones that are mostly not links. */
  proseWords: number;
  blocks: number;
  firstBlock: number;
  /** The number of its tag and classes; elements side by side that share it are a repetition. */
  signature: number;
  /** How many of its siblings have its signature, itself included. */
  twins: number;
  headings: number;
  /** The areas of the page that it is in, as bits, and how many lists. */
  areas: number;
  lists: number;
  /** It or an element around it is one of many alike. */
  isRepeated: boolean;
}

export interface Outline {
  blocks: OutlinedBlock[];
  /** Every element that holds a block, after the elements around it. The first is the body. */
  frames: Frame[];
  words: number;
  linkWords: number;
  proseWords: number;
  longest: number;
}

/** The frame of an element. The element knows its place; an outline of another tree has another element there. */
export function frameOf(frames: readonly Frame[], element: ElementNode): Frame | undefined {
  const frame = element.frame < 0 ? undefined : frames[element.frame];
  return frame?.element === element ? frame : undefined;
}

/** For each element the sum of a number over the blocks in it. */
export function sumOver(
  { blocks, frames }: Outline,
  numberOf: (block: OutlinedBlock, at: number) => number,
): Uint32Array {
  const sums = new Uint32Array(frames.length);
  blocks.forEach((block, at) => {
    sums[block.frame.index]! += numberOf(block, at);
  });
  for (let at = frames.length - 1; at > 0; at--) sums[frames[at]?.parent?.index ?? 0]! += sums[at]!;
  return sums;
}

const minProseWords = 12;
const manyTwins = 5;

/** Counts what every element of a body holds. Time is linear in the page. */
export function outlinePage(body: ElementNode, split: Block[]): Outline {
  return new Outliner(body).outline(split);
}

class Outliner {
  private readonly frames: Frame[] = [];
  private readonly signatures = new Signatures();

  constructor(body: ElementNode) {
    this.open(body, null, 0);
  }

  outline(split: Block[]): Outline {
    const { frames } = this;
    const blocks: OutlinedBlock[] = [];
    const outline = { blocks, frames, words: 0, linkWords: 0, proseWords: 0, longest: 0 };
    for (const block of split) blocks.push(this.block(block, outline));
    this.sumUp();
    countTwins(frames);
    for (const frame of frames) relate(frame);
    return outline;
  }

  private block(block: Block, outline: Outline): OutlinedBlock {
    const shape = shapeOf(block.text);
    const words = Math.max(1, shape.words);
    const linkWords = Math.round((words * Math.min(block.linkChars, block.text.length)) / block.text.length);
    const isProse = words >= minProseWords && linkWords < words / 2;
    const level = headingLevel(block.parent);
    const frame = this.frameAt(block.parent, outline.blocks.length);
    frame.blocks++;
    frame.words += words;
    frame.linkWords += linkWords;
    if (isProse) frame.proseWords += words;
    if (level > 0) frame.headings++;
    const wordsBefore = outline.words;
    outline.words += words;
    outline.linkWords += linkWords;
    if (isProse) outline.proseWords += words;
    if (words > outline.longest) outline.longest = words;
    return {
      parent: block.parent,
      nodes: block.nodes,
      text: block.text,
      linkChars: block.linkChars,
      links: block.links,
      strongChars: block.strongChars,
      shape,
      linkWords,
      frame,
      headingLevel: level,
      wordsBefore,
    };
  }

  private frameAt(element: ElementNode, block: number): Frame {
    const known = frameOf(this.frames, element);
    if (known !== undefined) return known;
    const above = element.parentNode;
    return this.open(element, above === null ? null : this.frameAt(above, block), block);
  }

  private open(element: ElementNode, parent: Frame | null, firstBlock: number): Frame {
    const frame: Frame = {
      index: this.frames.length,
      element,
      parent,
      outer: null,
      depth: parent === null ? 0 : parent.depth + 1,
      words: 0,
      linkWords: 0,
      proseWords: 0,
      blocks: 0,
      firstBlock,
      signature: this.signatures.of(element),
      twins: 1,
      headings: 0,
      areas: (parent === null ? 0 : parent.areas) | areaBits(element),
      lists: (parent === null ? 0 : parent.lists) + (isList(element) ? 1 : 0),
      isRepeated: false,
    };
    this.frames.push(frame);
    element.frame = frame.index;
    return frame;
  }

  /** What an element holds counts for all around it. */
  private sumUp(): void {
    for (let at = this.frames.length - 1; at > 0; at--) {
      const frame = this.frames[at] as Frame;
      const { parent } = frame;
      if (parent === null) continue;
      parent.words += frame.words;
      parent.linkWords += frame.linkWords;
      parent.proseWords += frame.proseWords;
      parent.blocks += frame.blocks;
      parent.headings += frame.headings;
    }
  }
}

/** Numbers for tags with their classes; classes that differ in digits only are the same. */
class Signatures {
  private readonly numbers = new Map<string, number>();
  private readonly byName = new Map<string, Map<string, number>>();

  of({ name, attributes }: ElementNode): number {
    const classes = attributes.size === 0 ? "" : (attributes.get("class") ?? "");
    let byClass = this.byName.get(name);
    if (byClass === undefined) {
      byClass = new Map();
      this.byName.set(name, byClass);
    }
    let known = byClass.get(classes);
    if (known === undefined) {
      known = this.number(name, classes);
      byClass.set(classes, known);
    }
    return known;
  }

  private number(name: string, classes: string): number {
    const signature = `${name}.${classes.replace(/\d+/g, "0")}`;
    const known = this.numbers.get(signature) ?? this.numbers.size + 1;
    this.numbers.set(signature, known);
    return known;
  }
}

/** A page has fewer signatures. */
const maxSignatures = 0x100000;

function countTwins(frames: Frame[]): void {
  const counts = new Map<number, number>();
  const keyOf = ({ parent, signature }: Frame) => (parent?.index ?? 0) * maxSignatures + signature;
  for (const frame of frames)
    if (frame.parent !== null) counts.set(keyOf(frame), (counts.get(keyOf(frame)) ?? 0) + 1);
  for (const frame of frames) if (frame.parent !== null) frame.twins = counts.get(keyOf(frame)) ?? 1;
}

/** Finds what only wraps another element; `parent` is related before. */
function relate(frame: Frame): void {
  const { parent } = frame;
  frame.outer = parent === null || parent.blocks > frame.blocks ? parent : parent.outer;
  frame.isRepeated = frame.twins >= manyTwins || frame.outer?.isRepeated === true;
}

/** Blocks with the same number have the same tags and classes over three elements. */
export function likeness({ frame: { signature, parent } }: OutlinedBlock): number {
  const above = parent?.signature ?? 0;
  const top = parent?.parent?.signature ?? 0;
  return (Math.min(above, 0xffff) * 0x10000 + Math.min(top, 0xffff)) * maxSignatures + signature;
}

const headings = new Map(["h1", "h2", "h3", "h4", "h5", "h6"].map((name, at) => [name, at + 1]));

function headingLevel({ name, parentNode }: ElementNode): number {
  return headings.get(name) ?? (parentNode === null ? 0 : (headings.get(parentNode.name) ?? 0));
}
