import { isOfMany } from "./label-words.ts";
import type { PageElement } from "./page-element.ts";
import { linesOf, shortTextOf, textOf } from "./text-of.ts";

type State = (label: string, value: string | PageElement | null) => void;

const maxLabel = 40;
const maxValue = 200;
const maxPairs = 60;
const isHeading = /^h[2-6]$/;

/**
 * Labels that only repetition shows: siblings of two short parts each, `<span>Width</span><span>45 cm</span>`, or headings
 * of one rank with a short text or a list below each.
 */
export function statedInPairs(root: PageElement, state: State): void {
  const parents = new Set<PageElement>();
  for (const element of root.querySelectorAll("span, strong, b, dt, em, small, div, p, time, a, code")) {
    const pair = element.parentElement;
    const holder = pair?.parentElement;
    if (!pair || !holder || pair === root.parentElement || pair.children.length !== 2) continue;
    if (pair === root || pair.children[0] !== element) continue;
    parents.add(holder);
  }
  for (const holder of parents) if (holder === root || root.contains(holder)) pairsIn(holder, state);
}

function pairsIn({ children }: PageElement, state: State): void {
  const pairs = children.slice(0, maxPairs).filter(isPair);
  const labels = pairs.map(pair => labelOf(pair.children[0]));
  const isMost = pairs.length > 1 && pairs.length * 2 > children.length;
  if (!isMost || labels.includes(undefined) || new Set(labels).size < labels.length) return;
  for (const [at, pair] of pairs.entries()) state(labels[at] ?? "", pair.children[1] ?? null);
}

/** Two elements with a short text each, and no text beside them. */
function isPair(element: PageElement): boolean {
  const [first, second] = element.children;
  if (element.children.length !== 2 || !first || !second) return false;
  if (/^h[1-6]$|^(?:a|button|img|li)$/.test(first.localName) || /^(?:button|img|svg)$/.test(second.localName))
    return false;
  const [label, value] = [shortTextOf(first, maxLabel), shortTextOf(second, maxValue)];
  if (label === undefined || value === undefined || linesOf(second).length !== 1) return false;
  return element.textContent.replace(/\s+/g, "").length === `${label}${value}`.replace(/\s+/g, "").length;
}

function labelOf(element: PageElement | undefined): string | undefined {
  const text = element && shortTextOf(element, maxLabel);
  if (text === undefined || !/^\p{L}/u.test(text) || /[.!?]$/.test(text) || /\d/.test(text)) return undefined;
  return text.split(" ").length <= 4 ? text : undefined;
}

/** Headings with a list, or with one short element up to the next heading, below each. */
export function statedUnderHeadings(root: PageElement, state: State): void {
  const found = root.querySelectorAll("h2, h3, h4, h5, h6").slice(0, 200);
  const short = found.filter(heading => isAlone(heading));
  for (const heading of found) {
    const text = shortTextOf(heading, maxLabel);
    const next = heading.nextElementSibling;
    if (text === undefined || !next) continue;
    const isList = /^[uo]l$/.test(next.localName);
    if (isList || (short.length > 1 && short.includes(heading))) state(text, next);
  }
}

function isAlone(heading: PageElement): boolean {
  const value = heading.nextElementSibling;
  const after = value?.nextElementSibling;
  if (!value || isHeading.test(value.localName) || (after && after.localName !== heading.localName))
    return false;
  return shortTextOf(value, 80) !== undefined && linesOf(value).length === 1;
}

/** What an element says of its own number: `<span title="High">14°</span>`. */
export function statedByTitle(root: PageElement, state: State): void {
  for (const element of root.querySelectorAll("[title], [aria-label]").slice(0, 500)) {
    const label = element.getAttribute("title") ?? element.getAttribute("aria-label") ?? "";
    if (label.length > maxLabel || !/^\p{L}[\p{L} ]*$/u.test(label) || element.children.length > 2) continue;
    const text = textOf(element);
    if (/\d/.test(text) && text.length <= maxLabel && !isOfMany(label)) state(label, element);
  }
}

const numbered =
  /^(\p{L}[\p{L}'’. -]{0,30}?)\s?(?:#|n[o°r]\.?\s)?([-+\u2212]?(?:[$€£¥]\s?)?\d[\d.,'’:/–-]*(?:\s?(?:[%°$€£¥]|[kKM]\b|\p{L}{1,8}\b)){0,3})(?:\s*\([^)]*\))?\.?$/u;

/** `Bake for 40 minutes`: what to do, and no label. */
export function isStep(line: string): boolean {
  return /\bfor\s(?:\p{L}+\s)?\d[\d–-]*\s?(?:min|h|sec|day)|\d\s?\p{L}+,?\s(?:until|or until)\b/iu.test(line);
}

/** `Lot 214`, `Rain chance 70%`, `Built in 1987`: a short line that ends with its number. */
export function statedByNumber(line: string, state: State): void {
  if (line.length > 60 || isStep(line)) return;
  const [, label = "", value = ""] = numbered.exec(line) ?? [];
  if (value !== "" && label.split(" ").length <= 4 && !isOfMany(label)) state(label, value);
}
