import type { PageElement } from "./page-element.ts";

/** A position among more siblings is not a stable selector, and takes quadratic time to find. */
const maxTwins = 200;

/**
 * A short selector whose first match below `root` is the element: id, test id or class where they look written by
 * people, then the same below an ancestor, and positions last.
 */
export function selectorFor(element: PageElement, root: PageElement): string | undefined {
  if (element === root) return ":scope";
  return (
    firstThat(element, root, selector => root.querySelector(selector) === element) ??
    byPosition(element, root)
  );
}

/** A place in the entries of a list: a selector, and its first match in an entry, found without compiling it. */
export interface Place {
  selector: string;
  firstIn(entry: PageElement): PageElement | null;
}

/**
 * Places whose first match in an entry of a list is the element: by class, below an ancestor, and by position. Ids are
 * those of one entry.
 */
export function placesWithin(element: PageElement, root: PageElement): Place[] {
  if (element === root) return [{ selector: ":scope", firstIn: entry => entry }];
  const own = namesBesideId(element);
  const plain = firstOf(own, selector => root.querySelector(selector) === element, 2);
  const below = firstBelow(element, root, own.slice(0, 2), plain);
  const placed = plain.length > 1 ? undefined : positionOf(element, root);
  return [...plain.map(placeOfName), ...(below ? [below] : []), ...(placed ? [placed] : [])];
}

function placeOfName(selector: string): Place {
  return { selector, firstIn: entry => entry.querySelector(selector) };
}

/** The selectors of those places. */
export function selectorsWithin(element: PageElement, root: PageElement): string[] {
  return [...new Set(placesWithin(element, root).map(({ selector }) => selector))];
}

function namesBesideId(element: PageElement): readonly string[] {
  const names = namesOf(element);
  return names[0]?.startsWith("#") ? names.slice(1) : names;
}

/** The nearest ancestor's name with one of the element's own, below which the element is the first of that name. */
function firstBelow(
  element: PageElement,
  root: PageElement,
  own: readonly string[],
  plain: readonly string[],
): Place | undefined {
  // What is the first of its name is also the first of that name below its ancestor.
  for (const ancestor of ancestorsOf(element, root))
    for (const name of namesBesideId(ancestor).slice(0, 2))
      for (const part of own)
        if (plain.includes(part) || firstOfBelow(root, name, part) === element)
          return { selector: `${name} ${part}`, firstIn: entry => firstOfBelow(entry, name, part) };
  return undefined;
}

/** The first match of `name part`. Both are known selectors; together they would be a new one. */
function firstOfBelow(root: PageElement, name: string, part: string): PageElement | null {
  return root.querySelectorAll(part).find(found => found.parentElement?.closest(name)) ?? null;
}

/** The first few selectors that pass; those after them are not tested. */
function firstOf(selectors: readonly string[], test: (selector: string) => boolean, count: number): string[] {
  const found: string[] = [];
  for (const selector of selectors) {
    if (found.length === count) break;
    if (test(selector)) found.push(selector);
  }
  return found;
}

function firstThat(
  element: PageElement,
  root: PageElement,
  test: (selector: string) => boolean,
): string | undefined {
  const own = namesOf(element);
  const plain = own.find(test);
  if (plain !== undefined) return plain;
  for (const ancestor of ancestorsOf(element, root))
    for (const name of namesOf(ancestor).slice(0, 2))
      for (const part of own) if (test(`${name} ${part}`)) return `${name} ${part}`;
  return undefined;
}

/** Only the nearest few: a longer path breaks sooner. */
export function ancestorsOf(element: PageElement, root: PageElement): PageElement[] {
  const found: PageElement[] = [];
  let at = element.parentElement;
  while (at && at !== root && found.length < 4) {
    found.push(at);
    at = at.parentElement;
  }
  return found;
}

/** Selectors that fit an element by itself, the most telling first; its bare tag last. */
export function namesOf(element: PageElement): readonly string[] {
  element.names ??= readNames(element);
  return element.names;
}

function readNames(element: PageElement): string[] {
  const tag = tagOf(element);
  const id = element.getAttribute("id") ?? "";
  const tests = ["data-testid", "data-test", "data-qa", "itemprop"].flatMap(name => {
    const value = element.getAttribute(name) ?? "";
    return isStable(value) ? `[${name}="${value}"]` : [];
  });
  const classes = classesOf(element);
  return [
    ...(isStable(id) ? [`#${id}`] : []),
    ...tests,
    ...classes.map(name => `.${name}`),
    ...classes.map(name => `${tag}.${name}`),
    ...(classes.length > 1 ? [classes.map(name => `.${name}`).join("")] : []),
    tag,
  ];
}

