import type { ConceptName } from "./concepts.ts";
import { type About, amount, isInProse, judges, type Neighbour, tokensOf } from "./judges.ts";
import type { Site } from "./name-index.ts";
import type { PageElement } from "./page-element.ts";
import { isInFrame, type Page } from "./parse-page.ts";
import type { Field } from "./recipe.ts";
import { selectorFor } from "./selector-for.ts";
import { shortTextOf, wordsOf } from "./text-of.ts";

const before = 60;
const after = 300;
const maxSize = 20;
const maxText = 200;
const kept = new WeakMap<Page, { heading: PageElement | null; neighbours: Neighbour[] }>();

/** Fields for values that a page states near its heading, and for the heading itself; the likeliest first. */
export function* nearHeading(concept: ConceptName, site: Site): Generator<Field> {
  const { heading, neighbours } = surroundingsOf(site.page);
  if (concept === "title") yield* titles(site, heading);
  const judge = judges[concept];
  if (!judge) return;
  const about: About = {
    heading: heading ? (shortTextOf(heading, maxText) ?? "") : "",
    page: site.page,
    isForSale: neighbours.some(isPriced),
  };
  const scored = neighbours
    .map(neighbour => ({ neighbour, score: judge(neighbour, about) }))
    .filter(({ score }) => score > 0)
    .map(({ neighbour, score }) => ({ neighbour, score: score - neighbour.distance / 60 }))
    .sort((a, b) => b.score - a.score);
  for (const { neighbour } of scored.slice(0, 6)) {
    const selector = selectorFor(neighbour.element, site.element);
    const { attribute } = neighbour;
    if (selector !== undefined) yield attribute === undefined ? { selector } : { selector, attribute };
  }
}

function* titles(site: Site, heading: PageElement | null): Generator<Field> {
  const root = site.element;
  const plain =
    heading && ["main h1", "article h1", "h1"].find(selector => root.querySelector(selector) === heading);
  const selector = plain ?? (heading && selectorFor(heading, root));
  const title = heading && wordsOf(root.querySelector("title")?.textContent ?? "");
  const differs =
    title &&
    title.length >= 4 &&
    !title.some(word => word.length > 3 && shortTextOf(heading, 300)?.toLowerCase().includes(word));
  if (differs) yield { selector: "title", as: "headline" };
  if (selector) yield { selector };
  if (!heading) yield { selector: "title", as: "headline" };
}

/** The heading of a page's subject, where it has a short one, in the form of its neighbours. */
export function headingsOf(page: Page): Neighbour[] {
  const { heading } = surroundingsOf(page);
  const text = heading && shortTextOf(heading, maxText);
  return heading && text ? [{ element: heading, text, sections: 0, tokens: new Set(), distance: 0 }] : [];
}

/** The small elements near the heading of a page. */
export function neighboursOf(page: Page): Neighbour[] {
  return surroundingsOf(page).neighbours;
}

function surroundingsOf(page: Page): { heading: PageElement | null; neighbours: Neighbour[] } {
  let found = kept.get(page);
  if (found === undefined) {
    const heading = headingOf(page);
    found = { heading, neighbours: smallElements(page, heading) };
    kept.set(page, found);
  }
  return found;
}

/** The heading of the subject: an `h1` or what else the document's title repeats, outside of the page's frame. */
function headingOf({ root }: Page): PageElement | null {
  const title = root.querySelector("title")?.textContent ?? "";
  const parts = title.split(/\s+[|–—·•»«:-]+\s+/u).map(part => wordsOf(part).join(" "));
  const whole = wordsOf(title).join(" ");
  let best: { element: PageElement; score: number } | undefined;
  const candidates = [
    ...root.querySelectorAll("h1").slice(0, 20),
    ...root.querySelectorAll('h2, [class*="title"], [class*="headline"], [class*="heading"]').slice(0, 40),
  ];
  for (const element of candidates) {
    const text = shortTextOf(element, 300);
    if (text === undefined || !/\p{L}/u.test(text)) continue;
    const score = scoreOf(element, wordsOf(text).join(" "), whole, parts);
    if (score > (best?.score ?? 0)) best = { element, score };
  }
  return best?.element ?? null;
}

function scoreOf(element: PageElement, text: string, title: string, parts: string[]): number {
  const isFirst = text === parts[0] || (text.length >= 8 && parts[0]?.includes(text) === true);
  const isSiteName = parts.length > 1 && parts.slice(1).includes(text);
  const isRepeated = text.length >= 8 && title.includes(text);
  const repeats = isFirst ? 5 : isSiteName ? -2 : isRepeated || shareOf(text, title) >= 0.7 ? 4 : 0;
  const kind = element.localName === "h1" ? 3 : repeats > 0 ? 0.5 : -5;
  return kind + repeats - (isInFrame(element) ? 2 : 0);
}

/** How many of the words are in the other text; few words prove nothing. */
function shareOf(text: string, other: string): number {
  const words = text.split(" ");
  const known = new Set(other.split(" "));
  return words.length < 3 ? 0 : words.filter(word => known.has(word)).length / words.length;
}

function smallElements({ root }: Page, heading: PageElement | null): Neighbour[] {
  const start = heading?.order ?? 0;
  const all = root.querySelectorAll("*").slice(Math.max(0, start - 1 - before), start + after);
  let sections = 0;
  return all.flatMap(element => {
    if (element.order > start && /^h[2-6]$/.test(element.localName)) sections += 1;
    if (element.end - element.order > maxSize || element === heading || unread.test(element.localName))
      return [];
    const text = shortTextOf(element, maxText);
    const label = labelOf(element);
    if ((text === undefined && label === undefined) || isAside(element)) return [];
    const distance = element.order < start ? (start - element.order) * 2 : element.order - start;
    const neighbour = { element, tokens: tokensOf(element), distance, sections };
    return [
      ...(text === undefined ? [] : [{ ...neighbour, text }]),
      ...(label ? [{ ...neighbour, ...label }] : []),
    ];
  });
}

const unread =
  /^(?:html|head|body|title|meta|link|base|option|select|script|style|noscript|label|br|svg|path)$/;

/** What an element says to those who do not see it, such as `4.5 of 5 stars`. */
function labelOf(element: PageElement): { text: string; attribute: string } | undefined {
  for (const attribute of ["aria-label", "title", "alt"]) {
    const text = element.getAttribute(attribute)?.trim() ?? "";
    if (/\d/.test(text) && text.length <= maxText) return { text, attribute };
  }
  return undefined;
}

/** Within the frame, only the header of the page and its breadcrumbs may hold what belongs to the subject. */
function isAside(element: PageElement): boolean {
  return isInFrame(element) && element.closest('header, [class*="crumb"], [aria-label*="crumb"]') === null;
}

function isPriced({ element, text, distance }: Neighbour): boolean {
  const isAmount = text.length <= 30 && /\d/.test(text) && amount.test(text);
  return isAmount && distance < 150 && !isInProse(element);
}
