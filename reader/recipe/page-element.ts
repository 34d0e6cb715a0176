import { ElementNode, isElement, type PageNode } from "../html/tree.ts";

/** Selection among the elements of a page, and the limit of work for it. */
export interface Selection {
  below(scope: PageElement, most: number): readonly PageElement[];
  select(scope: PageElement, selector: string): readonly PageElement[];
  selectFirst(scope: PageElement, selector: string): PageElement | null;
  matches(element: PageElement, selector: string): boolean;
  closest(element: PageElement, selector: string): PageElement | null;
  spend(steps: number): void;
  readonly size: number;
}

/**
 * An element of the parsed page as selectors and recipes see it, with the names of the DOM standard. It shares the
 * texts and attributes of the parser's tree, and stays as it was when that tree is cleaned.
 */
export class PageElement {
  readonly node: ElementNode;
  readonly parentElement: PageElement | null;
  readonly children: PageElement[] = [];
  /** Its place among its siblings. */
  readonly index: number;
  /** Its place in the document. */
  readonly order: number;
  /** The place behind its last descendant. */
  end: number;
  /** Its text, its names and whether it is in the page's frame, kept by those who read them. */
  names?: readonly string[];
  lines?: readonly string[];
  ownText?: string;
  /** The letters and digits of its text. */
  squeezed?: string;
  stableClasses?: readonly string[];
  isInFrame?: boolean;
  /** Its place among the siblings of its tag, from 1. */
  place?: number;
  private words?: readonly string[];
  private readonly all: Selection;

  constructor(node: ElementNode, parent: PageElement | null, order: number, all: Selection) {
    this.node = node;
    this.parentElement = parent;
    this.index = parent?.children.length ?? 0;
    this.order = order;
    this.end = order + 1;
    this.all = all;
    parent?.children.push(this);
  }

  /** The share of the page's elements that are here. */
  get share(): number {
    return (this.end - this.order) / this.all.size;
  }

  get localName(): string {
    return this.node.name;
  }

  get childNodes(): readonly PageNode[] {
    return this.node.childNodes;
  }

  get textContent(): string {
    this.all.spend(this.end - this.order);
    return this.node.textContent;
  }

  get attributes(): ReadonlyMap<string, string> {
    return this.node.attributes;
  }

  /** Its classes, as they are written. */
  get classNames(): readonly string[] {
    this.words ??= splitClasses(this.node.attributes.get("class"));
    return this.words;
  }

  get nextElementSibling(): PageElement | null {
    return this.parentElement?.children[this.index + 1] ?? null;
  }

  get previousElementSibling(): PageElement | null {
    return this.parentElement?.children[this.index - 1] ?? null;
  }

  getAttribute(name: string): string | null {
    return this.node.attributes.get(name) ?? null;
  }

  hasAttribute(name: string): boolean {
    return this.node.attributes.has(name);
  }

  contains(other: PageElement): boolean {
    return other.order >= this.order && other.order < this.end;
  }

  /** The elements below that match, in document order. Throws for a selector that does not parse. */
  querySelectorAll(selector: string): readonly PageElement[] {
    return this.all.select(this, selector);
  }

  /** The first elements below. */
  firstBelow(most: number): readonly PageElement[] {
    return this.all.below(this, most);
  }

  querySelector(selector: string): PageElement | null {
    return this.all.selectFirst(this, selector);
  }

  matches(selector: string): boolean {
    return this.all.matches(this, selector);
  }

  /** The nearest of this element and its ancestors that matches. */
  closest(selector: string): PageElement | null {
    return this.all.closest(this, selector);
  }

  /** Counts steps of work that the page's limit allows. */
  spend(steps: number): void {
    this.all.spend(steps);
  }
}

/** The view of a tree: its `html` element with all that the page holds, also where it has no such element. */
export function viewOf(tree: ElementNode, all: Selection): PageElement[] {
  const html = tree.childNodes.find(node => isElement(node) && node.name === "html");
  const whole = new ElementNode("html", isElement(html) ? html.attributes : new Map(), null);
  whole.childNodes = tree.childNodes.flatMap(node => (node === html ? childrenOf(node) : [node]));
  const elements: PageElement[] = [];
  const add = (node: ElementNode, parent: PageElement | null): PageElement => {
    const element = new PageElement(node, parent, elements.length, all);
    elements.push(element);
    for (const child of node.childNodes) if (isElement(child)) add(child, element);
    element.end = elements.length;
    return element;
  };
  add(whole, null);
  return elements;
}

function childrenOf(node: PageNode): PageNode[] {
  return isElement(node) ? node.childNodes : [];
}

const noNames: readonly string[] = [];

function splitClasses(names: string | undefined): readonly string[] {
  if (names === undefined) return noNames;
  return /[ \t\n\f\r]/.test(names) ? names.split(/[ \t\n\f\r]+/) : [names];
}
