import { parseHtml } from "../html/parse-html.ts";
import type { DocumentNode, ElementNode } from "../html/tree.ts";
import { type PageElement, type Selection, viewOf } from "./page-element.ts";
import { type End, queryOf } from "./query.ts";

/** A page and what is computed from it once. */
export interface Page {
  root: PageElement;
  url: string;
  /** The base of relative URLs. */
  base: string;
  /** Language tag as the page declares it, or empty. */
  language: string;
  /** The texts of its JSON-LD scripts. */
  linkedData: readonly string[];
  /** Filled on first use: JSON-LD of the page, microdata and labels below an element. */
  jsonld?: LinkedNode[];
  microdata: WeakMap<PageElement, LinkedNode[]>;
  labels: WeakMap<PageElement, Map<string, Stated>>;
}

/** A value as the page labels it: its element, or the rest of a line. */
export interface Stated {
  label: string;
  value: string | PageElement;
}

/** An entity of JSON-LD or microdata: property names to texts, entities, or lists of them. */
export interface LinkedNode {
  [property: string]: unknown;
}

/** Where to look for fields: below an element, or in an entity of linked data. */
export interface Scope {
  page: Page;
  element: PageElement;
  node?: LinkedNode;
}

export function parsePage(html: string, url: string): Page {
  return openPage(parseHtml(html), url);
}

/** The page of a tree that is not cleaned yet. */
export function openPage(tree: DocumentNode, url: string): Page {
  const { root } = new Elements(tree);
  const base = root.querySelector("base[href]")?.getAttribute("href") ?? "";
  return {
    root,
    url,
    base: URL.parse(base, url)?.href ?? url,
    language: root.getAttribute("lang") ?? "",
    linkedData: tree.linkedData,
    microdata: new WeakMap(),
    labels: new WeakMap(),
  };
}

const frameClasses =
  /related|recommend|similar|sidebar|sponsor|facet|(?:^|[ \t\n\f\r])filters?(?:[ \t\n\f\r]|$)/;
const frameIds = /sidebar|related/;

/** Whether an element belongs to what surrounds the subject of a page: navigation, footer, related things. */
export function isInFrame(element: PageElement): boolean {
  const parent = element.parentElement;
  element.isInFrame ??= isFrame(element) || (parent !== null && isInFrame(parent));
  return element.isInFrame;
}

/** What holds most of the page is no frame of it, whatever its name. */
function isFrame(element: PageElement): boolean {
  const { localName } = element;
  if (localName === "header") return element.closest("main, article") === null && !isMostOfPage(element);
  if (!isFrameByName(element) || isMostOfPage(element)) return false;
  return tags.has(localName) || element.querySelector("h1") === null;
}

const tags = new Set(["nav", "footer", "aside"]);

function isFrameByName(element: PageElement): boolean {
  if (element.localName === "form" || tags.has(element.localName)) return true;
  return (
    frameClasses.test(element.getAttribute("class") ?? "") || frameIds.test(element.getAttribute("id") ?? "")
  );
}

function isMostOfPage(element: PageElement): boolean {
  return element.share > 0.5;
}

/** The error of a page and a request that take more work than is allowed. */
export class TooMuchWork extends Error {
  readonly code = "too_much_work";
}

/** Steps of work for one page. A count, unlike a clock, gives the same answer on every machine. */
const maxSteps = 10_000_000;

/** What a selector found in one place, and the steps that finding it took. */
interface Answer<Found> {
  found: Found;
  steps: number;
}

/** How many answers of a page are kept, and how many elements in them. */
const maxKept = 100_000;

/**
 * The elements of a page in document order, and selection among them. A selector is tested on the elements that have
 * the name, class, id or attribute that it ends with. What was asked for before is found at once, and takes the same
 * steps again: how far a request gets does not depend on what is kept. Throws `TooMuchWork` when the limit is reached.
 */
export class Elements implements Selection {
  readonly all: PageElement[];
  private readonly limit: number;
  private spent = 0;
  /** The steps among them that are taken once for the whole page. */
  private prepared = 0;
  private roomLeft = maxKept;
  /** The elements by tag, class, id, or presence of an attribute. */
  private readonly pools = new Map<End["kind"], Map<string, PageElement[]>>();
  /** Answers by selector, then by the place of the element that was asked. */
  private readonly lists = new Map<string, Map<number, Answer<readonly PageElement[]>>>();
  private readonly firsts = new Map<string, Map<number, Answer<PageElement | null>>>();
  private readonly nearest = new Map<string, Map<number, Answer<PageElement | null>>>();

  constructor(tree: ElementNode, steps = maxSteps) {
    this.limit = steps;
    this.all = viewOf(tree, this);
  }

  get size(): number {
    return this.all.length;
  }

