import xpath from "xpath";
import { type DocumentNode, type ElementNode, isElement, isText, type PageNode } from "../html/tree.ts";
import { TooMuchWork } from "../recipe/parse-page.ts";
import type { RequestBudget } from "../text/request-budget.ts";

/** What an XPath 1.0 expression finds: elements, or the values of all else (texts, attributes, numbers). */
export interface XPathFound {
  elements: ElementNode[];
  values: string[];
}

/** The part of the library that is used; its own types leave `parse` out. */
interface Library {
  parse(expression: string): { evaluate(options: Evaluation): Value };
}

interface Evaluation {
  node: unknown;
  isHtml: boolean;
  /** A name without a prefix is that of elements in any default namespace. */
  allowAnyNamespaceForNoPrefix?: boolean;
  namespaces?: { getNamespace(prefix: string): string };
}

interface Value {
  stringValue(): string;
  toArray?(): XPathNode[];
}

const { parse } = xpath as unknown as Library;

/** Whether a selector is written in XPath: it begins with `/`, `(/` or `xpath:`. */
export function isXPath(selector: string): boolean {
  return /^\s*(?:xpath:|\(*\.?\/)/i.test(selector);
}

/** The expression itself, as a browser takes it. */
export function expressionOf(selector: string): string {
  return selector.trim().replace(/^xpath:\s*/i, "");
}

/** The axis whose work in the library grows with the square of the page. */
const slowAxis = /(?:^|[^\w-])preceding\s*::/;
const literals = /"[^"]*"|'[^']*'/g;

/** Why a text is no XPath expression that can be used; null for one that is. It is counted before it is parsed. */
export function checkXPath(selector: string, budget: RequestBudget): string | null {
  const expression = expressionOf(selector);
  const unions = expression.split("|").length - 1;
  if (!budget.spend(expression.length / 2 + unions * 10))
    return "The selectors and expressions of this request are too large together.";
  if (slowAxis.test(expression.replace(literals, "''")))
    return "The axis `preceding` is not supported; use `preceding-sibling` or `ancestor`.";
  try {
    const page = new Tree(undefined, maxSteps);
    parse(expression).evaluate({ node: page.root, isHtml: true });
    return null;
  } catch (error) {
    const [reason = ""] = String((error as Error).message).split("\n");
    return `This is not an XPath 1.0 expression: ${reason.replace(/\.$/, "").slice(0, 150)}.`;
  }
}

/** Steps from node to node for one expression. */
const maxSteps = 3_000_000;

/**
 * Evaluates an expression on a page, in document order. Throws `TooMuchWork` when it takes more steps than are allowed,
 * and the library's error for an expression that `checkXPath` refuses.
 */
export function evaluateXPath(page: DocumentNode, selector: string, steps = maxSteps): XPathFound {
  const { root } = new Tree(page, steps);
  const value = parse(expressionOf(selector)).evaluate({ node: root, isHtml: true });
  if (value.toArray === undefined) return { elements: [], values: [value.stringValue()] };
  const nodes = value.toArray();
  return {
    elements: nodes.flatMap(({ source }) => (isElement(source) ? source : [])),
    values: nodes.flatMap(node => (isElement(node.source) ? [] : (node.nodeValue ?? ""))),
  };
}

/** What an expression finds in XML: an element, an attribute or a text of one, or a value that is no node. */
export type XmlFound = { element: ElementNode; attribute?: string; text?: string } | { value: string };

/**
 * Evaluates an expression on a tree of XML, whose names keep their case. Names without a prefix are found in any default
 * namespace, and prefixes are those of the document. Throws as `evaluateXPath` does.
 */
export function evaluateXmlXPath(document: DocumentNode, selector: string, steps = maxSteps): XmlFound[] {
  const { root, namespaces } = new Tree(document, steps, new Map());
  const value = parse(expressionOf(selector)).evaluate({
    ...{ node: root, isHtml: false, allowAnyNamespaceForNoPrefix: true },
    namespaces: { getNamespace: prefix => namespaces?.get(prefix) ?? prefix },
  });
  if (value.toArray === undefined) return [{ value: value.stringValue() }];
  return value.toArray().flatMap((node): XmlFound[] => {
    if (isElement(node.source)) return [{ element: node.source }];
    const owner = (node.ownerElement ?? node.parentNode)?.source;
    if (!isElement(owner)) return [];
    const text = node.nodeValue ?? "";
    return [{ element: owner, text, ...(node.nodeType === 2 && { attribute: node.nodeName }) }];
  });
}

/** Counts the steps of an expression in its tree. */
class Tree {
  readonly root: XPathNode;
  /** The namespaces of XML by their prefixes, the first of each; undefined for HTML. */
  readonly namespaces: Map<string, string> | undefined;
  private left: number;
  private count = 0;

  constructor(page: DocumentNode | undefined, steps: number, namespaces?: Map<string, string>) {
    this.left = steps;
    this.namespaces = namespaces;
    this.root = new XPathNode(this, 9, "#document", null, undefined);
    if (page !== undefined) this.grow(this.root, namespaces ? page.childNodes : withHtml(page));
  }

  spend(steps = 1): void {
    this.left -= steps;
    if (this.left < 0) throw new TooMuchWork("This XPath expression takes too long on this page.");
  }

