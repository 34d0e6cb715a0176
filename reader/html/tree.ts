/** Text of a page: entities decoded; runs of white space are one space, except inside `pre`. */
export class TextNode {
  readonly nodeType = 3;
  /** Tells the visitor of node-html-markdown to visit the node. */
  readonly preserve = true;
  parentNode: ElementNode;
  text: string;

  constructor(text: string, parentNode: ElementNode) {
    this.text = text;
    this.parentNode = parentNode;
  }

  get isWhitespace(): boolean {
    const code = this.text.charCodeAt(0);
    return !(code > 32 && code < 127) && (this.text === " " || this.text.trim() === "");
  }
}

export type PageNode = ElementNode | TextNode;

/** How much text an element holds. */
export interface Weight {
  /** Characters that a reader sees, runs of white space as one. */
  chars: number;
  /** The characters inside links. */
  linkChars: number;
  /** The characters in paragraphs of prose: long enough, and mostly not links. */
  proseChars: number;
}

/** An element with its attributes. `tagName` is in upper case, as markdown translators look it up. */
export class ElementNode implements Weight {
  readonly nodeType = 1;
  /** Tells the visitor of node-html-markdown to visit the element, even if it is empty: an empty block separates words. */
  readonly preserve = true;
  parentNode: ElementNode | null;
  childNodes: PageNode[] = [];
  readonly name: string;
  attributes: Map<string, string>;
  /** Where `indexIn` found a child last. */
  lastIndex = 0;
  /** Its place among the frames of the outline that was made last, if it has one there. */
  frame = -1;
  /** What `weighTree` found below. */
  chars = 0;
  linkChars = 0;
  proseChars = 0;
  /** What `isInFurniture` found. */
  isFurnished: boolean | undefined = undefined;

  constructor(name: string, attributes: Map<string, string>, parentNode: ElementNode | null) {
    this.name = name;
    this.attributes = attributes;
    this.parentNode = parentNode;
  }

  get tagName(): string {
    return upperCase(this.name);
  }

  /** The attribute's value, or the empty string when it is missing. */
  getAttribute(name: string): string {
    return this.attributes.get(name) ?? "";
  }

  /** All text below, in order. */
  get textContent(): string {
    let text = "";
    walk(this, node => {
      if (isText(node)) text += node.text;
      return true;
    });
    return text;
  }
}

/** The root of a page. */
export class DocumentNode extends ElementNode {
  /** The texts of its JSON-LD scripts, in order. */
  readonly linkedData: string[] = [];
  /** The first `<base>` with an address. */
  base: ElementNode | undefined = undefined;

  constructor() {
    super("#document", new Map(), null);
  }
}

export function isText(node: PageNode): node is TextNode {
  return node.nodeType === 3;
}

export function isElement(node: PageNode | null | undefined): node is ElementNode {
  return node?.nodeType === 1;
}

/** Visits all nodes below in document order; `visit` says whether to go down into an element. */
export function walk(root: ElementNode, visit: (node: PageNode) => boolean): void {
  for (const child of root.childNodes) {
    if (visit(child) && child.nodeType === 1) walk(child, visit);
  }
}

