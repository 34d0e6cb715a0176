import { applyField } from "./apply-recipe.ts";
import { byForm } from "./by-form.ts";
import { byLook } from "./by-look.ts";
import { type Concept, concepts } from "./concepts.ts";
import { countedBy } from "./counts.ts";
import { entryFields } from "./entry-fields.ts";
import { datedParts, fits } from "./fits.ts";
import { isWithinStruck } from "./judges.ts";
import { headersOf, labelsOf, spelledHeaders } from "./labels.ts";
import { linkedFields } from "./linked-data.ts";
import type { Named, Site } from "./name-index.ts";
import { nearHeading } from "./near-heading.ts";
import type { PageElement } from "./page-element.ts";
import { isInFrame } from "./parse-page.ts";
import type { Field } from "./recipe.ts";
import { selectorFor } from "./selector-for.ts";
import { spanOf, spansOfMoney } from "./spans.ts";
import { shortTextOf, squeeze, wordsOf } from "./text-of.ts";
import { measureIn, type UnitName } from "./units.ts";
import { usualPlaces } from "./usual-places.ts";
import { namedWant, readingOf, type Want } from "./want.ts";

/**
 * The field that reads a single value in most of the sites (one page, or samples of a list's entries). Candidates come
 * in the order of trust; each is tried with the same code that applies recipes, and the one that fits most sites wins.
 */
export function findValue(want: Want, sites: Site[]): Field | undefined {
  const reading = readingOf(want);
  const tried = new Set<string>();
  let best: { field: Field; fitting: number } | undefined;
  for (const site of sites.slice(0, 3))
    for (const candidate of datedParts(want, site, candidatesOf(want, site, sites))) {
      const least =
        best && isDayAlone(want, best.field, site) ? 1 : Math.max((best?.fitting ?? 0) + 1, sites.length / 2);
      const field = readBy(candidate, reading);
      const key = JSON.stringify(field);
      if (tried.has(key)) continue;
      tried.add(key);
      const fitting = countFitting(want, field, sites, least);
      if (fitting === sites.length && !isDayAlone(want, field, site)) return field;
      if (fitting > (best?.fitting ?? 0)) best = { field, fitting };
    }
  return best && best.fitting * 2 >= sites.length ? best.field : undefined;
}

