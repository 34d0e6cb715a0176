import { applyField } from "./apply-recipe.ts";
import { type Concept, conceptOf, concepts } from "./concepts.ts";
import { type FindFields, findEntries } from "./find-entries.ts";
import { fits } from "./fits.ts";
import { headersOf, labelsOf } from "./labels.ts";
import { linkedFields } from "./linked-data.ts";
import type { Site } from "./name-index.ts";
import { neighboursOf } from "./near-heading.ts";
import type { PageElement } from "./page-element.ts";
import { isInFrame } from "./parse-page.ts";
import { readAs } from "./read-as.ts";
import type { Field } from "./recipe.ts";
import { selectorFor } from "./selector-for.ts";
import { selectorForAll } from "./selector-for-all.ts";
import { singular, squeeze, textOf } from "./text-of.ts";
import { listsUnder } from "./under-heading.ts";
import { namedWant, readingOf, type Want } from "./want.ts";

/** The field that reads an array of single values: tags, ingredients, images, a bullet list under its heading. */
export function findTexts(want: Want, sites: Site[], findFields: FindFields): Field | undefined {
  const { item } = want;
  if (!item) return undefined;
  const reading = readingOf(item.concept ? item : { ...item, concept: want.concept });
  let best: { field: Field; fitting: number } | undefined;
  for (const site of sites.slice(0, 2))
    for (const candidate of candidatesOf(want, site, findFields)) {
      const field: Field = { ...candidate, ...reading };
      const least = candidate.jsonld === undefined && candidate.microdata === undefined ? leastOf(want) : 1;
      const fitting = sites.filter(entry => areFit(want, item, applyField(field, entry), least)).length;
      if (fitting === sites.length) return field;
      if (fitting > (best?.fitting ?? 0)) best = { field, fitting };
    }
  return best && best.fitting * 2 >= sites.length ? best.field : undefined;
}

/** A single text under a heading is a note rather than a list of ingredients or steps. */
function leastOf({ concept }: Want): number {
  return concept === "ingredients" || concept === "instructions" ? 2 : 1;
}

function areFit(want: Want, item: Want, values: unknown, least: number): boolean {
  if (!Array.isArray(values) || values.length < least || !want.accepts(values)) return false;
  const allowed = want.concept === "instructions" || item.concept === "comments" ? 2000 : 300;
  return values.every(value => (typeof value === "string" ? value.length <= allowed : fits(item, value)));
}

function* candidatesOf(want: Want, site: Site, findFields: FindFields): Generator<Field> {
  if (want.item?.concept === "question") yield* ofEntries(want, site, findFields);
  for (const field of linkedFields(want, site)) yield { ...field, many: true };
  if (site.node) return;
  yield* underHeadings(want, site);
  if (leastOf(want) > 1)
    for (const list of listsUnder(want.words, site.element, want.concept === "instructions")) yield { list };
  yield* inLabelled(want, site);
  yield* inColumn(want, site);
  yield* named(want, site);
  yield* ofEntries(want, site, findFields);
  yield* afterLabels(want, site);
  if (site.isPage && isPeople(want)) yield* people(site);
  yield* usual(want, site);
  if (!site.isPage) yield* onlyList(want, site);
  const known: Concept | undefined = want.concept && concepts[want.concept];
  if (site.isPage) for (const meta of known?.meta ?? []) yield { meta, many: true };
}

function* underHeadings(want: Want, { element }: Site): Generator<Field> {
  for (const heading of element.querySelectorAll(
    "h1, h2, h3, h4, h5, h6, strong, legend, summary, caption",
  )) {
    if (!want.words.includes(squeeze(textOf(heading)))) continue;
    const list = [heading.nextElementSibling, after(heading)].find(
      next => next && (/^[uo]l$/.test(next.localName) || next.querySelector("ul, ol")),
    );
    const inner = list && (/^[uo]l$/.test(list.localName) ? list : list.querySelector("ul, ol"));
    const items = inner?.children.filter(({ localName }) => localName === "li") ?? [];
    const selector = inner && items.length > 0 ? selectorOf(inner, items, element) : undefined;
    if (
      inner &&
      heading.nextElementSibling === inner &&
      /^h[2-6]$/.test(heading.localName) &&
      !isOnly(inner, element)
    )
      yield { label: textOf(heading), many: true };
    if (selector) yield { list: selector };
    else if (!isInFrame(heading)) yield* paragraphsAfter(heading, element);
  }
}

