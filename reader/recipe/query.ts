import { _compileUnsafe, type Options } from "css-select";
import { isTraversal, parse, type Selector } from "css-what";
import { PageElement } from "./page-element.ts";

/** What an element must have for a selector to match it. */
export interface End {
  kind: "any" | "tag" | "class" | "id" | "attribute";
  name: string;
}

type Test = (element: PageElement) => boolean;

/** A selector, ready to be tested. */
interface Query {
  /** An end for each part between commas. */
  ends: End[];
  test: Test;
  /** Every element with the end matches. */
  isEnd: boolean;
  /** The tags, of a selector that names several of them and nothing else. */
  tags: ReadonlySet<string> | undefined;
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

/** A tag, classes, or a tag with classes: nearly all selectors that are tried. */
const plain = /^(?:[a-z][a-z\d-]*)?(?:\.[A-Za-z][\w-]*)*$/;

function compilePlain(selector: string, scope: PageElement[]): Query {
  const [tag = "", ...classes] = selector.split(".");
  const [name] = classes;
  const compound = { ...anyElement, tag: tag === "" ? undefined : tag, classes };
  const end: End = name === undefined ? { kind: "tag", name: tag } : { kind: "class", name };
  const isEnd = classes.length === (tag === "" ? 1 : 0);
  return { ends: [end], test: element => isOf(element, compound), scope, isEnd, tags: undefined };
}

/** `scope` is an array, because `:scope` then looks up its first element at each test. */
function compile(selector: string, scope: PageElement[]): Query {
  if (selector !== "" && plain.test(selector)) return compilePlain(selector, scope);
  const parts = parse(selector);
  if (parts.some(isDangling))
    throw new Error("A part of the selector is empty, or a combinator begins or ends it.");
  const ends = parts.map(endOf);
  const isEnd = parts.every((tokens, at) => tokens.length === 1 && exact.has(ends[at]?.kind ?? "any"));
  const areTags = isEnd && parts.length > 1 && ends.every(({ kind }) => kind === "tag");
  const tags = areTags ? new Set(ends.map(({ name }) => name)) : undefined;
  const [only, ...others] = parts.map(tokens => testOf(tokens, scope));
  const test = only && others.length === 0 ? only : anyOf([...(only ? [only] : []), ...others]);
  return { ends, test, scope, isEnd, tags };
}

function anyOf(tests: Test[]): Test {
  return element => tests.some(test => test(element));
}

const exact = new Set<End["kind"]>(["tag", "class", "id"]);

function isDangling(tokens: Selector[]): boolean {
  return [tokens.at(0), tokens.at(-1)].some(token => token === undefined || isTraversal(token));
}

/** An id says more than a class, a class more than an attribute or a tag. */
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

/** What one element must be: the part of a selector between two combinators. */
interface Compound {
  tag: string | undefined;
  id: string | undefined;
  classes: string[];
  /** Attributes that it must have. */
  attributes: string[];
  /** All else, as `css-select` tests it. */
  rest: Test | undefined;
  /** The compound before it may match any element around, not the parent alone. */
  isBelow: boolean;
}

const anyElement: Compound = {
  ...{ tag: undefined, id: undefined, classes: [], attributes: [] },
  ...{ rest: undefined, isBelow: false },
};

/**
 * The test of a part between commas. Recipes are found by testing thousands of selectors, nearly all of tags, classes,
 * ids and their nesting: those are tested here, in a fraction of the time that `css-select` takes.
 */
function testOf(tokens: Selector[], scope: PageElement[]): Test {
  if (!tokens.every(isNested)) return libraryTest(tokens, scope);
  const compounds: Compound[] = [];
  let from = 0;
  for (let at = 0; at <= tokens.length; at++) {
    const token = tokens[at];
    if (token !== undefined && !isTraversal(token)) continue;
    const before = tokens[from - 1];
    compounds.push(compoundOf(tokens.slice(from, at), before?.type === "descendant", scope));
    from = at + 1;
  }
  return element => fits(element, compounds, compounds.length - 1);
}

/** Whether the token is a simple selector, or a combinator for elements that hold one another. */
function isNested(token: Selector): boolean {
  if (isTraversal(token)) return token.type === "child" || token.type === "descendant";
  return token.type !== "pseudo" || token.name !== "scope";
}

function compoundOf(tokens: Selector[], isBelow: boolean, scope: PageElement[]): Compound {
  const compound: Compound = { ...anyElement, classes: [], attributes: [], isBelow };
  const rest = tokens.filter(token => !takes(compound, token));
  if (rest.length > 0) compound.rest = libraryTest(rest, scope);
  return compound;
}

/** Adds a simple selector to a compound; false for one that the compound has no place for. */
function takes(compound: Compound, token: Selector): boolean {
  if (token.type === "universal") return token.namespace === null;
  const { kind, name } = endFrom(token);
  if (kind === "tag" && compound.tag === undefined && token.type === "tag" && token.namespace === null)
    compound.tag = name;
  else if (token.type !== "attribute" || token.namespace !== null || name === "") return false;
  else if (kind === "id" && compound.id === undefined) compound.id = name;
  else if (kind === "class") compound.classes.push(name);
  else if (kind === "attribute" && token.action === "exists") compound.attributes.push(name);
  else return false;
  return true;
}

function fits(element: PageElement, compounds: readonly Compound[], at: number): boolean {
  const compound = compounds[at] as Compound;
  if (!isOf(element, compound)) return false;
  if (at === 0) return true;
  for (let above = element.parentElement; above !== null; above = above.parentElement) {
    above.spend(1);
    if (fits(above, compounds, at - 1)) return true;
    if (!compound.isBelow) return false;
  }
  return false;
}

function isOf(element: PageElement, { tag, id, classes, attributes, rest }: Compound): boolean {
  if (tag !== undefined && element.localName !== tag) return false;
  if (id !== undefined && element.getAttribute("id") !== id) return false;
  for (const name of classes) if (!element.classNames.includes(name)) return false;
  for (const name of attributes) if (!element.hasAttribute(name)) return false;
  return rest === undefined || rest(element);
}

function libraryTest(tokens: Selector[], scope: PageElement[]): Test {
  return _compileUnsafe<PageElement, PageElement>([tokens], {
    adapter,
    context: scope,
    relativeSelector: false,
    // The maps of kept results cost more than they save, and are wrong for another `:scope`.
    cacheResults: false,
  });
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
