import { applyField } from "./apply-recipe.ts";
import { type Concept, concepts } from "./concepts.ts";
import { fits, type Site } from "./find-value.ts";
import { labelsOf } from "./labels.ts";
import { linkedFields } from "./linked-fields.ts";
import type { Field } from "./recipe.ts";
import { selectorFor, selectorForAll } from "./selector-for.ts";
import { headersOf } from "./table-columns.ts";
import { textOf } from "./text-of.ts";
import { readingOf, type Want } from "./want.ts";
import { singular, squeeze } from "./words.ts";

/** The field that reads an array of single values: tags, ingredients, images, a bullet list under its heading. */
export function findTexts(want: Want, sites: Site[]): Field | undefined {
  const { item } = want;
  if (!item) return undefined;
  const reading = readingOf(item);
  let best: { field: Field; fitting: number } | undefined;
  for (const site of sites.slice(0, 2))
    for (const candidate of candidatesOf(want, site)) {
      const field: Field = { ...candidate, ...reading };
      const fitting = sites.filter(entry => areFit(want, item, applyField(field, entry))).length;
      if (fitting === sites.length) return field;
      if (fitting > (best?.fitting ?? 0)) best = { field, fitting };
    }
  return best && best.fitting * 2 >= sites.length ? best.field : undefined;
}

function areFit(want: Want, item: Want, values: unknown): boolean {
  if (!Array.isArray(values) || !want.accepts(values)) return false;
  const allowed = item.concept === "instructions" || item.concept === "comments" ? 2000 : 300;
  return values.every(value => (typeof value === "string" ? value.length <= allowed : fits(item, value)));
}

function* candidatesOf(want: Want, site: Site): Generator<Field> {
  for (const field of linkedFields(want, site)) yield { ...field, many: true };
  if (site.node) return;
  yield* underHeadings(want, site);
  yield* inLabelled(want, site);
  yield* inColumn(want, site);
  yield* named(want, site);
  yield* afterLabels(want, site);
  yield* usual(want, site);
  const known: Concept | undefined = want.concept && concepts[want.concept];
  if (site.isPage) for (const meta of known?.meta ?? []) yield { meta, many: true };
}

function* underHeadings(want: Want, { element }: Site): Generator<Field> {
  for (const heading of element.querySelectorAll(
    "h1, h2, h3, h4, h5, h6, strong, legend, summary, caption",
  )) {
    if (!want.words.includes(squeeze(textOf(heading)))) continue;
    const list = [heading.nextElementSibling, heading.parentElement?.nextElementSibling].find(
      next => next && (/^[uo]l$/.test(next.localName) || next.querySelector("ul, ol")),
    );
    const inner = list && (/^[uo]l$/.test(list.localName) ? list : list.querySelector("ul, ol"));
    const selector = inner && selectorFor(inner, element);
    if (selector) yield { list: `${selector} > li` };
  }
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

/** One text beside a label; nothing but its commas tells the entries apart. */
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

/** One element with the plural name holds the entries; several with the singular name are the entries. */
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