/** The items of a list; where its selector also matches other lists, one that finds these items alone. */
function selectorOf(list: PageElement, items: PageElement[], root: PageElement): string | undefined {
  const selector = selectorFor(list, root);
  if (selector === undefined || root.querySelectorAll(selector).length === 1)
    return selector && `${selector} > li`;
  return selectorForAll(items, root, ["li"]);
}

/** Whether a list is the only one of an entry. */
function isOnly(list: PageElement, root: PageElement): boolean {
  return root.querySelectorAll("ul, ol").every(other => other === list);
}

/** What follows the element around a heading, where the heading is all of it. */
function after({ parentElement: parent }: PageElement): PageElement | null {
  return parent && parent.children.length === 1 && !isInFrame(parent) ? parent.nextElementSibling : null;
}

/** The paragraphs from a heading to the next one. */
function* paragraphsAfter(heading: PageElement, root: PageElement): Generator<Field> {
  const { localName, parentElement: parent, nextElementSibling: next } = heading;
  const own = next?.localName === "p" && /^h[1-6]$/.test(localName) ? selectorFor(heading, root) : undefined;
  const following = parent?.children
    .slice(heading.index + 1)
    .find(({ localName: name }) => /^h[1-6]$/.test(name));
  const end = following && selectorFor(following, root);
  if (own !== undefined) yield { list: end ? `${own} ~ p:not(${end} ~ p)` : `${own} ~ p` };
}

/** Values that each entry of a list has one of. */
const ofEach = new Set<string>(["title", "question", "price", "author", "date", "rating"]);

/** A value of each entry: all headlines, all prices. */
function* ofEntries(want: Want, site: Site, findFields: FindFields): Generator<Field> {
  const { item } = want;
  if (!item?.concept || !ofEach.has(item.concept) || site.node) return;
  const one = { ...namedWant("entry", "object"), fields: [{ ...item, name: "value", required: true }] };
  const entries = findEntries({ ...want, item: one, accepts: () => true }, site, findFields);
  const value = entries?.fields?.value;
  if (!entries || !value) return;
  const wanted = valuesOf(applyField(entries, site));
  const asks = wanted.filter(text => /[?？]\s*$/.test(String(text)));
  if (item.concept === "question" && asks.length * 2 < wanted.length) return;
  for (const flat of flattened(entries, value)) {
    const found = applyField({ ...flat, ...readingOf(item) }, site);
    if (JSON.stringify(found) === JSON.stringify([...new Set(wanted)])) yield flat;
  }
}

function valuesOf(entries: unknown): unknown[] {
  return Array.isArray(entries) ? entries.map((entry: { value?: unknown }) => entry.value) : [];
}

/** Fields that may read the same values without their entries. */
function flattened(entries: Field, value: Field): Field[] {
  if (entries.jsonld !== undefined)
    return value.jsonld === undefined ? [] : [{ jsonld: `${entries.jsonld}.${value.jsonld}`, many: true }];
  const { list, cut } = entries;
  const { selector, except, attribute } = value;
  if (list === undefined || selector === undefined) return [];
  const below = [` ${selector}`, ` > ${selector}:first-child`, ` ${selector}:first-child`];
  const joined = cut === "sections" || selector === ":scope" ? [""] : below;
  return joined.map(end => ({
    list: list + end,
    ...(except === undefined ? {} : { except }),
    ...(attribute === undefined ? {} : { attribute }),
  }));
}

/** Links or bullets beside a label. */
function* inLabelled(want: Want, { page, element }: Site): Generator<Field> {
  for (const [word, { value }] of labelsOf(page, element)) {
    if (!want.words.includes(word) || typeof value === "string") continue;
    const selector = selectorFor(value, element);
    for (const part of ["li", "a"])
      if (selector && value.querySelectorAll(part).length > 1) yield { list: `${selector} ${part}` };
  }
}