  nextOrder(): number {
    this.count += 1;
    return this.count;
  }

  private grow(parent: XPathNode, children: readonly PageNode[]): void {
    let last: XPathNode | null = null;
    for (const child of children) {
      this.spend();
      const isParent = isElement(child);
      if (isParent) this.learnPrefixes(child);
      const node: XPathNode = new XPathNode(
        this,
        child.nodeType,
        isParent ? child.name : "#text",
        parent,
        child,
      );
      node.previous = last;
      if (last === null) parent.first = node;
      else last.next = node;
      last = node;
      if (isParent) this.grow(node, child.childNodes);
    }
  }

  private learnPrefixes({ attributes }: ElementNode): void {
    for (const [name, uri] of this.namespaces ? attributes : []) {
      const prefix = /^xmlns:(.+)$/.exec(name)?.[1];
      if (prefix !== undefined && !this.namespaces?.has(prefix)) this.namespaces?.set(prefix, uri);
    }
  }

  /** The local part of a name and its namespace. Those of HTML are whole names in none. */
  named(name: string, inherited: string | null): { local: string; namespace: string | null } {
    const colon = this.namespaces ? name.indexOf(":") : -1;
    if (colon === -1) return { local: name, namespace: inherited };
    const prefix = name.slice(0, colon);
    return { local: name.slice(colon + 1), namespace: this.namespaces?.get(prefix) ?? prefix };
  }
}

/** A page without `html` has it all the same, as in a browser. */
function withHtml(page: DocumentNode): PageNode[] {
  const roots = page.childNodes.filter(isElement);
  return roots.some(({ name }) => name === "html") ? roots : page.childNodes;
}

/** A node of the page as the library wants it: a part of the DOM's `Node`. Each step is counted. */
class XPathNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly localName: string;
  readonly namespaceURI: string | null;
  readonly source: PageNode | undefined;
  readonly order: number;
  readonly ownerElement: XPathNode | null = null;
  first: XPathNode | null = null;
  next: XPathNode | null = null;
  previous: XPathNode | null = null;
  private readonly inherited: string | null;
  private readonly tree: Tree;
  private readonly parent: XPathNode | null;
  private readonly text: string | undefined;
  private attributeNodes: XPathNode[] | undefined;

  constructor(
    tree: Tree,
    nodeType: number,
    name: string,
    parent: XPathNode | null,
    source: PageNode | undefined,
    value?: string,
  ) {
    this.tree = tree;
    this.nodeType = nodeType;
    this.nodeName = name;
    const own = source && isElement(source) && tree.namespaces ? source.attributes.get("xmlns") : undefined;
    /** The default namespace, which attributes have not. */
    this.inherited = own ?? parent?.inherited ?? null;
    const { local, namespace } = tree.named(name, nodeType === 1 ? this.inherited : null);
    this.localName = local;
    this.namespaceURI = namespace;
    this.parent = parent;
    this.source = source;
    this.order = tree.nextOrder();
    this.text = value;
    if (nodeType === 2) this.ownerElement = parent;
  }

  get parentNode(): XPathNode | null {
    this.tree.spend();
    return this.nodeType === 2 ? null : this.parent;
  }

  get ownerDocument(): XPathNode | null {
    return this === this.tree.root ? null : this.tree.root;
  }

  get documentElement(): XPathNode | null {
    let at = this.first;
    while (at && at.nodeType !== 1) at = at.next;
    return at;
  }

  get firstChild(): XPathNode | null {
    this.tree.spend();
    return this.first;
  }

  get nextSibling(): XPathNode | null {
    this.tree.spend();
    return this.next;
  }

  get previousSibling(): XPathNode | null {
    this.tree.spend();
    return this.previous;
  }

  get nodeValue(): string | null {
    const value = this.text ?? (this.source && isText(this.source) ? this.source.text : null);
    this.tree.spend(1 + (value?.length ?? 0) / 16);
    return value;
  }

  get name(): string {
    return this.nodeName;
  }

  get value(): string | null {
    return this.nodeValue;
  }

  get attributes(): XPathNode[] & { item(at: number): XPathNode | undefined } {
    this.attributeNodes ??= [...(isElement(this.source) ? this.source.attributes : [])].map(
      ([name, value]) => new XPathNode(this.tree, 2, name, this, undefined, value),
    );
    this.tree.spend(1 + this.attributeNodes.length);
    return Object.assign(this.attributeNodes, { item: (at: number) => this.attributeNodes?.[at] });
  }

  getAttribute(name: string): string | null {
    this.tree.spend();
    return isElement(this.source) ? (this.source.attributes.get(name) ?? null) : null;
  }

  getAttributeNS(_: string | null, name: string): string | null {
    return this.getAttribute(name);
  }

  /** The bits of the DOM's `Node`: 2 when the other precedes, 4 when it follows. */
  compareDocumentPosition(other: XPathNode): number {
    this.tree.spend();
    const [own, its] = [this.ownerElement ?? this, other.ownerElement ?? other];
    if (own !== its) return own.order < its.order ? 4 : 2;
    if (this === own) return 4;
    return other === its || other.order < this.order ? 2 : 4;
  }
}
