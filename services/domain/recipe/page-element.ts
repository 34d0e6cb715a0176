import { _compileUnsafe, type Options } from "css-select";
import { isTraversal, parse, type Selector } from "css-what";
import { ElementNode, isElement, type PageNode } from "../extract/tree.ts";

/** Selection among the elements of a page, and the limit of work for it. */
export interface Selection {
  select(scope: PageElement, selector: string): PageElement[];
  selectFirst(scope: PageElement, selector: string): PageElement | null;
  matches(element: PageElement, selector: string): boolean;
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
  /** Its text and whether it is in the page's frame, kept by those who read them. */
  lines?: readonly string[];
  ownText?: string;
  isInFrame?: boolean;
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

  /** Of all elements of the page, how many are here. */
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
  querySelectorAll(selector: string): PageElement[] {
    return this.all.select(this, selector);
  }

  querySelector(selector: string): PageElement | null {
    return this.all.selectFirst(this, selector);
  }

  matches(selector: string): boolean {
    return this.all.matches(this, selector);
  }

  /** The nearest of this element and its ancestors that matches. */
  closest(selector: string): PageElement | null {
    let at: PageElement | null = this;
    while (at && !at.matches(selector)) at = at.parentElement;
    return at;
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

/** What an element must have for a selector to match it. */
export interface End {
  kind: "any" | "tag" | "class" | "id" | "attribute";
  name: string;
}

/** A selector, ready to be tested. */
interface Query {
  /** One for each part between commas. */
  ends: End[];
  test: (element: PageElement) => boolean;
  /** Every element with the end matches. */
  isEnd: boolean;
  /** The element that `:scope` matches. */
  scope: PageElement[];
}

const maxKept = 2000;
const kept = new Map<string, Query>();

/** Compiles a selector. Throws when it does not parse. */
export function queryOf(selector: string, scope: PageElement): Query {
  let query = kept.get(selector);
  if (query === undefined) {
    query = compile(selector, [scope]);
    if (kept.size >= maxKept) kept.clear();
    kept.set(selector, query);
  }
  query.scope[0] = scope;
  return query;
}

/** Whether a text is a selector that can be used. */
export function isSelector(text: string): boolean {
  try {
    compile(text, [null as unknown as PageElement]);
    return true;
  } catch {
    return false;
  }
}

const adapter: NonNullable<Options<PageElement, PageElement>["adapter"]> = {
  // The context may also be nothing, or a placeholder inside `:has()`.
  isTag: (element): element is PageElement => element instanceof PageElement,
  getAttributeValue: (element, name) => element.getAttribute(name) ?? undefined,
  hasAttrib: (element, name) => element.hasAttribute(name),
  getName: element => element.localName,
  getChildren: element => {
    element.spend(element.children.length + 1);
    return element.children;
  },
  getSiblings: element => {
    const siblings = element.parentElement?.children ?? [element];
    element.spend(siblings.length);
    return siblings;
  },
  getParent: element => {
    element.spend(1);
    return element.parentElement;
  },
  prevElementSibling: element => element.previousElementSibling,
  getText: element => element.textContent,
  existsOne: (test, elements) => within(elements, test) !== null,
  findOne: (test, elements) => within(elements, test),
  findAll: (test, elements) => withAll(elements).filter(test),
  removeSubsets: elements =>
    elements.filter(element => !elements.some(other => other !== element && other.contains(element))),
};

function within(elements: PageElement[], test: (element: PageElement) => boolean): PageElement | null {
  for (const element of elements) {
    element.spend(1);
    const found = test(element) ? element : within(element.children, test);
    if (found) return found;
  }
  return null;
}

function withAll(elements: PageElement[]): PageElement[] {
  return elements.flatMap(element => [element, ...withAll(element.children)]);
}

/** `scope` is an array, because `:scope` then looks up its first element at each test. */
function compile(selector: string, scope: PageElement[]): Query {
  const parts = parse(selector);
  if (parts.some(isDangling)) throw new Error("A part of the selector is empty or ends with a combinator.");
  const ends = parts.map(endOf);
  const isEnd = parts.every((tokens, at) => tokens.length === 1 && exact.has(ends[at]?.kind ?? "any"));
  const test = _compileUnsafe<PageElement, PageElement>(parts, {
    adapter,
    context: scope,
    relativeSelector: false,
    // The maps of kept results cost more than they save, and are wrong for another `:scope`.
    cacheResults: false,
  });
  return { ends, test, scope, isEnd };
}

const exact = new Set<End["kind"]>(["tag", "class", "id"]);

function isDangling(tokens: Selector[]): boolean {
  const last = tokens.at(-1);
  return last === undefined || isTraversal(last);
}

/** An id tells more than a class, a class more than an attribute or a tag. */
const ranks: End["kind"][] = ["id", "class", "attribute", "tag", "any"];

function endOf(tokens: Selector[]): End {
  const last = tokens.slice(tokens.findLastIndex(isTraversal) + 1).map(endFrom);
  return ranks.flatMap(kind => last.find(end => end.kind === kind) ?? [])[0] ?? { kind: "any", name: "" };
}

function endFrom(token: Selector): End {
  if (token.type === "tag") return { kind: "tag", name: token.name.toLowerCase() };
  if (token.type !== "attribute" || token.action === "not") return { kind: "any", name: "" };
  const name = token.name.toLowerCase();
  const isExact = token.ignoreCase !== true;
  if (isExact && name === "id" && token.action === "equals") return { kind: "id", name: token.value };
  if (isExact && name === "class" && token.action === "element") return { kind: "class", name: token.value };
  return { kind: "attribute", name };
}
