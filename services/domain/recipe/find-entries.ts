import { applyField } from "./apply-recipe.ts";
import { coerce } from "./coerce.ts";
import { type Cut, entriesOf } from "./entries.ts";
import { headersOf } from "./labels.ts";
import { isNode, isProperty, jsonldOf, readPath, subjectOf, typesOf } from "./linked-data.ts";
import { type Site, siteOf } from "./name-index.ts";
import type { PageElement } from "./page-element.ts";
import type { Field, Fields } from "./recipe.ts";
import { repeatedBlocks, sectionHeads } from "./repeated-blocks.ts";
import { classesOf, selectorFor } from "./selector-for.ts";
import { singular, squeeze, textOf } from "./text-of.ts";
import type { Want } from "./want.ts";

export type FindFields = (wants: Want[], sites: Site[]) => Fields;
type Row = Record<string, unknown>;

/**
 * The field that reads an array of objects: linked data, a table's rows or columns, repeated blocks or sections,
 * whichever holds most. `findFields` finds the fields of the entries.
 */
export function findEntries(want: Want, site: Site, findFields: FindFields): Field | undefined {
  const wants = want.item?.fields ?? [];
  let best: { field: Field; score: number } | undefined;
  const candidates = [...listCandidates(want, site)];
  candidates.sort((a, b) => bestScoreOf(b, wants) - bestScoreOf(a, wants));
  for (const candidate of candidates) {
    const found = findAll(wants, candidate, best?.score ?? 0, findFields);
    if (!found || !isEnough(found, wants, candidate)) continue;
    const rows = rowsOf({ ...candidate.field, fields: found }, site);
    const fields = demanding(found, wants, rows);
    const field = { ...candidate.field, fields };
    const needed = Object.keys(fields).filter(name => fields[name]?.required);
    const taken = rows.filter(row => needed.every(name => row[name] !== undefined));
    const score = scoreOf(candidate, taken, wants);
    if (score > (best?.score ?? 0) && want.accepts(taken)) best = { field, score };
  }
  return best?.field;
}

/** The fields of the entries; undefined as soon as so many are missing that the place cannot be the best. */
function findAll(
  wants: Want[],
  candidate: ListCandidate,
  score: number,
  findFields: FindFields,
): Fields | undefined {
  let most = bestScoreOf(candidate, wants);
  const found: [string, Field][] = [];
  for (const want of wants) {
    if (most <= score) return undefined;
    const one = findFields([want], candidate.samples)[want.name];
    if (one) found.push([want.name, one]);
    else if (want.required) return undefined;
    else most -= 10;
  }
  return most <= score ? undefined : Object.fromEntries(found);
}

function rowsOf(field: Field, site: Site): Row[] {
  const rows = applyField(field, site);
  return Array.isArray(rows) ? rows : [];
}

/** All required properties must be there, and two of several, unless the place has the name that is wanted. */
function isEnough(found: Fields, wants: Want[], { bonus }: ListCandidate): boolean {
  const count = Object.keys(found).length;
  const demanded = wants.filter(want => want.required);
  if (count === 0 || !demanded.every(want => found[want.name])) return false;
  return count >= Math.min(2, wants.length) || bonus >= 5;
}

/** Filters such as `Under $50` are read as names, and as prices. */
function areFilters(rows: Row[], wants: Want[]): boolean {
  const [title, price] = ["title", "price"].map(
    concept => wants.find(want => want.concept === concept)?.name,
  );
  if (title === undefined || price === undefined) return false;
  const stated = (row: Row) => coerce({ value: row[title] }, { type: "number" }, "", "");
  return rows.every(row => row[price] !== undefined && stated(row) === row[price]);
}

/** Most properties in each entry first, then the matching name, then the longer list. */
function scoreOf({ size, bonus }: ListCandidate, rows: Row[], wants: Want[]): number {
  if (rows.length === 0 || areFilters(rows, wants) || (rows.length === 1 && size > 1)) return 0;
  const filled = rows.reduce((sum, row) => sum + countOf(row, wants), 0) / rows.length;
  const distinct = new Set(rows.map(row => JSON.stringify(row))).size / rows.length;
  const kept = Math.min(rows.length / size, 1);
  const long = pointsOfLength(rows.length);
  return filled * 10 + bonus + long + askedPoints(rows, wants) - (1 - kept) * 2 - (1 - distinct) * 12;
}

