import { applyField, type Scope } from "./apply-recipe.ts";
import { type Concept, concepts } from "./concepts.ts";
import { labelsOf } from "./labels.ts";
import { linkedFields } from "./linked-fields.ts";
import { indexNames, type Named, type NameIndex } from "./name-index.ts";
import { isInFrame } from "./page-frame.ts";
import type { Field } from "./recipe.ts";
import { selectorFor } from "./selector-for.ts";
import { headersOf } from "./table-columns.ts";
import { usualPlaces } from "./usual-places.ts";
import { readingOf, type Want } from "./want.ts";
import { squeeze } from "./words.ts";

/** A scope in which fields are being looked for. */
export interface Site extends Scope {
  names: () => NameIndex;
  /** The page as a whole: its title and meta elements speak of this. */
  isPage: boolean;
}

export function siteOf(scope: Scope, isPage: boolean): Site {
  let names: NameIndex | undefined;
  return {
    ...scope,
    isPage,
    names: () => {
      names ??= indexNames(scope.element);
      return names;
    },
  };
}

/**
 * The field that reads a single value in most of the sites (one page, or samples of a list's entries). Candidates come
 * in the order of trust; each is tried with the same code that applies recipes, and the one that fits most sites wins.
 */
export function findValue(want: Want, sites: Site[]): Field | undefined {
  const reading = readingOf(want);
  const tried = new Set<string>();
  let best: { field: Field; fitting: number } | undefined;
  for (const site of sites.slice(0, 3))
    for (const candidate of candidatesOf(want, site)) {
      const field = { ...candidate, ...reading };
      const key = JSON.stringify(field);
      if (tried.has(key)) continue;
      tried.add(key);
      const fitting = countFitting(want, field, sites);
      if (fitting === sites.length) return field;
      if (fitting > (best?.fitting ?? 0)) best = { field, fitting };
    }
  return best && best.fitting * 2 >= sites.length ? best.field : undefined;
}

/** A title or link that is the same in every entry is a button, not a title. */
function countFitting(want: Want, field: Field, sites: Site[]): number {
  const values = sites.map(site => applyField(field, site)).filter(value => fits(want, value));
  const distinct = want.concept === "title" || want.concept === "url";
  return distinct && values.length > 2 && new Set(values).size === 1 ? 0 : values.length;
}

export function fits(want: Want, value: unknown): boolean {
  if (value === undefined || value === null) return false;
  const known: Concept | undefined = want.concept && concepts[want.concept];
  if (typeof value === "string" && value.length > (known?.long ? 20_000 : 300)) return false;
  if (want.concept === "title" && !/\p{L}/u.test(String(value))) return false;
  if (want.concept === "currency" && typeof value === "string" && value.length > 12) return false;
  return want.accepts(value);
}

function* candidatesOf(want: Want, site: Site): Generator<Field> {
  yield* linkedFields(want, site);
  if (site.node) return;
  yield* labelled(want, site, word => want.words.includes(word));
  yield* inColumn(want, site);
  yield* named(want, site, site.names().exact);
  const metaFirst = want.concept !== "title";
  if (site.isPage && metaFirst) yield* inMeta(want);
  yield* usualPlaces(want, site);
  if (site.isPage && !metaFirst) yield* inMeta(want);
  yield* labelled(want, site, word => want.words.some(start => start.length >= 4 && word.startsWith(start)));
  yield* named(want, site, site.names().parts);
}

function* labelled(want: Want, site: Site, test: (word: string) => boolean): Generator<Field> {
  const labels = [...labelsOf(site.page, site.element)].filter(([word]) => test(word));
  labels.sort(([a], [b]) => rank(want, a) - rank(want, b));
  for (const [, { label }] of labels) yield { label };
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
      if (want.concept === "price" && isStruck(element)) continue;
      const first = via === ":scope" || site.element.querySelector(via) === element;
      const selector = first ? via : selectorFor(element, site.element);
      if (selector !== undefined) yield attribute === undefined ? { selector } : { selector, attribute };
    }
}

/** On a page, what surrounds its subject is left out, and an id says more than a class. */
function inOrder(named: Named[], isPage: boolean): Named[] {
  if (!isPage) return named.slice(0, 8);
  const inside = named.filter(({ element }) => !isInFrame(element));
  return inside.sort((a, b) => Number(b.via.startsWith("#")) - Number(a.via.startsWith("#"))).slice(0, 8);
}

/** A price that is crossed out, or that holds one that is: the current price is inside or beside it. */
function isStruck(element: Element): boolean {
  const struck = "del, s, strike";
  const name = element.getAttribute("class") ?? "";
  return (
    /(^|[-_ ])(old|was|original|before|strike|regular|list)([-_ ]|$)/i.test(name) ||
    element.closest(struck) !== null ||
    element.querySelector(struck) !== null
  );
}

function* inMeta(want: Want): Generator<Field> {
  const known: Concept | undefined = want.concept && concepts[want.concept];
  for (const meta of [...(known?.meta ?? []), want.name, `og:${want.name}`]) yield { meta };
}
