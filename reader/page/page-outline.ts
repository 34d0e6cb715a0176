import { isSkipLink } from "../clean/clean-link.ts";
import { isHidden, isSpokenOnly } from "../clean/hidden.ts";
import { parseHtml } from "../html/parse-html.ts";
import { isText } from "../html/tree.ts";
import type { PageElement } from "../recipe/page-element.ts";
import { openPage } from "../recipe/parse-page.ts";
import { isStable, namesOf, selectorFor } from "../recipe/selector-for.ts";
import { selectorForAll } from "../recipe/selector-for-all.ts";
import { linesOf } from "../recipe/text-of.ts";
import { controlText } from "./control-text.ts";

/** A part of a page that can be pointed at. */
export interface OutlinePart {
  /** The tag, in lower case. */
  tag: string;
  /** What it says, at most 300 characters. */
  text: string;
  /** A short CSS selector that matches this part alone, or at least first. */
  selector: string;
  /** The elements around it, the nearest first. */
  within: { tag: string; selector: string }[];
}

/** More parts than anybody reads. */
const maxParts = 1000;
const maxText = 300;
const maxWithin = 4;
/** Among more siblings a place says little, and takes long to find. */
const maxTwins = 200;

/**
 * The page as the parts that hold its text or are its controls, in order, so that a person may point at one. It is data, not markup: nothing
 * of the page runs or loads where it is shown. The work is bounded; of a huge page the beginning is given.
 */
export function pageOutline(html: string, url: string): OutlinePart[] {
  const { root } = openPage(parseHtml(html, { withDrawings: true }), url);
  const selectors = new Map<PageElement, string | undefined>();
  const parts: OutlinePart[] = [];
  try {
    for (const element of pointable(root)) {
      if (parts.length === maxParts) break;
      const part = partOf(element, root, selectors);
      if (part) parts.push(part);
    }
  } catch (error) {
    // The limit of steps: what was found until then is the outline.
    if (parts.length === 0) throw error;
  }
  return parts;
}

const silent = new Set(
  "head title script style noscript template iframe object canvas datalist rp".split(" "),
);
/** Options of a longer list are not offered one by one. */
const maxOptions = 40;

/** Elements with text of their own, from the top; what is in a line only if it is named or a figure. */
function* pointable(element: PageElement): Generator<PageElement> {
  const { localName, node } = element;
  if (silent.has(localName) || isHidden(node) || isSpokenOnly(node)) return;
  if (localName === "a" && isSkipLink(node)) return;
  if (
    element.parentElement &&
    (isControl(element) || (hasOwnText(element) && (!isInline(element) || isTelling(element))))
  )
    yield element;
  if (localName === "select" && element.children.length > maxOptions) return;
  for (const child of element.children) yield* pointable(child);
}

const controls = new Set("button input select option meter progress textarea svg img".split(" "));

/** What a browser draws itself, and icons that have a name. */
function isControl(element: PageElement): boolean {
  return controls.has(element.localName) || controlText(element.node) !== "";
}

function hasOwnText({ childNodes }: PageElement): boolean {
  return childNodes.some(node => isText(node) && /\S/.test(node.text));
}

const inline = new Set(
  "a abbr b bdi bdo cite code data dfn em font i ins kbd label mark q s samp small span strong sub sup time u var".split(
    " ",
  ),
);

/** A line of its own is a part even where its element is meant for a word in a line. */
function isInline(element: PageElement): boolean {
  const { parentElement: parent, localName } = element;
  return inline.has(localName) && parent !== null && hasOwnText(parent);
}

/** A price, a date, a state: what is marked up in a line because it matters. */
function isTelling(element: PageElement): boolean {
  if (element.localName === "time" || element.localName === "data") return true;
  const names = [
    element.getAttribute("id"),
    element.getAttribute("itemprop"),
    element.getAttribute("data-testid"),
    ...(element.getAttribute("class") ?? "").split(/\s+/),
  ];
  return names.some(name => name !== null && name !== "" && isStable(name));
}

function partOf(
  element: PageElement,
  root: PageElement,
  selectors: Map<PageElement, string | undefined>,
): OutlinePart | undefined {
  const text = textOf(element).replace(/\s+/g, " ").trim().slice(0, maxText);
  const selector = selectorOf(element, root, selectors);
  if (text === "" || selector === undefined) return undefined;
  const within: OutlinePart["within"] = [];
  for (
    let at = element.parentElement;
    at && at !== root && within.length < maxWithin;
    at = at.parentElement
  ) {
    const wider = at.localName === "body" ? undefined : selectorOf(at, root, selectors);
    if (wider !== undefined) within.push({ tag: at.localName, selector: wider });
  }
  return { tag: element.localName, text, selector, within };
}

function textOf(element: PageElement): string {
  if (element.localName === "select") return element.children.map(textOf).join(", ");
  return controlText(element.node) || linesOf(element).join(" ");
}

function selectorOf(
  element: PageElement,
  root: PageElement,
  selectors: Map<PageElement, string | undefined>,
): string | undefined {
  if (!selectors.has(element))
    selectors.set(
      element,
      selectorForAll([element], root, namesOf(element)) ??
        amongTwins(element, root, selectors) ??
        selectorFor(element, root),
    );
  return selectors.get(element);
}

/** Its place among equal siblings, below a parent that can be named. */
function amongTwins(
  element: PageElement,
  root: PageElement,
  selectors: Map<PageElement, string | undefined>,
): string | undefined {
  const { parentElement: parent, localName } = element;
  if (!parent || parent === root || !/^[a-z][a-z0-9-]*$/.test(localName)) return undefined;
  const parentSelector =
    selectors.get(parent) ??
    (parent.localName === "body" ? "body" : selectorForAll([parent], root, namesOf(parent)));
  if (parentSelector === undefined || parent.children.length > maxTwins) return undefined;
  const twins = parent.children.filter(child => child.localName === localName);
  const selector = `${parentSelector} > ${localName}:nth-of-type(${twins.indexOf(element) + 1})`;
  return root.querySelectorAll(selector).length === 1 ? selector : undefined;
}