/** The score of a place if every entry has every property. */
function bestScoreOf({ size, bonus }: ListCandidate, wants: Want[]): number {
  const asked = wants.some(want => want.concept === "question") ? maxAsked : 0;
  return wants.length * 10 + bonus + pointsOfLength(size) + asked;
}

function pointsOfLength(size: number): number {
  return Math.min(2 * Math.log2(size + 1), 14);
}

const maxAsked = 20;

/** Questions end with a question mark, or begin as one; without that, headings with texts are an article. */
function askedPoints(rows: Row[], wants: Want[]): number {
  const question = wants.find(want => want.concept === "question")?.name;
  if (question === undefined) return 0;
  const asked = rows.filter(row => asks.test(String(row[question]))).length / rows.length;
  return asked >= 0.5 ? asked * maxAsked : -100;
}

const asks =
  /[?？;]\s*$|^(?:how|what|when|where|who|why|which|can|do|does|is|are|will|should|was|wie|wo|wann|warum|kann|welche)\b/i;

function countOf(row: Row, wants: Want[]): number {
  return wants.filter(want => row[want.name] !== undefined && row[want.name] !== null).length;
}

/** What entries have and advertisements lack, the most telling first. */
const telling = ["title", "question", "url", "price", "author", "date", "answer", "content", "image"];

/**
 * Marks the properties without which an entry is left out: those that the schema requires, else the title; and the link
 * when every entry has one. When poorer entries remain, marks one more that only the others have.
 */
function demanding(fields: Fields, wants: Want[], rows: Row[]): Fields {
  const names = Object.keys(fields);
  const demanded = wants.filter(want => want.required).map(want => want.name);
  const first = names.find(name => /title|name|headline/i.test(name));
  const marked = new Set(demanded.length > 0 || first === undefined ? demanded : [first]);
  const most = Math.max(...rows.map(row => Object.keys(row).length));
  const rich = rows.filter(row => Object.keys(row).length * 2 > most);
  const poor = rows.filter(row => !rich.includes(row) && [...marked].every(name => row[name] !== undefined));
  const sure = wants
    .filter(({ name }) => names.includes(name) && rich.every(row => row[name] !== undefined))
    .sort((a, b) => rankOf(a) - rankOf(b));
  const link = sure.find(want => want.concept === "url");
  if (link && rich.length > 2) marked.add(link.name);
  const sieve = sure.find(({ name }) => poor.some(row => row[name] === undefined));
  if (sieve && rich.length > 1 && poor.length < rich.length) marked.add(sieve.name);
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      marked.has(name) ? { ...field, required: true } : field,
    ]),
  );
}

function rankOf({ concept }: Want): number {
  const place = telling.indexOf(concept ?? "");
  return place < 0 ? telling.length : place;
}

/** A place that may hold entries, with a few of them to try. */
interface ListCandidate {
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
function* listCandidates(want: Want, site: Site): Generator<ListCandidate> {
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
  for (const make of some.flatMap(({ makes }) => [...makes])) counts.set(make, (counts.get(make) ?? 0) + 1);
  const usual = [...counts].flatMap(([make, count]) => (count * 2 > some.length ? make : []));
  const found = some.filter(({ makes }) => usual.filter(make => makes.has(make)).length * 2 > usual.length);
  const size = some.reduce((sum, { makes }) => sum + makes.size, 0) / some.length;
  const likeness = size === 0 ? 1 : Math.min(usual.length / size, 1);
  return { alike: (found.length > 1 ? found : some).map(({ element }) => element), likeness };
}

function makesOf(root: PageElement): Set<string> {
  const elements = root.querySelectorAll("*").slice(0, 100);
  return new Set(elements.flatMap(element => [element.localName, ...classesOf(element)]));
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