/** A place that was found by a form or a unit is read by that. */
function readBy(candidate: Field, reading: Field): Field {
  const { as, unit } = candidate;
  // A count is a number already.
  const { as: _, ...plain } = reading;
  return {
    ...candidate,
    ...(candidate.count === undefined ? reading : plain),
    ...(as === undefined ? {} : { as }),
    ...(unit === undefined ? {} : { unit }),
  };
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

/** Concepts whose values are recognised by their form better than by a name: a name is often also that of an old price, or of a link around an image. */
const seen = new Set(["price", "image"]);

function* candidatesOf(want: Want, site: Site, sites: Site[]): Generator<Field> {
  // What entries have in common is the same for each of them: it is tried once.
  const isFirstOfMany = sites.length > 1 && site === sites[0];
  const isSeen = want.concept !== undefined && seen.has(want.concept);
  yield* linkedFields(want, site);
  if (site.node) return;
  if (site.isPage && want.concept === "title") yield* nearHeading("title", site);
  if (site.isPage && want.concept === "question") yield* asked(site);
  yield* labelled(site, want.words, word => want.words.includes(word));
  if (site.isPage && isText.has(want.concept ?? "")) yield* belowHeading(want, site);
  if (site.isPage && want.concept && want.concept !== "title") yield* nearHeading(want.concept, site);
  yield* inColumn(want, site);
  if (isFirstOfMany && isSeen) yield* entryFields(want, sites);
  yield* named(want, site, site.names().exact);
  yield* nested(want, site);
  if (isFirstOfMany && !isSeen) yield* entryFields(want, sites);
  yield* ofSpan(want, site, sites);
  yield* labelled(site, want.synonyms, word => want.synonyms.includes(word));
  const metaFirst = want.concept !== "title";
  if (site.isPage && metaFirst) yield* inMeta(want);
  for (const count of countedBy(want)) yield { count };
  if (site.isPage || isFirstOfMany) {
    yield* byForm(want, site, sites);
    yield* byLook(want, site, sites);
  }
  yield* usualPlaces(want, site);
  if (site.isPage && !metaFirst) yield* inMeta(want);
  yield* looselyLabelled(want, site);
  yield* named(want, site, site.names().parts);
}

/** The heading of a page that is a question. */
function* asked(site: Site): Generator<Field> {
  for (const field of nearHeading("title", site))
    if (/[?？]$/.test(String(applyField(field, site) ?? ""))) yield field;
}

/** Labels that begin with the name. Before a number they do so with whole words, and a measure has its unit. */
function* looselyLabelled(want: Want, site: Site): Generator<Field> {
  const isNumber = want.kind === "number" || want.kind === "integer";
  const starts = (word: string) => want.words.some(start => start.length >= 4 && word.startsWith(start));
  for (const field of labelled(site, want.words, starts)) {
    const label = field.label ?? "";
    if (isNumber && !want.words.some(start => beginsWith(label, start))) continue;
    if (want.unit !== undefined && ofAnother.test(label)) continue;
    const { value } = labelsOf(site.page, site.element).get(squeeze(label)) ?? {};
    const text = value === undefined || typeof value === "string" ? value : shortTextOf(value, 120);
    if (want.unit === undefined || measureIn(text ?? "", want.unit, "", true) !== undefined) yield field;
  }
}

/** `Weight limit of bag` */
const ofAnother = /\s(?:limit|of|per|for|without|rating)(?!\p{L})/iu;

function beginsWith(label: string, start: string): boolean {
  const words = wordsOf(label);
  return words.some((_, at) => words.slice(0, at + 1).join("") === start);
}

function* labelled(site: Site, words: string[], test: (word: string) => boolean): Generator<Field> {
  if (!site.isPage && !mayBeLabelled(words, site)) return;
  const labels = [...labelsOf(site.page, site.element)].filter(([word]) => test(word));
  labels.sort(([a], [b]) => rank(words, a) - rank(words, b));
  for (const [, { label }] of labels) yield { label };
}

/**
 * A label is a part of the text of an entry: most entries have none of the words, and need no search for labels. Only of
 * lines that `br` ends it may be before the entry.
 */
function mayBeLabelled(words: string[], { element }: Site): boolean {
  if (element.children.some(({ localName }) => localName === "br")) return true;
  if (element.querySelector("[title], [aria-label]")) return true;
  element.squeezed ??= squeeze(element.textContent);
  const text = element.squeezed;
  return words.some(word => text.includes(word));
}

/** `estimate_low` and `salary_max` are the ends of what the page states as one span. */
function* ofSpan(want: Want, site: Site, sites: Site[]): Generator<Field> {
  const span = spanOf(want);
  if (span === undefined) return;
  const whole = namedWant(span.stem, "string");
  const words = [...whole.words, ...whole.synonyms];
  for (const field of labelled(site, words, word => words.includes(word))) yield { ...field, as: span.as };
  const first = sites.length > 1 && site === sites[0] ? sites : undefined;
  if (first && (whole.concept === "salary" || whole.concept === "price")) yield* spansOfMoney(first, span.as);
}

function rank(words: string[], word: string): number {
  const place = words.findIndex(start => word.startsWith(start));
  return place < 0 ? words.length : place;
}

/** What follows a heading that is the name: the first paragraph below `Abstract`. */
function* belowHeading({ name }: Want, { element }: Site): Generator<Field> {
  for (const heading of element.querySelectorAll("h2, h3, h4, h5, h6").slice(0, 60)) {
    const next = heading.nextElementSibling;
    if (!next || !/^(?:p|div|section)$/.test(next.localName) || isInFrame(heading)) continue;
    const text = shortTextOf(heading, 40);
    const selector = text !== undefined && squeeze(text) === squeeze(name) && selectorFor(next, element);
    if (selector) yield { selector };
  }
}

function* inColumn(want: Want, { element }: Site): Generator<Field> {
  const table = element.localName === "tr" ? element.closest("table") : null;
  const headers = table ? headersOf(table) : [];
  for (const word of want.words)
    for (const header of headers) if (squeeze(header) === word) yield { column: header };
  const spelled = table ? spelledHeaders(table) : [];
  for (const word of [...want.words, ...want.synonyms])
    for (const [header, names] of spelled) if (names.includes(word)) yield { column: header };
  for (const header of headers)
    if (want.words.some(word => word.length >= 4 && squeeze(header).startsWith(word)))
      yield { column: header };
}

function* named(want: Want, site: Site, names: Map<string, Named[]>): Generator<Field> {
  for (const word of want.words)
    for (const { element, via, attribute } of inOrder(names.get(word) ?? [], site.isPage)) {
      if (want.concept === "price" && isWithinStruck(element)) continue;
      if (attribute !== undefined && want.concept && isText.has(want.concept)) continue;
      if (want.unit && !statesMeasure(want.unit, element, attribute)) continue;
      const own = attribute === undefined && want.kind === "string" ? wordsAmong(element) : undefined;
      const inner = own && selectorFor(own, site.element);
      if (inner) yield { selector: inner };
      const first = via === ":scope" || site.element.querySelector(via) === element;
      const selector = first ? via : selectorFor(element, site.element);
      if (selector !== undefined) yield attribute === undefined ? { selector } : { selector, attribute };
    }
}

/** A number in an attribute or beside a class alone does not say its unit. */
function statesMeasure(unit: UnitName, element: PageElement, attribute: string | undefined): boolean {
  const text = attribute === undefined ? shortTextOf(element, 120) : element.getAttribute(attribute);
  return measureIn(text ?? "", unit, "", true) !== undefined;
}

/** The part with the words, where an element of that name also holds numbers: `Otters` of a team with its score. */
function wordsAmong({ children, textContent }: PageElement): PageElement | undefined {
  if (children.length < 2 || children.length > 4 || textContent.length > 80) return undefined;
  const texts = children.map(child => shortTextOf(child, 60) ?? "");
  const worded = children.filter((_, at) => /\p{L}/u.test(texts[at] ?? ""));
  const rest = texts.filter(text => text !== "" && !/\p{L}/u.test(text));
  return worded.length === 1 && rest.length > 0 ? worded[0] : undefined;
}

/** `home_score` where `.score` is in `.home`. */
function* nested({ name, kind }: Want, site: Site): Generator<Field> {
  const words = wordsOf(name);
  const [outer = "", inner = ""] = [words.slice(0, -1).join(""), words.at(-1) ?? ""];
  if (words.length < 2 || kind === "array" || kind === "object") return;
  const { exact } = site.names();
  for (const { element, via } of (exact.get(outer) ?? []).slice(0, 4))
    for (const part of (exact.get(inner) ?? []).slice(0, 12))
      if (element !== part.element && element.contains(part.element) && part.attribute === undefined)
        yield { selector: `${via} ${part.via}` };
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
