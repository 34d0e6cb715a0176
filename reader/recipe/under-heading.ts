import type { PageElement } from "./page-element.ts";
import { isInFrame } from "./parse-page.ts";
import { classesOf } from "./selector-for.ts";
import { selectorForAll } from "./selector-for-all.ts";
import { squeeze, textOf } from "./text-of.ts";

const headings = "h1, h2, h3, h4, h5, h6, strong, b, legend, summary, caption";
const entryTags = /^(li|tr|dd|p|div|label)$/;
const maxAncestors = 5;
const maxHeadings = 5;
const leastShare = 0.5;
const nearlyAll = 0.8;

/**
 * Selectors of the entries below a heading that is one of the words, whatever elements they are: rows of a table,
 * blocks beside pictures, labels of boxes to tick, paragraphs. With `ofProse`, of the part of each that has its text.
 */
export function* listsUnder(words: string[], root: PageElement, ofProse: boolean): Generator<string> {
  const found = root
    .querySelectorAll(headings)
    .filter(heading => words.includes(squeeze(textOf(heading))) && !isInFrame(heading));
  for (const heading of found.slice(0, maxHeadings)) {
    const group = groupBelow(heading, root);
    const selector = group && selectorForAll(group, root, sharedNames(group));
    if (!group || selector === undefined) continue;
    const part = ofProse ? partWithText(group) : undefined;
    if (part !== undefined) yield `${selector} > ${part}`;
    yield selector;
  }
}

/** The elements that hold most of what is below a heading, in the nearest ancestor that has some. */
function groupBelow(heading: PageElement, root: PageElement): PageElement[] | undefined {
  let ancestor = heading.parentElement;
  for (let left = maxAncestors; ancestor && left > 0; left -= 1) {
    const region = below(heading, ancestor);
    const group = region.length > 1 ? mostOf(region, heading) : undefined;
    if (group) return group;
    ancestor = ancestor === root ? null : ancestor.parentElement;
  }
  return undefined;
}

/** What comes after a heading in an ancestor, up to the next heading of its rank. */
function below(heading: PageElement, ancestor: PageElement): PageElement[] {
  const all = ancestor
    .querySelectorAll("*")
    .filter(element => element.order >= heading.end && !isInFrame(element));
  const end = all.findIndex(element => isAsHigh(element, heading));
  return end < 0 ? all : all.slice(0, end);
}

function isAsHigh({ localName }: PageElement, heading: PageElement): boolean {
  if (!/^h[1-6]$/.test(heading.localName))
    return /^h[1-6]$/.test(localName) || localName === heading.localName;
  return /^h[1-6]$/.test(localName) && localName <= heading.localName;
}

function mostOf(region: PageElement[], heading: PageElement): PageElement[] | undefined {
  const outer = region.filter(({ parentElement }) => parentElement?.contains(heading) === true);
  const whole = lengthOf(outer);
  const groups = groupsOf(region)
    .map(group => ({ group, share: lengthOf(group) / whole }))
    .filter(({ group, share }) => group.length > 1 && share >= leastShare);
  const most = Math.max(...groups.map(({ share }) => share));
  const near = groups.filter(({ share }) => share >= most * nearlyAll).map(({ group }) => group);
  return near.sort((a, b) => rankOf(b) - rankOf(a) || orderOf(a) - orderOf(b))[0];
}

/** Items and rows are entries; three blocks are more likely so than two. */
function rankOf(group: PageElement[]): number {
  return (/^(?:li|tr)$/.test(group[0]?.localName ?? "") ? 2 : 0) + (group.length > 2 ? 1 : 0);
}

function orderOf([first]: PageElement[]): number {
  return first?.order ?? 0;
}

function lengthOf(elements: PageElement[]): number {
  return elements.reduce((sum, element) => sum + textOf(element).length, 0);
}

/** Elements of one make with the same parent, or the same ancestor behind it. */
function groupsOf(region: PageElement[]): PageElement[][] {
  const groups = new Map<string, PageElement[]>();
  for (const element of region) {
    const { localName, parentElement: parent } = element;
    if (!parent || !entryTags.test(localName) || textOf(element) === "") continue;
    const make = `${localName}.${element.getAttribute("class") ?? ""}`;
    const keys = [`${parent.order} ${localName}`, `${parent.parentElement?.order} in ${make}`];
    for (const key of localName === "li" ? [...keys, "li"] : keys) {
      const group = groups.get(key);
      if (!group) groups.set(key, [element]);
      else if (!group.at(-1)?.contains(element)) group.push(element);
    }
  }
  return [...groups.values()];
}

function sharedNames([first]: PageElement[]): string[] {
  return first ? [...classesOf(first).map(name => `.${name}`), first.localName] : [];
}

/** The child that has most of the text in each of them, beside a number or a heading. */
function partWithText(group: PageElement[]): string | undefined {
  const names = group[0]?.children.flatMap(child => sharedNames([child])) ?? [];
  return names.find(name =>
    group.every(element => {
      const parts = element.children.filter(child => child.matches(name));
      const [text, whole] = [lengthOf(parts), textOf(element).length];
      return parts.length === 1 && text < whole && text * 2 > whole;
    }),
  );
}
