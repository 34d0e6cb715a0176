import { isText } from "../html/tree.ts";
import type { PageElement } from "./page-element.ts";
import { isInFrame } from "./parse-page.ts";
import { classesOf } from "./selector-for.ts";
import { selectorForAll } from "./selector-for-all.ts";
import { textOf, wordsOf } from "./text-of.ts";

/** Elements of one make that are the entries of a list, or begin them. */
export interface Block {
  selector: string;
  elements: PageElement[];
  /** Words of the elements' and their container's names. */
  names: string[];
}

const maxBlocks = 12;
const maxSections = 5;
const kept = new WeakMap<PageElement, Block[]>();
const maxElements = 150_000;
const maxTitle = 300;
const containers = new Set("li div article section tr a dl figure details tbody table p td".split(" "));

/**
 * Groups of two or more elements with a class in common, all their classes, or the same tag and parent; those with most
 * content first.
 */
export function repeatedBlocks(root: PageElement): Block[] {
  const known = kept.get(root);
  const blocks = known ?? blocksOf(root);
  if (!known) kept.set(root, blocks);
  return blocks;
}

function blocksOf(root: PageElement): Block[] {
  const groups = groupsOf(root)
    .filter(({ elements }) => elements.length > 1 && elements.some(isRich))
    .map(({ own, elements }) => ({ own, elements, weight: weightOf(elements) }))
    .sort((a, b) => b.weight - a.weight);
  const seen = new Set<string>();
  const blocks: Block[] = [];
  for (const { own, elements } of groups) {
    if (blocks.length === maxBlocks) break;
    const identity = `${elements.length} ${elements[0]?.order} ${elements.at(-1)?.order}`;
    if (seen.has(identity)) continue;
    const selector = selectorForAll(elements, root, [own]);
    if (selector === undefined) continue;
    seen.add(identity);
    blocks.push({ selector, elements, names: namesAround(elements) });
  }
  return blocks;
}

/** Elements that may be entries of one list, and the selector of what they share. */
interface Group {
  own: string;
  elements: PageElement[];
}

function groupsOf(root: PageElement): Group[] {
  const groups = new Map<string | number, Group>();
  const add = (key: string | number, own: string, element: PageElement): void => {
    const group = groups.get(key);
    if (group) group.elements.push(element);
    else groups.set(key, { own, elements: [element] });
  };
  const namesOf = new Map<string, readonly string[]>();
  const tags = new Map<string, number>();
  for (const element of root.firstBelow(maxElements)) {
    const { localName, parentElement: parent } = element;
    if (!containers.has(localName) || isInFrame(element)) continue;
    for (const name of groupNames(element, namesOf)) add(name, name, element);
    const tag = tags.get(localName) ?? tags.size;
    tags.set(localName, tag);
    // Each parent and each grandparent has a number of its own.
    const above = 2 * containers.size;
    if (parent) add(parent.order * above + 2 * tag, localName, element);
    if (parent?.parentElement) add(parent.parentElement.order * above + 2 * tag + 1, localName, element);
  }
  return [...groups.values()];
}

/** The tag with each class, and with all of them. Many elements of a page share their classes. */
function groupNames(element: PageElement, known: Map<string, readonly string[]>): readonly string[] {
  const { localName } = element;
  const key = `${localName} ${element.getAttribute("class") ?? ""}`;
  let names = known.get(key);
  if (names === undefined) {
    const classes = classesOf(element);
    const all = classes.length > 1 ? [[localName, ...classes].join(".")] : [];
    names = [...classes.map(name => `${localName}.${name}`), ...all];
    known.set(key, names);
  }
  return names;
}

function put(groups: Map<string, PageElement[]>, key: string, element: PageElement): void {
  const group = groups.get(key);
  if (group) group.push(element);
  else groups.set(key, [element]);
}

function sizeOf(element: PageElement): number {
  return element.end - element.order - 1;
}

function isRich(element: PageElement): boolean {
  return (
    sizeOf(element) > 1 ||
    isSaying(element) ||
    element.hasAttribute("data-price") ||
    element.localName === "details"
  );
}

/** `<li><code>near</code> A place`: one element with a text beside it. */
function isSaying(element: PageElement): boolean {
  if (sizeOf(element) !== 1 || element.localName !== "li") return false;
  return element.childNodes.some(node => isText(node) && node.text.trim().length > 2);
}

/** Many entries of some content; a group of thousands of leaves weighs no more than a list of cards. */
function weightOf(elements: PageElement[]): number {
  const inner = elements.slice(0, 3).reduce((sum, element) => sum + sizeOf(element), 0);
  return Math.min(elements.length, 100) * Math.min(inner, 60);
}

function namesAround(elements: PageElement[]): string[] {
  const [first] = elements;
  const around = first ? [first, first.parentElement] : [];
  return around.flatMap(element =>
    element
      ? [...classesOf(element), element.getAttribute("id") ?? ""].flatMap(name => [name, ...wordsOf(name)])
      : [],
  );
}

/**
 * Headings of entries that have no element of their own: `h3` and what follows, `dt`, the buttons of an accordion, or
 * paragraphs in bold.
 */
export function sectionHeads(root: PageElement): Block[] {
  const groups = new Map<string, PageElement[]>();
  for (const element of root.querySelectorAll("h2, h3, h4, h5, h6, dt, button, [role=button], p")) {
    const kind = headKind(element);
    if (kind !== undefined && element.nextElementSibling && !isInFrame(element)) {
      put(groups, kind, element);
      put(groups, `${kind} ${element.parentElement?.order}`, element);
    }
  }
  const seen = new Set<string>();
  const followed = [...groups].filter(([, elements]) => {
    const identity = `${elements.length} ${elements[0]?.order}`;
    if (elements.length < 2 || seen.has(identity) || !isFollowed(elements)) return false;
    seen.add(identity);
    return true;
  });
  followed.sort(([, a], [, b]) => b.length - a.length);
  return followed.slice(0, maxSections).flatMap(([key, elements]) => {
    const selector = selectorForAll(elements, root, [key.split(" ")[0] ?? key]);
    return selector === undefined ? [] : { selector, elements, names: namesAround(elements) };
  });
}

/** Other elements follow most of the headings. */
function isFollowed(heads: PageElement[]): boolean {
  const all = new Set(heads);
  const followed = heads.filter(({ nextElementSibling: next }) => next !== null && !all.has(next));
  return followed.length * 2 > heads.length;
}

function headKind(element: PageElement): string | undefined {
  const { localName } = element;
  if (localName === "p") {
    const [bold, ...others] = element.children;
    const isBold = bold !== undefined && others.length === 0 && /^(strong|b)$/.test(bold.localName);
    return isBold && textOf(element) === textOf(bold) ? `p:has(>${bold.localName})` : undefined;
  }
  if (textOf(element).length > maxTitle) return undefined;
  const isRole = element.getAttribute("role") === "button";
  return isRole && localName !== "button" ? `${localName}[role=button]` : localName;
}
