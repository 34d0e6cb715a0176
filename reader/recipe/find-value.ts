import { applyField } from "./apply-recipe.ts";
import { type Concept, type ConceptName, concepts } from "./concepts.ts";
import { countedBy } from "./counts.ts";
import { entryFields } from "./entry-fields.ts";
import { isInProse, isWithinStruck } from "./judges.ts";
import { headersOf, labelsOf } from "./labels.ts";
import { linkedFields } from "./linked-data.ts";
import type { Named, Site } from "./name-index.ts";
import { nearHeading } from "./near-heading.ts";
import type { PageElement } from "./page-element.ts";
import { isInFrame } from "./parse-page.ts";
import type { Field } from "./recipe.ts";
import { selectorFor } from "./selector-for.ts";
import { squeeze, textOf } from "./text-of.ts";
import { readingOf, type Want } from "./want.ts";

/**
 * The field that reads a single value in most of the sites (one page, or samples of a list's entries). Candidates come
 * in the order of trust; each is tried with the same code that applies recipes, and the one that fits most sites wins.
 */
export function findValue(want: Want, sites: Site[]): Field | undefined {
  const reading = readingOf(want);
  const tried = new Set<string>();
  let best: { field: Field; fitting: number } | undefined;
  for (const site of sites.slice(0, 3))
    for (const candidate of candidatesOf(want, site, sites)) {
      const least =
        best && isDayAlone(want, best.field, site) ? 1 : Math.max((best?.fitting ?? 0) + 1, sites.length / 2);
      const field = { ...candidate, ...reading };
      const key = JSON.stringify(field);
      if (tried.has(key)) continue;
      tried.add(key);
      const fitting = countFitting(want, field, sites, least);
      if (fitting === sites.length && !isDayAlone(want, field, site)) return field;
      if (fitting > (best?.fitting ?? 0)) best = { field, fitting };
    }
  return best && best.fitting * 2 >= sites.length ? best.field : undefined;
}

/** Where a moment is wanted, a place that names the day alone is good only if no other has the time as well. */
function isDayAlone({ concept, format }: Want, field: Field, site: Site): boolean {
  if (format !== "date-time" || (concept !== "start" && concept !== "end")) return false;
  return String(applyField(field, site)).endsWith("T00:00:00Z");
}

/**
 * In how many sites the field fits; 0 when less than `least`. A title or link that is the same in every entry is a
 * button, not a title.
 */
function countFitting(want: Want, field: Field, sites: Site[], least: number): number {
  const isLong = sites.length > 1 && want.concept !== undefined && isText.has(want.concept);
  const values: unknown[] = [];
  for (const [index, site] of sites.entries()) {
    if (values.length + sites.length - index < least) return 0;
    const value = isLong && isHeading(field, site) ? undefined : applyField(field, site);
    if (fits(want, value)) values.push(value);
  }
  const distinct = want.concept === "title" || want.concept === "url";
  return distinct && values.length > 2 && new Set(values).size === 1 ? 0 : values.length;
}

/** Concepts that are recognised by form, not by name: a name is often also that of an old price, or of a link to an image. */
const isText = new Set<string>(["description", "content", "answer"]);

function isHeading({ selector }: Field, { element }: Site): boolean {
  const found = selector === undefined || selector === ":scope" ? null : element.querySelector(selector);
  return found !== null && found.closest("h1, h2, h3, h4, h5, h6, summary, dt") !== null;
}

export function fits(want: Want, value: unknown): boolean {
  if (value === undefined || value === null) return false;
  const known: Concept | undefined = want.concept && concepts[want.concept];
  if (typeof value === "string" && value.length > (known?.long ? 20_000 : 300)) return false;
  if (want.concept === "title" && !/\p{L}/u.test(String(value))) return false;
  if (want.concept === "currency" && typeof value === "string" && value.length > 12) return false;
  return want.accepts(value);
}

/** Concepts whose values are recognised by their form better than by a name: a name is often also that of an old price, or of a link around an image. */
const seen = new Set(["price", "image"]);

function* candidatesOf(want: Want, site: Site, sites: Site[]): Generator<Field> {
  // What entries have in common is the same for each of them: it is tried once.
  const isFirstOfMany = sites.length > 1 && site === sites[0];
  const isSeen = want.concept !== undefined && seen.has(want.concept);
  yield* linkedFields(want, site);
  if (site.node) return;
  if (site.isPage && want.concept === "title") yield* nearHeading("title", site);
  yield* labelled(want, site, word => want.words.includes(word));
  if (site.isPage && want.concept && want.concept !== "title") yield* nearHeading(want.concept, site);
  yield* inColumn(want, site);
  if (isFirstOfMany && isSeen) yield* entryFields(want, sites);
  yield* named(want, site, site.names().exact);
  if (isFirstOfMany && !isSeen) yield* entryFields(want, sites);
  const metaFirst = want.concept !== "title";
  if (site.isPage && metaFirst) yield* inMeta(want);
  for (const count of countedBy(want)) yield { count };
  yield* usualPlaces(want, site);
  if (site.isPage && !metaFirst) yield* inMeta(want);
  yield* labelled(want, site, word => want.words.some(start => start.length >= 4 && word.startsWith(start)));
  yield* named(want, site, site.names().parts);
}

