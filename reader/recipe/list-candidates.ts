import { type Cut, entriesOf } from "./entries.ts";
import { headersOf } from "./labels.ts";
import { isNode, isProperty, jsonldOf, readPath, subjectOf, typesOf } from "./linked-data.ts";
import { type Site, siteOf } from "./name-index.ts";
import type { PageElement } from "./page-element.ts";
import type { Field } from "./recipe.ts";
import { repeatedBlocks, sectionHeads } from "./repeated-blocks.ts";
import { classesOf, selectorFor } from "./selector-for.ts";
import { singular, squeeze, textOf } from "./text-of.ts";
import type { Want } from "./want.ts";

/** A place that may hold entries, with a few of them to try. */
export interface ListCandidate {
  field: Field;
  samples: Site[];
  size: number;
  /** Points for the name and kind of the place. */
  bonus: number;
}

const maxSamples = 5;
const maxCompared = 60;
const maxTables = 20;

/** The places of a page, or of an entity, that may hold the entries of a list. */
export function* listCandidates(want: Want, site: Site): Generator<ListCandidate> {
  yield* linkedLists(want, site);
  if (site.node) return;
  yield* tables(want, site);
  yield* columns(site);
  yield* pairs(want, site);
  for (const { selector, elements, names } of repeatedBlocks(site.element))
    yield candidate(site, { list: selector }, elements, nameBonus(want, names) + kindBonus(elements));
  for (const { selector, names } of sectionHeads(site.element)) {
    const entries = entriesOf(site.element, selector, "sections");
    if (entries.length > 1)
      yield candidate(site, { list: selector, cut: "sections" }, entries, nameBonus(want, names) - 1);
  }
}

function candidate(
  site: Site,
  field: { list: string; cut?: Cut },
  elements: PageElement[],
  bonus: number,
): ListCandidate {
  const { alike, likeness } = compared(elements);
  const samples = samplesOf(alike).map(element => siteOf({ page: site.page, element }, false));
  return { field, samples, size: elements.length, bonus: bonus - (1 - likeness) * 8 };
}

/** Short links alone are navigation and filters rather than entries. */
function kindBonus(elements: PageElement[]): number {
  const tried = elements.slice(0, maxSamples);
  const bare = tried.filter(element => {
    const links = element.localName === "a" ? [element] : element.querySelectorAll("a, label, button");
    const [link] = links;
    return (
      link !== undefined && links.length === 1 && textOf(link) === textOf(element) && sizeOf(element) < 3
    );
  });
  const pictured = tried.filter(element => element.querySelector("img, h2, h3, h4, time"));
  return (bare.length === tried.length ? -6 : 0) + (pictured.length * 2 > tried.length ? 2 : 0);
}

function sizeOf(element: PageElement): number {
  return element.end - element.order - 1;
}

/**
 * The elements that are built like most of them (an advertisement among tiles is not), and how much all have in common,
 * from 0 to 1.
 */
function compared(elements: PageElement[]): { alike: PageElement[]; likeness: number } {
  const some = elements.slice(0, maxCompared).map(element => ({ element, makes: makesOf(element) }));
  const counts = new Map<string, number>();
  for (const { makes } of some) for (const make of makes) counts.set(make, (counts.get(make) ?? 0) + 1);
  const usual = [...counts].flatMap(([make, count]) => (count * 2 > some.length ? make : []));
  const found = some.filter(({ makes }) => usual.filter(make => makes.has(make)).length * 2 > usual.length);
  const size = some.reduce((sum, { makes }) => sum + makes.size, 0) / some.length;
  const likeness = size === 0 ? 1 : Math.min(usual.length / size, 1);
  return { alike: (found.length > 1 ? found : some).map(({ element }) => element), likeness };
}

function makesOf(root: PageElement): Set<string> {
  const makes = new Set<string>();
  for (const element of root.firstBelow(100)) {
    makes.add(element.localName);
    for (const name of classesOf(element)) makes.add(name);
  }
  return makes;
}

function* linkedLists(want: Want, site: Site): Generator<ListCandidate> {
  const nodes = site.node ? [site.node] : site.isPage ? jsonldOf(site.page) : [];
  const paths = new Map<string, number>();
  for (const type of site.node ? [] : new Set(nodes.flatMap(typesOf)))
    if (/^\p{Lu}\w*$/u.test(type) && nodes.filter(node => typesOf(node).includes(type)).length > 1)
      paths.set(type, nameBonus(want, [type]));
  for (const node of new Set([subjectOf(nodes), ...nodes.slice(0, 20)]))
    for (const key of Object.keys(node ?? {}).filter(isProperty))
      for (const path of [key, `${key}.item`])
        if (node && readPath([node], path).filter(isNode).length > 0)
          paths.set(
            [site.node ? [] : (typesOf(node)[0] ?? []), path].flat().join("."),
            nameBonus(want, [key]),
          );
  for (const [path, bonus] of paths) {
    const found = readPath(nodes, path).filter(isNode);
    const samples = samplesOf(found).map(node => siteOf({ ...site, node }, false));
    if (bonus > 0 || found.length > 2)
      yield { field: { jsonld: path, many: true }, samples, size: found.length, bonus: bonus + 4 };
  }
}

/** The rows of tables that have headers. */
function* tables(want: Want, site: Site): Generator<ListCandidate> {
  for (const table of site.element.querySelectorAll("table").slice(0, maxTables)) {
    if (headersOf(table).length === 0) continue;
    const rows = table.querySelectorAll("tr").filter(row => row.querySelector("td"));
    const selector = selectorFor(table, site.element);
    if (selector === undefined || rows.length === 0) continue;
    const caption = [
      table.getAttribute("id") ?? "",
      textOf(table.querySelector("caption") ?? table).slice(0, 60),
    ];
    const bonus = 3 + nameBonus(want, caption);
    yield { ...candidate(site, { list: `${selector} tr` }, rows, bonus), size: rows.length };
  }
}

/** The columns of tables whose first column has the labels. */
function* columns(site: Site): Generator<ListCandidate> {
  for (const table of site.element.querySelectorAll("table").slice(0, maxTables)) {
    const width = table.querySelector("tr")?.children.length ?? 0;
    const selector = width > 2 && width < 30 ? selectorFor(table, site.element) : undefined;
    const entries = selector === undefined ? [] : entriesOf(site.element, selector, "columns");
    if (selector !== undefined && entries.length === width - 1)
      yield candidate(site, { list: selector, cut: "columns" }, entries, 0);
  }
}

/** `[{name, value}]` from a specification table or a definition list. */
function* pairs(want: Want, site: Site): Generator<ListCandidate> {
  const names = (want.item?.fields ?? []).map(field => squeeze(field.name));
  if (names.length !== 2 || !names.includes("value")) return;
  for (const table of site.element.querySelectorAll("table").slice(0, maxTables)) {
    const rows = table.querySelectorAll("tr").filter(row => row.children.length === 2);
    const selector =
      rows.length > 1 && headersOf(table).length === 0 ? selectorFor(table, site.element) : undefined;
    if (selector) yield candidate(site, { list: `${selector} tr` }, rows, 5);
  }
}

function nameBonus(want: Want, names: string[]): number {
  const wanted = new Set(want.words.flatMap(word => [word, singular(word)]));
  return names.some(name => wanted.has(squeeze(name)) || wanted.has(singular(squeeze(name)))) ? 5 : 0;
}

function samplesOf<Entry>(entries: Entry[]): Entry[] {
  const step = Math.max(1, Math.floor(entries.length / maxSamples));
  return entries.filter((_, index) => index % step === 0).slice(0, maxSamples);
}
