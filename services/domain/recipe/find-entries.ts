import { applyField } from "./apply-recipe.ts";
import { findFields } from "./find-fields.ts";
import { type Site, siteOf } from "./find-value.ts";
import { isNode, jsonldOf, readPath, typesOf } from "./linked-data.ts";
import { isProperty, subjectOf } from "./linked-fields.ts";
import type { Field, Fields } from "./recipe.ts";
import { repeatedBlocks } from "./repeated-blocks.ts";
import { selectorFor } from "./selector-for.ts";
import { headersOf } from "./table-columns.ts";
import { textOf } from "./text-of.ts";
import type { Want } from "./want.ts";
import { singular, squeeze } from "./words.ts";

/** Where entries might be, with a few of them to try. */
interface Candidate {
  field: Field;
  samples: Site[];
  size: number;
  /** Points for what the place itself says: its name, its kind. */
  bonus: number;
}

const maxSamples = 5;

/** The field that reads an array of objects: linked data, a table's rows, or repeated blocks, whichever holds most. */
export function findEntries(want: Want, site: Site): Field | undefined {
  const wants = want.item?.fields ?? [];
  let best: { field: Field; score: number } | undefined;
  for (const candidate of candidatesOf(want, site)) {
    const fields = findFields(wants, candidate.samples);
    const field = { ...candidate.field, fields: required(fields, wants) };
    const score = scoreOf(candidate, fields, wants);
    if (score > (best?.score ?? 0) && isTaken(want, applyField(field, site))) best = { field, score };
  }
  return best?.field;
}

/** Most properties first; then what names itself so; then the longer list. Half of the required must be there. */
function scoreOf(candidate: Candidate, fields: Fields, wants: Want[]): number {
  const found = wants.filter(want => fields[want.name] !== undefined);
  const demanded = wants.filter(want => want.required);
  if (found.length === 0 || !demanded.every(want => fields[want.name])) return 0;
  if (found.length < Math.min(2, wants.length) && candidate.bonus === 0) return 0;
  return found.length * 10 + candidate.bonus + Math.min(Math.log2(candidate.size + 1), 9);
}

function isTaken(want: Want, values: unknown): boolean {
  return Array.isArray(values) && want.accepts(values);
}

/** Entries without a required property are advertisements and separators; without any demand, the first field is one. */
function required(fields: Fields, wants: Want[]): Fields {
  const demanded = wants.filter(want => want.required).map(want => want.name);
  const first = Object.keys(fields).find(name => /title|name/i.test(name));
  const names = demanded.length > 0 || first === undefined ? demanded : [first];
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      names.includes(name) ? { ...field, required: true } : field,
    ]),
  );
}

function* candidatesOf(want: Want, site: Site): Generator<Candidate> {
  yield* linked(want, site);
  if (site.node) return;
  yield* tables(want, site);
  yield* pairs(want, site);
  for (const block of repeatedBlocks(site.element)) {
    const samples = samplesOf(block.elements.map(element => siteOf({ page: site.page, element }, false)));
    yield {
      field: { list: block.selector },
      samples,
      size: block.elements.length,
      bonus: nameBonus(want, block.names),
    };
  }
}

function* linked(want: Want, site: Site): Generator<Candidate> {
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
    const samples = samplesOf(found.map(node => siteOf({ ...site, node }, false)));
    if (bonus > 0 || found.length > 2)
      yield { field: { jsonld: path, many: true }, samples, size: found.length, bonus };
  }
}

/** The rows of tables that have headers. */
function* tables(want: Want, site: Site): Generator<Candidate> {
  for (const table of [...site.element.querySelectorAll("table")].slice(0, 20)) {
    if (headersOf(table).length === 0) continue;
    const rows = [...table.querySelectorAll("tr")].filter(row => row.querySelector("td"));
    const selector = selectorFor(table, site.element);
    if (selector === undefined || rows.length === 0) continue;
    const samples = samplesOf(rows.map(element => siteOf({ page: site.page, element }, false)));
    const caption = [
      table.getAttribute("id") ?? "",
      textOf(table.querySelector("caption") ?? table).slice(0, 60),
    ];
    yield {
      field: { list: `${selector} tr` },
      samples,
      size: rows.length,
      bonus: 3 + nameBonus(want, caption),
    };
  }
}

/** `[{name, value}]` from a specification table or a definition list. */
function* pairs(want: Want, site: Site): Generator<Candidate> {
  const names = (want.item?.fields ?? []).map(field => squeeze(field.name));
  if (names.length !== 2 || !names.includes("value")) return;
  for (const table of site.element.querySelectorAll("table")) {
    const rows = [...table.querySelectorAll("tr")].filter(row => row.children.length === 2);
    const selector =
      rows.length > 1 && headersOf(table).length === 0 ? selectorFor(table, site.element) : undefined;
    const samples = samplesOf(rows.map(element => siteOf({ page: site.page, element }, false)));
    if (selector) yield { field: { list: `${selector} tr` }, samples, size: rows.length, bonus: 5 };
  }
}

function nameBonus(want: Want, names: string[]): number {
  const wanted = new Set(want.words.flatMap(word => [word, singular(word)]));
  return names.some(name => wanted.has(squeeze(name)) || wanted.has(singular(squeeze(name)))) ? 5 : 0;
}

function samplesOf(sites: Site[]): Site[] {
  const step = Math.max(1, Math.floor(sites.length / maxSamples));
  return sites.filter((_, index) => index % step === 0).slice(0, maxSamples);
}
