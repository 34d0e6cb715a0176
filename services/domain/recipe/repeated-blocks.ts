import { isInFrame } from "./page-frame.ts";
import { classesOf, selectorForAll } from "./selector-for.ts";
import { wordsOf } from "./words.ts";

/** Elements of one make that stand for the entries of a list. */
export interface Block {
  selector: string;
  elements: Element[];
  /** Words of the elements' and their container's names. */
  names: string[];
}

const maxBlocks = 30;
const maxElements = 150_000;
const containers = /^(li|div|article|section|tr|a|dl|figure|details|tbody|p|td)$/;

/** Groups of two or more elements with the same tag and class, or the same tag and parent, the weightiest first. */
export function repeatedBlocks(root: Element): Block[] {
  const groups = [...groupsOf(root)]
    .filter(([, elements]) => elements.length > 1 && elements.some(isRich))
    .map(([key, elements]) => ({ key, elements, weight: weightOf(elements) }))
    .sort((a, b) => b.weight - a.weight);
  return groups.slice(0, maxBlocks).flatMap(({ key, elements }) => {
    const selector = selectorForAll(elements, root, [key.split(" ")[0] ?? key]);
    return selector === undefined ? [] : { selector, elements, names: namesAround(elements) };
  });
}

function groupsOf(root: Element): Map<string, Element[]> {
  const groups = new Map<string, Element[]>();
  const parents = new Map<Element, number>();
  let left = maxElements;
  for (const element of root.querySelectorAll("*")) {
    left -= 1;
    if (left < 0) break;
    if (!containers.test(element.localName) || isInFrame(element)) continue;
    const classes = classesOf(element);
    for (const name of classes) put(groups, `${element.localName}.${name}`, element);
    const parent = element.parentElement;
    if (!parent || classes.length > 0) continue;
    if (!parents.has(parent)) parents.set(parent, parents.size);
    put(groups, `${element.localName} ${parents.get(parent)}`, element);
  }
  return groups;
}

function put(groups: Map<string, Element[]>, key: string, element: Element): void {
  const group = groups.get(key);
  if (group) group.push(element);
  else groups.set(key, [element]);
}

function isRich(element: Element): boolean {
  return element.querySelectorAll("*").length > 1 || element.hasAttribute("data-price");
}

/** Many entries of some content; a group of thousands of leaves weighs no more than a list of cards. */
function weightOf(elements: Element[]): number {
  const inner = elements.slice(0, 3).reduce((sum, element) => sum + element.querySelectorAll("*").length, 0);
  return Math.min(elements.length, 100) * Math.min(inner, 60);
}

function namesAround(elements: Element[]): string[] {
  const [first] = elements;
  const around = first ? [first, first.parentElement] : [];
  return around.flatMap(element =>
    element
      ? [...classesOf(element), element.getAttribute("id") ?? ""].flatMap(name => [name, ...wordsOf(name)])
      : [],
  );
}