/** The first element below, in document order, for which `test` holds. */
export function findElement(
  root: ElementNode,
  test: (element: ElementNode) => boolean,
): ElementNode | undefined {
  for (const child of root.childNodes) {
    if (child.nodeType !== 1) continue;
    const found = test(child) ? child : findElement(child, test);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Every element below for which `test` holds, in document order. */
export function findElements(root: ElementNode, test: (element: ElementNode) => boolean): ElementNode[] {
  const found: ElementNode[] = [];
  walk(root, node => {
    if (isElement(node) && test(node)) found.push(node);
    return true;
  });
  return found;
}

/** Replaces the children of `parent`. */
export function adopt(parent: ElementNode, children: PageNode[]): void {
  parent.childNodes = children;
  for (const child of children) child.parentNode = parent;
}

export function newElement(
  name: string,
  attributes: Record<string, string>,
  children: PageNode[],
): ElementNode {
  const element = new ElementNode(name, new Map(Object.entries(attributes)), null);
  adopt(element, children);
  return element;
}

/** The index of `child` in its parent; fast when asked for one child after the other. */
export function indexIn(parent: ElementNode, child: PageNode): number {
  const ahead = parent.childNodes.indexOf(child, parent.lastIndex);
  const index = ahead >= 0 ? ahead : parent.childNodes.indexOf(child);
  parent.lastIndex = Math.max(0, index);
  return index;
}

/** Whether there is anything to read below. */
export function hasText(element: ElementNode): boolean {
  for (const child of element.childNodes)
    if (isText(child) ? !child.isWhitespace : hasText(child)) return true;
  return false;
}

/** The next or the previous sibling that is not white space. */
export function neighbour(node: PageNode, step: 1 | -1): PageNode | undefined {
  const siblings = node.parentNode?.childNodes ?? [];
  const start = node.parentNode === null ? 0 : indexIn(node.parentNode, node);
  for (let at = start + step; at >= 0 && at < siblings.length; at += step) {
    const sibling = siblings[at];
    if (sibling !== undefined && !(isText(sibling) && sibling.isWhitespace)) return sibling;
  }
  return undefined;
}

const upperCases = new Map<string, string>();

// Pages may invent names without end; only the common ones are remembered.
function upperCase(name: string): string {
  let upper = upperCases.get(name);
  if (upper === undefined) {
    upper = name.toUpperCase();
    if (upperCases.size < 500) upperCases.set(name, upper);
  }
  return upper;
}

/** What is asked of an element by its name, a bit each, so that the parser looks a tag's name up once. */
export const trait = {
  /** A browser's own style sheet gives it a line of its own. */
  block: 1,
  /** It can have no content. */
  void: 2,
  /** It marks text, and may end across others of its kind. */
  formatting: 4,
  headOnly: 8,
  /** `html`, and what is beside the body. */
  outer: 16,
  table: 32,
  /** A table, or what is in nothing but a table. */
  tablePart: 64,
  cell: 128,
  row: 256,
  /** What holds rows. */
  rowParent: 512,
  heading: 1024,
  list: 2048,
  /** A block that does not keep the start of an item from ending the item around. */
  transparent: 4096,
  /** A block that ends no paragraph. */
  inParagraph: 8192,
  preformatted: 0x4000,
  /** It is not in the tree. */
  dropped: 0x8000,
  /** Its start ends some elements by rules of its own. */
  ending: 0x10000,
} as const;

const names: Record<keyof typeof trait, string> = {
  block:
    "address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form " +
    "h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre search section summary table ul legend caption " +
    "tbody thead tfoot tr td th body html video audio iframe",
  void: "area base br col embed frame hr img input link meta param source track wbr",
  formatting: "a b big code em font i nobr s small strike strong tt u span del ins sub sup mark",
  headOnly: "title meta link base script style noscript template basefont bgsound",
  outer: "html head body frameset",
  table: "table",
  tablePart: "table tbody thead tfoot tr td th caption colgroup",
  cell: "td th",
  row: "tr",
  rowParent: "table thead tbody tfoot",
  heading: "h1 h2 h3 h4 h5 h6",
  list: "ul ol",
  transparent: "address div p dialog legend video audio",
  inParagraph: "video audio iframe legend",
  preformatted: "pre textarea",
  dropped: "script style template noembed noframes",
  ending: "li dd dt option optgroup a h1 h2 h3 h4 h5 h6 table tbody thead tfoot tr td th caption colgroup",
};

const traits = new Map<string, number>();
for (const [key, list] of Object.entries(names))
  for (const name of list.split(" "))
    traits.set(name, (traits.get(name) ?? 0) | trait[key as keyof typeof trait]);

/** All traits of the elements with this name. */
export function traitsOf(name: string): number {
  return traits.get(name) ?? 0;
}

/** Whether a browser's own style sheet gives the element a line of its own. */
export function isBlock(name: string): boolean {
  return (traitsOf(name) & trait.block) !== 0;
}