export function tagOf({ localName }: PageElement): string {
  return escaped(localName);
}

/** The tags `o:p` of Word and `svg:a` would be read as pseudo-classes. */
function escaped(tag: string): string {
  return /^[\w-]+$/.test(tag) ? tag : tag.replace(/[^\w-]/g, "\\$&");
}

const maxKept = 5000;
const keptClasses = new Map<string, readonly string[]>();
const keptNames = new Map<string, boolean>();

/** Pages repeat their few names on many elements. */
function kept<Value>(all: Map<string, Value>, key: string, compute: (key: string) => Value): Value {
  let value = all.get(key);
  if (value === undefined) {
    value = compute(key);
    if (all.size >= maxKept) all.clear();
    all.set(key, value);
  }
  return value;
}

export function classesOf(element: PageElement): readonly string[] {
  element.stableClasses ??= kept(keptClasses, element.getAttribute("class") ?? "", stableOf);
  return element.stableClasses;
}

function stableOf(names: string): readonly string[] {
  return names.split(/\s+/).filter(isStable).slice(0, 6);
}

/** Names of build tools (`css-1q2w3e`, `_3xK2p`), record numbers and layout (`col-sm-4`) are not stable. */
export function isStable(name: string): boolean {
  return kept(keptNames, name, looksStable);
}

function looksStable(name: string): boolean {
  if (!/^[A-Za-z][\w-]{1,60}$/.test(name) || /^(css|sc|jsx|svelte|emotion|ng|ember|react|js)-/.test(name))
    return false;
  if (/\d{3,}/.test(name) || /^(col|offset|order|w|[gmp][trblxy]?)(-[a-z]+)*-\d+$/.test(name)) return false;
  return name.split(/[-_]+/).every(part => !looksHashed(part));
}

function looksHashed(part: string): boolean {
  if (part.length < 5) return false;
  const switches = part.match(/[a-z](?=\d)|\d(?=[a-z])/gi)?.length ?? 0;
  return (
    switches > 1 ||
    /[bcdfghjklmnpqrstvwxz]{6,}/i.test(part) ||
    /[a-z][A-Z][a-z]?[A-Z]|[A-Z]{2,}[a-z]+[A-Z]/.test(part)
  );
}

interface Step {
  tag: string;
  /** Among the siblings with its tag, if there are others; counted from 1. */
  place: number | undefined;
}

export function byPosition(element: PageElement, root: PageElement): string | undefined {
  return positionOf(element, root)?.selector;
}

function positionOf(element: PageElement, root: PageElement): Place | undefined {
  const steps: Step[] = [];
  const own = tagOf(element);
  const before = root.querySelectorAll(own).filter(({ order }) => order < element.order);
  let at: PageElement | null = element;
  while (at && at !== root && steps.length < 12) {
    const tag: string = at.localName;
    const twins: PageElement[] = [...(at.parentElement?.children ?? [])].filter(
      child => child.localName === tag,
    );
    if (twins.length > maxTwins) return undefined;
    steps.push({ tag, place: twins.length > 1 ? twins.indexOf(at) + 1 : undefined });
    if (!before.some(other => isAt(other, steps)))
      return {
        selector: selectorOf(steps),
        firstIn: entry => entry.querySelectorAll(own).find(other => isAt(other, steps)) ?? null,
      };
    at = at.parentElement;
  }
  return undefined;
}

/** Whether an element is at the end of a path; `steps` begin with the last. */
function isAt(element: PageElement, steps: readonly Step[]): boolean {
  let at: PageElement | null = element;
  for (const { tag, place } of steps) {
    if (at === null || at.localName !== tag || (place !== undefined && placeOf(at) !== place)) return false;
    at = at.parentElement;
  }
  return true;
}

/** Its place among the siblings of its tag. All siblings are counted at once. */
function placeOf(element: PageElement): number {
  const parent = element.parentElement;
  if (parent === null) return 1;
  if (element.place === undefined) {
    element.spend(parent.children.length);
    const counts = new Map<string, number>();
    for (const child of parent.children) {
      child.place = (counts.get(child.localName) ?? 0) + 1;
      counts.set(child.localName, child.place);
    }
  }
  return element.place ?? 1;
}

function selectorOf(steps: readonly Step[]): string {
  const parts = steps.map(({ tag, place }) =>
    place === undefined ? escaped(tag) : `${escaped(tag)}:nth-of-type(${place})`,
  );
  return parts.reverse().join(" > ");
}