  get root(): PageElement {
    return this.all[0] as PageElement;
  }

  spend(steps: number): void {
    this.spent += steps;
    if (this.spent > this.limit) throw new TooMuchWork("Reading the page in this way takes too long.");
  }

  select(scope: PageElement, selector: string): readonly PageElement[] {
    if (selector === "*") return this.below(scope);
    return this.answer(this.lists, scope, selector, () => this.findAll(scope, selector));
  }

  selectFirst(scope: PageElement, selector: string): PageElement | null {
    return this.answer(this.firsts, scope, selector, () => this.findFirst(scope, selector));
  }

  matches(element: PageElement, selector: string): boolean {
    this.spend(1);
    return queryOf(selector, element).test(element);
  }

  closest(element: PageElement, selector: string): PageElement | null {
    return this.answer(this.nearest, element, selector, () => this.findAround(element, selector));
  }

  private answer<Found>(
    kept: Map<string, Map<number, Answer<Found>>>,
    { order }: PageElement,
    selector: string,
    find: () => Found,
  ): Found {
    const answers = kept.get(selector) ?? new Map<number, Answer<Found>>();
    const known = answers.get(order);
    if (known !== undefined) {
      this.spend(known.steps);
      return known.found;
    }
    const before = this.spent - this.prepared;
    const found = find();
    this.roomLeft -= Array.isArray(found) ? 1 + found.length : 1;
    if (this.roomLeft < 0) return found;
    if (answers.size === 0) kept.set(selector, answers);
    answers.set(order, { found, steps: this.spent - this.prepared - before });
    return found;
  }

  private findAll(scope: PageElement, selector: string): PageElement[] {
    const query = queryOf(selector, scope);
    const { tags } = query;
    if (tags !== undefined) return this.below(scope).filter(({ localName }) => tags.has(localName));
    const found: PageElement[] = [];
    for (const end of query.ends)
      this.visit(scope, end, element => {
        if (query.isEnd || query.test(element)) found.push(element);
        return true;
      });
    return query.ends.length < 2 ? found : [...new Set(found)].sort((a, b) => a.order - b.order);
  }

  below(scope: PageElement, most = this.all.length): PageElement[] {
    const end = Math.min(scope.end, scope.order + 1 + most);
    this.spend(end - scope.order);
    return this.all.slice(scope.order + 1, end);
  }

  private findFirst(scope: PageElement, selector: string): PageElement | null {
    const query = queryOf(selector, scope);
    let first: PageElement | null = null;
    for (const end of query.ends)
      this.visit(scope, end, element => {
        if (first && element.order > first.order) return false;
        if (!query.isEnd && !query.test(element)) return true;
        first = element;
        return false;
      });
    return first;
  }

  private findAround(element: PageElement, selector: string): PageElement | null {
    const { scope, test } = queryOf(selector, element);
    for (let at: PageElement | null = element; at !== null; at = at.parentElement) {
      this.spend(1);
      scope[0] = at;
      if (test(at)) return at;
    }
    return null;
  }

  /** Visits the elements below the scope that a selector with this end can match, while the visitor wants more. */
  private visit(scope: PageElement, end: End, visitor: (element: PageElement) => boolean): void {
    const pool = end.kind === "any" ? this.all : this.poolOf(end);
    for (let at = firstFrom(pool, scope.order + 1); at < pool.length; at += 1) {
      const element = pool[at] as PageElement;
      if (element.order >= scope.end) break;
      this.spend(1);
      if (!visitor(element)) break;
    }
  }

  private poolOf({ kind, name }: End): PageElement[] {
    let pools = this.pools.get(kind);
    if (pools === undefined) {
      pools = new Map();
      this.pools.set(kind, pools);
      this.spend(this.all.length);
      this.prepared += this.all.length;
      for (const element of this.all) for (const key of keysOf(element, kind)) put(pools, key, element);
    }
    return pools.get(name) ?? [];
  }
}

function put(pools: Map<string, PageElement[]>, key: string, element: PageElement): void {
  const pool = pools.get(key);
  if (pool === undefined) pools.set(key, [element]);
  else if (pool.at(-1) !== element) pool.push(element);
}

function keysOf(element: PageElement, kind: End["kind"]): Iterable<string> {
  if (kind === "tag") return [element.localName];
  if (kind === "attribute") return element.attributes.keys();
  if (kind === "class") return element.classNames;
  const id = element.getAttribute("id");
  return id === null ? [] : [id];
}

/** The index of the first element at or after a place of the document. */
function firstFrom(pool: PageElement[], order: number): number {
  let low = 0;
  let high = pool.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pool[middle] as PageElement).order < order) low = middle + 1;
    else high = middle;
  }
  return low;
}
