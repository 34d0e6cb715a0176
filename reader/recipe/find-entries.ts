import { applyField } from "./apply-recipe.ts";
import { coerce } from "./coerce.ts";
import { isOpen, leftOver } from "./left-over.ts";
import { type ListCandidate, listCandidates } from "./list-candidates.ts";
import type { Site } from "./name-index.ts";
import type { Field, Fields } from "./recipe.ts";
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
  const order = [...wants];
  for (const candidate of candidates) {
    const found = findAll(wants, order, candidate, best?.score ?? 0, findFields);
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

/**
 * The fields of the entries; undefined as soon as so many are missing that the place cannot be the best. What was missing
 * in one place is looked for first in the next.
 */
function findAll(
  wants: Want[],
  order: Want[],
  candidate: ListCandidate,
  score: number,
  findFields: FindFields,
): Fields | undefined {
  let most = bestScoreOf(candidate, wants);
  const found = new Map<Want, Field>();
  for (const want of [...order]) {
    if (most <= score) return undefined;
    const one = findFields([want], candidate.samples)[want.name];
    if (one) found.set(want, one);
    else {
      order.unshift(...order.splice(order.indexOf(want), 1));
      if (want.required && !isOpen(want)) return undefined;
      if (!isOpen(want)) most -= 10;
    }
  }
  if (found.size > 0)
    for (const [want, field] of leftOver(wants, found, candidate.samples)) found.set(want, field);
  if (wants.some(want => want.required && !found.has(want))) return undefined;
  return Object.fromEntries(
    wants.flatMap(want => {
      const field = found.get(want);
      return field ? [[want.name, field]] : [];
    }),
  );
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