/** A text beside a label, whose commas separate the entries. */
function* afterLabels(want: Want, { page, element }: Site): Generator<Field> {
  for (const [word, { label }] of labelsOf(page, element))
    if (want.words.includes(word)) yield { label, many: true };
}

function* inColumn(want: Want, { element }: Site): Generator<Field> {
  for (const table of element.querySelectorAll("table")) {
    const position = headersOf(table).findIndex(
      header => want.words.includes(squeeze(header)) || want.words.includes(`${squeeze(header)}s`),
    );
    const selector = position < 0 ? undefined : selectorFor(table, element);
    if (selector) yield { list: `${selector} td:nth-child(${position + 1})` };
  }
}

/** An element with the plural name holds the entries; several with the singular name are the entries. */
function* named(want: Want, site: Site): Generator<Field> {
  const { exact, parts } = site.names();
  for (const names of [exact, parts])
    for (const word of want.words) {
      const holders = names.get(word) ?? [];
      for (const { element, via } of holders.slice(0, 3)) {
        const holder = site.element.querySelector(via) === element ? via : selectorFor(element, site.element);
        for (const part of partsOf(want))
          if (holder && element.querySelector(part)) yield { list: `${holder} ${part}` };
      }
      const entries = names.get(singular(word)) ?? [];
      const via = entries[0]?.via;
      if (via && entries.length > 1) yield { list: via };
    }
}

function isPeople({ name, item }: Want): boolean {
  return item?.concept === "author" || conceptOf(singular(name)) === "author";
}

/** Two or more names of people near the heading: in one line, or in a list. */
function* people(site: Site): Generator<Field> {
  const isPerson = (text: string) =>
    / /.test(text) && !/\d/.test(text) && readAs("person", text, "") === text;
  for (const { element, text, attribute, distance } of neighboursOf(site.page)) {
    if (attribute !== undefined || distance > 60) continue;
    const items = /^[uo]l$/.test(element.localName) ? element.children : [];
    if (items.length > 1 && items.every(item => isPerson(textOf(item)))) {
      const list = selectorForAll([...items], site.element, ["li"]);
      if (list) yield { list };
    }
    const names = text.split(/\s*(?:[,;·|&]|\s(?:and|und|et|y)\s)\s*/).filter(Boolean);
    const selector =
      names.length > 1 && names.every(isPerson) ? selectorFor(element, site.element) : undefined;
    if (selector && items.length === 0) yield { selector, many: true, as: "person" };
  }
}

const listNames =
  /^(?:features?|changes|amenities|highlights|benefits|notes|details|included|includes|services|perks|tags|facilities|topics|items|points|bullet_?points|keywords|fixes|added|fixed|improvements|specs|skills|ingredients|steps|requirements|responsibilities|equipment|extras)$/i;

/** The list of an entry that has one, where nothing else that is wanted is a list. */
function* onlyList({ name, item, peers }: Want, { element }: Site): Generator<Field> {
  if (item?.kind !== "string" || item.format !== undefined || !listNames.test(name)) return;
  if (peers?.some(({ kind }) => kind === "array")) return;
  const lists = element.querySelectorAll("ul, ol");
  const [list] = lists;
  if (
    lists.length === 1 &&
    list &&
    element.querySelectorAll("li").every(entry => entry.parentElement === list)
  )
    yield { list: "li" };
}

function partsOf(want: Want): string[] {
  if (want.concept === "images") return ["img"];
  return want.concept === "links" ? ["a[href]"] : ["li", "a", "span", "p", "option"];
}

function* usual(want: Want, { element }: Site): Generator<Field> {
  const tags = [...element.querySelectorAll('a[rel~="tag"]')];
  const tagged =
    want.concept === "tags" && tags.length > 0 ? selectorForAll(tags, element, ['a[rel~="tag"]']) : undefined;
  if (tagged) yield { list: tagged };
  const part = want.concept === "images" ? "img" : want.concept === "links" ? "a[href]" : undefined;
  for (const area of part ? ["main", "article", "body"] : [])
    if (element.querySelector(`${area} ${part}`)) yield { list: `${area} ${part}` };
  if (part && element.querySelector(part)) yield { list: part };
}
