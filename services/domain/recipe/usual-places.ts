import type { ConceptName } from "./concepts.ts";
import type { Site } from "./find-value.ts";
import { isInFrame } from "./page-frame.ts";
import type { Field } from "./recipe.ts";
import { selectorFor } from "./selector-for.ts";
import { textOf } from "./text-of.ts";
import type { Want } from "./want.ts";

/** Where pages usually put a thing that bears no name: selectors, the best first. */
const places: Partial<Record<ConceptName, string[]>> = {
  title: ["main h1", "article h1", "h1", "h2", "h3", "h4", "h5", "figcaption", "a[href]", "strong", "b"],
  oldPrice: ["del", "s", "strike"],
  author: ['[rel~="author"]', ".byline", "address", '[href*="/author/"]', '[href*="/user/"]'],
  date: ["main time[datetime]", "article time[datetime]", "time[datetime]", "time"],
  image: ["main figure img", "main img", "article img", "figure img", "img"],
  description: ["main p", "article p", "p", "blockquote"],
  content: ["article", "main", "blockquote", '[class*="body"]', '[class*="content"]', '[class*="text"]', "p"],
  url: ["h1 a[href]", "h2 a[href]", "h3 a[href]", "h4 a[href]", "a[href]"],
  phone: ['a[href^="tel:"]'],
  email: ['a[href^="mailto:"]'],
  address: ["address"],
  question: ["summary", "dt", "h2", "h3", "h4", "button", "strong"],
  answer: ["dd", "p", "div"],
};
const keys = new Set("name label key property attribute parameter feature spec title".split(" "));
const titlesOfEntries = ["title", "url"];
const money =
  /(?:[$€£¥₹₽]|\b(?:USD|EUR|GBP|CHF|JPY|kr|zł)\b)\s?\d|\d[\d.,'\s]*(?:[$€£¥₹₽]|\b(?:USD|EUR|GBP|CHF|JPY|kr|zł)\b)/;
const ofTen = /\d(?:[.,]\d)?\s*(?:\/|out of|von|of|stars|sterne|★)\s*(?:5|10)?/i;
const currencySigns = /[$€£¥₹₽]|\b(?:USD|EUR|GBP|CHF|JPY|SEK|NOK|DKK|PLN)\b/;

/** Fields for what stands where such things usually stand, or looks as such things look. */
export function* usualPlaces(want: Want, site: Site): Generator<Field> {
  yield* inPair(want, site.element);
  const concept = want.concept ?? (site.isPage ? undefined : conceptByForm(want));
  if (!concept) return;
  if (site.isPage) yield* ofPage(concept);
  if (!site.isPage && concept === "url" && site.element.localName === "a") yield { selector: ":scope" };
  yield* inPlaces(concept, site);
  if (concept === "price") yield* lookingLike(site, money);
  if (concept === "rating") yield* lookingLike(site, ofTen);
}

/** A row of two cells is a name and its value. */
function* inPair(want: Want, { localName, children }: Element): Generator<Field> {
  if (localName !== "tr" || children.length !== 2) return;
  if (want.name === "value") yield { selector: "td:last-child" };
  else if (keys.has(want.name)) yield { selector: "th, td" };
}

/** An address in an entry whose name says no more, such as `profile_url`. */
function conceptByForm({ name, format }: Want): ConceptName | undefined {
  if (/(image|photo|picture|avatar|logo|thumbnail)/i.test(name)) return "image";
  if (format === "uri" || /(url|link|href)$/i.test(name)) return "url";
  return format === "email" ? "email" : undefined;
}

function* inPlaces(concept: ConceptName, site: Site): Generator<Field> {
  for (const selector of places[concept] ?? []) {
    if (site.isPage && titlesOfEntries.includes(concept) && !/\bh[12]\b/.test(selector)) continue;
    const all = [...site.element.querySelectorAll(selector)].slice(0, 20);
    const element = all.find(found => textOrImage(found) && !(site.isPage && isInFrame(found)));
    if (element && element === all[0]) yield { selector };
    else if (element) yield { selector: selectorFor(element, site.element) ?? selector };
  }
}

function* ofPage(concept: ConceptName): Generator<Field> {
  if (concept === "url") yield { selector: 'link[rel="canonical"]', attribute: "href" };
  if (concept === "language") yield { selector: ":scope", attribute: "lang" };
}

function textOrImage(element: Element): boolean {
  return element.localName === "img" || textOf(element).length > 1;
}

/** The first short texts of that look, outside of crossed-out prices and the page's frame. */
function* lookingLike(site: Site, look: RegExp): Generator<Field> {
  let left = 3;
  for (const element of site.element.querySelectorAll("span, p, div, strong, b, td, ins, em, li, small")) {
    if (left === 0) return;
    if (element.children.length > 0 || element.closest("del, s, strike")) continue;
    const text = element.textContent ?? "";
    if (text.length > 40 || !look.test(text) || (look === money && !currencySigns.test(text))) continue;
    if (site.isPage && isInFrame(element)) continue;
    left -= 1;
    const selector = selectorFor(element, site.element);
    if (selector !== undefined) yield { selector };
  }
}