function* labelled(want: Want, site: Site, test: (word: string) => boolean): Generator<Field> {
  if (!site.isPage && !mayBeLabelled(want, site)) return;
  const labels = [...labelsOf(site.page, site.element)].filter(([word]) => test(word));
  labels.sort(([a], [b]) => rank(want, a) - rank(want, b));
  for (const [, { label }] of labels) yield { label };
}

/**
 * A label is a part of the text of an entry: most entries have none of the words, and need no search for labels. Only of
 * lines that `br` ends it may be before the entry.
 */
function mayBeLabelled({ words }: Want, { element }: Site): boolean {
  if (element.children.some(({ localName }) => localName === "br")) return true;
  element.squeezed ??= squeeze(element.textContent);
  const text = element.squeezed;
  return words.some(word => text.includes(word));
}

function rank(want: Want, word: string): number {
  const place = want.words.findIndex(start => word.startsWith(start));
  return place < 0 ? want.words.length : place;
}

function* inColumn(want: Want, { element }: Site): Generator<Field> {
  const table = element.localName === "tr" ? element.closest("table") : null;
  const headers = table ? headersOf(table) : [];
  for (const word of want.words)
    for (const header of headers) if (squeeze(header) === word) yield { column: header };
  for (const header of headers)
    if (want.words.some(word => word.length >= 4 && squeeze(header).startsWith(word)))
      yield { column: header };
}

function* named(want: Want, site: Site, names: Map<string, Named[]>): Generator<Field> {
  for (const word of want.words)
    for (const { element, via, attribute } of inOrder(names.get(word) ?? [], site.isPage)) {
      if (want.concept === "price" && isWithinStruck(element)) continue;
      if (attribute !== undefined && want.concept && isText.has(want.concept)) continue;
      const first = via === ":scope" || site.element.querySelector(via) === element;
      const selector = first ? via : selectorFor(element, site.element);
      if (selector !== undefined) yield attribute === undefined ? { selector } : { selector, attribute };
    }
}

/** For a page, ignores what surrounds its subject, and ranks an id above a class. */
function inOrder(named: Named[], isPage: boolean): Named[] {
  if (!isPage) return named.slice(0, 8);
  const inside = named.filter(({ element }) => !isInFrame(element));
  return inside.sort((a, b) => Number(b.via.startsWith("#")) - Number(a.via.startsWith("#"))).slice(0, 8);
}

function* inMeta(want: Want): Generator<Field> {
  const known: Concept | undefined = want.concept && concepts[want.concept];
  for (const meta of [...(known?.meta ?? []), want.name, `og:${want.name}`]) yield { meta };
}

/** Where pages usually put an unnamed value: selectors, the best first. */
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

/** Fields for values in their usual places, or of their usual form. */
function* usualPlaces(want: Want, site: Site): Generator<Field> {
  yield* inPair(want, site.element);
  const concept = want.concept ?? (site.isPage ? undefined : conceptByForm(want));
  if (!concept) return;
  if (site.isPage) yield* ofPage(concept);
  if (!site.isPage && concept === "url" && site.element.localName === "a") yield { selector: ":scope" };
  yield* inPlaces(concept, site);
  if (concept === "price") yield* textsOfForm(site, money);
  if (concept === "rating") yield* textsOfForm(site, ofTen);
}

/** A row of two cells is a name and its value. */
function* inPair(want: Want, { localName, children }: PageElement): Generator<Field> {
  if (localName !== "tr" || children.length !== 2) return;
  if (want.name === "value") yield { selector: "td:last-child" };
  else if (keys.has(want.name)) yield { selector: "th, td" };
}

/** A URL in an entry whose name has no other meaning, such as `profile_url`. */
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

function textOrImage(element: PageElement): boolean {
  return element.localName === "img" || textOf(element).length > 1;
}

/** The first short texts of that form, outside of crossed-out prices and the page's frame. */
function* textsOfForm(site: Site, form: RegExp): Generator<Field> {
  let left = 3;
  for (const element of site.element.querySelectorAll("span, p, div, strong, b, td, ins, em, li, small")) {
    if (left === 0) return;
    if (element.children.length > 0 || element.closest("del, s, strike")) continue;
    const text = element.textContent ?? "";
    if (text.length > 40 || !form.test(text) || (form === money && !currencySigns.test(text))) continue;
    if (site.isPage && (isInFrame(element) || isInProse(element))) continue;
    left -= 1;
    const selector = selectorFor(element, site.element);
    if (selector !== undefined) yield { selector };
  }
}
